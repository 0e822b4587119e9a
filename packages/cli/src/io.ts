/** The outside world of a command; tests hand in their own. */
export interface Io {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  readonly cwd: string;
  /** Calls back on each SIGINT or SIGTERM; answers an unsubscribe function. */
  onSignal(this: void, listener: () => void): () => void;
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** That of the process. */
export function processIo(): Io {
  return {
    stdout: process.stdout,
    stderr: process.stderr,
    cwd: process.cwd(),
    onSignal(listener) {
      for (const signal of SIGNALS) process.on(signal, listener);
      return () => {
        for (const signal of SIGNALS) process.off(signal, listener);
      };
    },
  };
}
