import type { InspectorEvent } from './contract.js';

type Listener = (event: InspectorEvent) => void;

/** Tells listeners what happens. Whoever has something to tell asks {@link active} first, and makes no object for nobody. */
export class Feed {
  /** Listeners that threw (C19). */
  faults = 0;
  readonly #listeners = new Set<Listener>();

  get active(): boolean {
    return this.#listeners.size > 0;
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  emit(event: InspectorEvent): void {
    for (const listener of this.#listeners)
      try {
        listener(event);
      } catch {
        this.faults += 1;
      }
  }
}
