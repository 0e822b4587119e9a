import type { Representations } from './represent.js';
import type { ResourceRegistry } from './registry.js';
import type { Store } from './store.js';
import type { WatchHub } from './watch.js';
import type { AdmissionPort, ApplyPort, Clock, KubeObject, PatchPort, Random, Target } from './types.js';

/** What the operations of the object core work with; assembled by semantics.ts. */
export interface Core {
  readonly store: Store;
  readonly registry: ResourceRegistry;
  readonly representations: Representations;
  readonly hub: WatchHub;
  readonly clock: Clock;
  readonly random: Random;
  readonly patches: PatchPort;
  readonly applies: ApplyPort;
  /** Webhooks; namespace lifecycle is always on. */
  admission: AdmissionPort | undefined;
  /** Test control: called before the resourceVersion of a write is checked (TC-3). */
  beforeWrite: ((target: Target, live: KubeObject) => Promise<void> | void) | undefined;
}
