/** At most `size` hold a place at once; the rest wait in order and leave when their signal aborts (T3). */
export class Line {
  private free: number;
  private readonly waiting = new Set<() => void>();

  constructor(size: number) {
    this.free = size;
  }

  /** Undefined when a place was free at once, so that the usual call makes no promise. */
  enter(signal: AbortSignal | undefined): Promise<void> | undefined {
    if (this.free > 0) {
      this.free--;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.waiting.delete(admit);
        reject(signal?.reason as Error);
      };
      const admit = (): void => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      this.waiting.add(admit);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  leave(): void {
    for (const admit of this.waiting) {
      this.waiting.delete(admit);
      admit();
      return;
    }
    this.free++;
  }
}
