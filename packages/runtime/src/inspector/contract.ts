import type { Cause } from '@kubewright/api';
import type { StreamState } from '../cache/contract.js';
import type { ControllerCounters } from '../controller/counters.js';
import type { QueueSnapshot } from '../workqueue/contract.js';

// All of it is plain JSON. Keys, versions and texts appear, never specs or data (C25).

/** What is told of an error. */
export interface ErrorText {
  readonly code?: string;
  readonly message: string;
}

/** How a run ended. */
export interface RunRecord {
  /** Wall clock at its end, ms. */
  readonly at: number;
  readonly ms: number;
  /** `success`, `requeue`, `requeue_after` or `error`. */
  readonly result: string;
  readonly attempt: number;
  readonly error?: ErrorText;
}

/** What is known of one key of a controller. */
export interface KeySnapshot {
  readonly key: string;
  /** Failed tries since the last success. */
  readonly attempts: number;
  readonly place: 'ready' | 'delayed' | 'processing' | 'resting';
  /** Ms until it is due; with `delayed` only. */
  readonly dueIn?: number;
  /** Why it is due then: the result of the last run. */
  readonly why?: string;
  readonly lastError?: ErrorText & { readonly at: number };
  /** Of the last run. */
  readonly causes: readonly Cause[];
  /** The last 20, oldest first. */
  readonly runs: readonly RunRecord[];
}

/** One list-then-watch loop. */
export interface StreamSnapshot {
  readonly cluster?: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly labels?: string;
  readonly fields?: string;
  readonly state: StreamState;
  readonly synced: boolean;
  readonly objects: number;
  readonly resourceVersion: string;
  readonly failures: number;
  readonly lastError?: ErrorText;
}

/** One controller. */
export interface ControllerSnapshot {
  readonly name: string;
  readonly kind?: string;
  readonly phase: 'new' | 'connected' | 'running' | 'stopped';
  readonly paused: boolean;
  readonly synced: boolean;
  readonly queue: QueueSnapshot;
  /** Keys whose runs were aborted and do not end (C20). */
  readonly stuck: readonly string[];
  readonly counters: Readonly<ControllerCounters>;
  /** Durations in ms; what has no limit is left out. */
  readonly options: Readonly<Record<string, number | boolean>>;
  /** What feeds it: `PodSetController @Owns(V1Pod)`. */
  readonly sources: readonly string[];
}

/** The whole manager. */
export interface ManagerSnapshot {
  /** Wall clock, ms. */
  readonly at: number;
  readonly phase: 'new' | 'starting' | 'running' | 'stopping' | 'stopped';
  /** How late timers are, ms: what held the event loop last (M17). */
  readonly eventLoopLagMs: number;
  readonly streams: readonly StreamSnapshot[];
  readonly controllers: readonly ControllerSnapshot[];
}

/** Something that happened just now. */
export type InspectorEvent = { readonly controller: string; readonly key: string; readonly at: number } & (
  | { readonly type: 'enqueued'; readonly cause?: string }
  | { readonly type: 'filtered'; readonly event: string }
  | { readonly type: 'run-started'; readonly attempt: number }
  | { readonly type: 'run-ended'; readonly result: string; readonly ms: number; readonly error?: ErrorText }
);

/** Looks at an operator without touching it. */
export interface Inspector {
  snapshot(): ManagerSnapshot;
  /** Undefined when there is no such controller, or nothing is known of the key. */
  object(controller: string, key: string): KeySnapshot | undefined;
  /** Told of what happens in the controllers that there are; answers how to end it. A listener that throws is ignored. */
  subscribe(listener: (event: InspectorEvent) => void): () => void;
}

/** Touches an operator: apart from {@link Inspector}, so that looking never gives the right to steer. */
export interface Control {
  /** Its queue fills and no new run begins; runs under way go on. False: there is no such controller. */
  pause(controller: string): boolean;
  resume(controller: string): boolean;
  /** Runs a key now, whatever it waits for. False: no such controller, or it has stopped. */
  trigger(controller: string, key: string): boolean;
}
