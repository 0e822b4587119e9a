/** The outside world of a command; tests hand in their own. */
export interface Io {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  readonly cwd: string;
  /** Calls back on each SIGINT or SIGTERM; answers an unsubscribe function. */
  onSignal(this: void, listener: () => void): () => void;
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** That of the process. A reader that has gone (`kubewright … | head -1`) is no fault: what is still said is dropped. */
export function processIo(): Io {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', unlessReaderIsGone);
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

function unlessReaderIsGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
