// Helpers of this package's tests; named as a test so that it is not shipped.
import {
  type KindInfo,
  type KubernetesObject,
  Logger,
  type ObjectEvent,
  type Reconciler,
  type Request,
  type Wire,
} from '@kubewright/api';
import type { HandlerRegistration, Informer, InformerHandler, StreamState, StreamStatus } from '../cache/contract.js';
import { Controller, type ControllerConfig } from '../controller/controller.js';
import { forObject } from '../handler/for-object.js';
import { RunContexts } from '../run-context.js';
import { KindSource, type KindSourceOptions } from '../source/kind-source.js';
import { VirtualClock } from './virtual-clock.js';

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: Record<string, unknown>;
}

/** Keeps what is logged. */
export class RecordingLogger extends Logger {
  readonly lines: LogLine[];
  readonly #fields: Record<string, unknown>;

  constructor(lines: LogLine[] = [], fields: Record<string, unknown> = {}) {
    super();
    this.lines = lines;
    this.#fields = fields;
  }

  trace(fields: object | string, message?: string): void {
    this.#keep('trace', fields, message);
  }

  debug(fields: object | string, message?: string): void {
    this.#keep('debug', fields, message);
  }

  info(fields: object | string, message?: string): void {
    this.#keep('info', fields, message);
  }

  warn(fields: object | string, message?: string): void {
    this.#keep('warn', fields, message);
  }

  error(fields: object | string, message?: string): void {
    this.#keep('error', fields, message);
  }

  child(fields: Record<string, unknown>): Logger {
    return new RecordingLogger(this.lines, { ...this.#fields, ...fields });
  }

  at(level: string): LogLine[] {
    return this.lines.filter((line) => line.level === level);
  }

  #keep(level: string, fields: object | string, message?: string): void {
    if (typeof fields === 'string') this.lines.push({ level, message: fields, fields: this.#fields });
    else this.lines.push({ level, message: message ?? '', fields: { ...this.#fields, ...fields } });
  }
}

export const PodSetKind: KindInfo = {
  group: 'app.example.com',
  version: 'v1alpha1',
  kind: 'PodSet',
  plural: 'podsets',
  scope: 'Namespaced',
};

export function anObject(
  name: string,
  metadata: Record<string, unknown> = {},
  rest: object = {},
): Wire<KubernetesObject> {
  return {
    apiVersion: 'app.example.com/v1alpha1',
    kind: 'PodSet',
    metadata: {
      namespace: 'default',
      name,
      uid: `uid-${name}`,
      resourceVersion: '1',
      creationTimestamp: '',
      ...metadata,
    },
    ...rest,
  };
}

/** An informer whose events the test makes. */
export class HandInformer implements Informer {
  readonly kind: KindInfo;
  readonly scope: Informer['scope'];
  readonly synced: Promise<void>;
  streamState: StreamState = 'watching';
  lastError: Error | undefined;
  failures = 0;
  #markSynced!: () => void;
  #isSynced = false;
  readonly #handlers = new Set<InformerHandler>();
  readonly #there = new Set<string>();

  constructor(kind: KindInfo = PodSetKind, scope: Informer['scope'] = {}) {
    this.kind = kind;
    this.scope = scope;
    this.synced = new Promise((resolve) => {
      this.#markSynced = resolve;
    });
  }

  /** The initial list is over. */
  sync(): this {
    this.#isSynced = true;
    this.#markSynced();
    return this;
  }

  get handlers(): number {
    return this.#handlers.size;
  }

  holds(namespace: string | undefined, name: string): boolean {
    return this.#there.has(`${namespace}/${name}`);
  }

  emit(event: ObjectEvent): void {
    const { namespace, name } = (event.type === 'update' ? event.newObject : event.object).metadata;
    if (event.type === 'delete') this.#there.delete(`${namespace}/${name}`);
    else this.#there.add(`${namespace}/${name}`);
    for (const handler of this.#handlers) handler(event);
  }

  create(object: Wire<KubernetesObject>, isInInitialList: boolean = false): void {
    this.emit({ type: 'create', object, isInInitialList });
  }

  update(oldObject: Wire<KubernetesObject>, newObject: Wire<KubernetesObject>): void {
    this.emit({ type: 'update', oldObject, newObject });
  }

  delete(object: Wire<KubernetesObject>): void {
    this.emit({ type: 'delete', object, deleteStateUnknown: false });
  }

  addHandler(handler: InformerHandler): HandlerRegistration {
    this.#handlers.add(handler);
    return {
      synced: this.synced,
      isSynced: () => this.#isSynced,
      dispose: () => void this.#handlers.delete(handler),
    };
  }

  state(): StreamStatus {
    const { kind, scope, failures, lastError } = this;
    return {
      kind,
      scope,
      state: this.streamState,
      synced: this.#isSynced,
      objects: 0,
      resourceVersion: '1',
      failures,
      lastStep: 0,
      ...(lastError && { lastError }),
    };
  }

  dispose(): Promise<void> {
    return Promise.resolve();
  }
}

/** One controller over one hand-driven informer, on virtual time. */
export interface Rig {
  readonly clock: VirtualClock;
  readonly logger: RecordingLogger;
  readonly informer: HandInformer;
  readonly controller: Controller;
  readonly runContexts: RunContexts;
  /** Lets what can happen now happen. */
  settle(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface RigOptions extends Partial<Omit<ControllerConfig, 'reconciler' | 'clock' | 'logger'>> {
  readonly clock?: VirtualClock;
  readonly source?: Partial<KindSourceOptions>;
  /** Default true. */
  readonly start?: boolean;
}

/** A controller that runs `reconcile`; delays are exact. */
export function rig(reconcile: Reconciler['reconcile'], options: RigOptions = {}): Rig {
  const { source, start = true, clock = new VirtualClock(), ...config } = options;
  const logger = new RecordingLogger();
  const informer = new HandInformer().sync();
  const runContexts = new RunContexts();
  const controller = new Controller({
    name: 'podset',
    sources: [
      new KindSource({
        label: 'PodSetController @For(PodSet)',
        handler: forObject(),
        primary: true,
        informer,
        ...source,
      }),
    ],
    random: () => 0,
    runContext: runContexts,
    kind: PodSetKind,
    ...config,
    clock,
    logger,
    reconciler: { reconcile },
  });
  if (start) controller.start();
  return {
    clock,
    logger,
    informer,
    controller,
    runContexts,
    settle: () => clock.settle(),
    async [Symbol.asyncDispose]() {
      const stopped = controller.stop(new Error('the test is over'));
      controller.abort(new Error('the test is over'));
      // A run that a test left hanging is not waited for.
      await Promise.race([stopped, clock.settle()]);
    },
  };
}

export const keyed = (name: string): Request => ({ namespace: 'default', name });

/** Something to wait for until the test opens it. */
export const gate = (): { opened: Promise<void>; open: () => void } => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: () => resolve() };
};
