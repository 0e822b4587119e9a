/** Where SIGTERM and SIGINT come from; `process` is one. */
export interface SignalSource {
  on(signal: 'SIGTERM' | 'SIGINT', listener: (signal: string) => void): unknown;
  off(signal: 'SIGTERM' | 'SIGINT', listener: (signal: string) => void): unknown;
}

/** The first signal asks for a stop, the second for one at once, a third meets no handler of ours (M10). */
export class ProcessSignals {
  readonly #source: SignalSource;
  readonly #onSignal: (signal: string, second: boolean) => void;
  #seen = 0;

  constructor(source: SignalSource, onSignal: (signal: string, second: boolean) => void) {
    this.#source = source;
    this.#onSignal = onSignal;
  }

  install(): void {
    this.#source.on('SIGTERM', this.#listener);
    this.#source.on('SIGINT', this.#listener);
  }

  remove(): void {
    this.#source.off('SIGTERM', this.#listener);
    this.#source.off('SIGINT', this.#listener);
  }

  readonly #listener = (signal: string): void => {
    this.#seen += 1;
    if (this.#seen > 1) this.remove();
    this.#onSignal(signal, this.#seen > 1);
  };
}
