import type { KindInfo, ObjectEvent, StoredObject } from '@kubewright/api';

/** What part of a kind an informer holds: all namespaces and every object when nothing is given. */
export interface InformerScope {
  readonly namespace?: string;
  /** Label selector text. */
  readonly labels?: string;
  /** Field selector text. */
  readonly fields?: string;
}

/** Index name → pure function from an object to its index values (R29). */
export type Indexers = Readonly<Record<string, (object: StoredObject) => string[]>>;

export interface InformerOptions {
  /** Who asks, for messages: `PodSetController @Owns(V1Pod)`. */
  readonly label?: string;
  /** Pure and synchronous; what it drops is not stored (R26). Default: none. */
  readonly transform?: (object: StoredObject) => StoredObject;
  readonly indexers?: Indexers;
  /** Store `apiVersion`, `kind`, `metadata` only (R28). Default false. */
  readonly metadataOnly?: boolean;
  /** True: holding all Secrets or ConfigMaps of the cluster is meant; no warning. Default false (R34). */
  readonly unscoped?: boolean;
  /**
   * `bytes`: objects are kept as their JSON outside of the JavaScript heap and parsed when read: less memory for many
   * objects that are seldom read, more work for each read (R35). The first wish of a stream decides. Default `objects`.
   */
  readonly store?: 'objects' | 'bytes';
  /** Keep `metadata.managedFields`. Default false (R27). */
  readonly keepManagedFields?: boolean;
  /** False: cached reads of this kind do not show own writes before their events came (L46). Default true. */
  readonly readYourOwnWrites?: boolean;
  /** Objects per page of a paged list. Default 500 (R7). */
  readonly pageSize?: number;
  /**
   * Lists the kind this often (ms) beside the watch and counts what differs from the store, which must be nothing; for
   * those who want proof. Default: never (R36).
   */
  readonly verifyEvery?: number;
  /** How the first list is read. Default `auto`: as a stream where the server can (R5, R6). */
  readonly initialLoad?: 'auto' | 'stream' | 'page';
}

export type StreamState =
  'waiting' | 'streaming' | 'listing' | 'watching' | 'backoff' | 'forbidden' | 'missing' | 'stopped';

/** Health of one list-then-watch loop (R32). */
export interface StreamStatus {
  readonly kind: KindInfo;
  readonly scope: InformerScope;
  readonly state: StreamState;
  /** True from the first complete list on, also during later outages (R4). */
  readonly synced: boolean;
  readonly objects: number;
  /** The newest resourceVersion delivered; empty before the first list. */
  readonly resourceVersion: string;
  readonly lastError?: Error;
  /** Failures in a row. */
  readonly failures: number;
  /** Checks of `verifyEvery` and the differences they found; absent before the first. */
  readonly verified?: { readonly checks: number; readonly differences: number };
  /** Monotonic ms of the loop's last step. */
  readonly lastStep: number;
  /** Monotonic ms of the last event, bookmark or list; absent before the first. */
  readonly lastEvent?: number;
}

/** Called synchronously, in order, with the events of E1. */
export type InformerHandler = (event: ObjectEvent) => void;

export interface HandlerRegistration {
  /** Resolves when the handler saw the whole initial list (R25); never when disposed or stopped before. */
  readonly synced: Promise<void>;
  isSynced(): boolean;
  dispose(): void;
}

/** A share in the stream of one kind and scope (R1). */
export interface Informer {
  readonly kind: KindInfo;
  readonly scope: InformerScope;
  /** Added late, a handler gets creates for all stored objects first, then live events (R25). */
  addHandler(handler: InformerHandler): HandlerRegistration;
  state(): StreamStatus;
  /** Whether the object is there, as cached reads see it. */
  holds(namespace: string | undefined, name: string): boolean;
  /** Resolves with the first complete list; never when stopped before. */
  readonly synced: Promise<void>;
  /** Removes its handlers; the last informer of a stream stops it and frees its store (R36). */
  dispose(): Promise<void>;
}

/** All streams of one cluster. */
export interface Cache {
  /** Before {@link start} it waits, afterwards it runs at once. */
  informer(kind: KindInfo, scope: InformerScope, options?: InformerOptions): Informer;
  start(): void;
  /** Ends all loops; afterwards no request, event or timer. */
  stop(): Promise<void>;
  streams(): StreamStatus[];
}
