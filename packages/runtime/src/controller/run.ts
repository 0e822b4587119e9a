import { randomUUID } from 'node:crypto';
import type { Cause, Context, EnqueueOptions, Logger, Request } from '@kubewright/api';
import { requestKey } from '@kubewright/api';
import type { RunContext } from '../run-context.js';
import type { CauseRecord, WorkItem } from '../workqueue/contract.js';
import { Abortable } from './abortable.js';

/** What a run needs of its controller. */
export interface RunHost {
  readonly name: string;
  loggerFor(run: Run): Logger;
  fieldsFor(run: Run): Readonly<Record<string, unknown>>;
  enqueue(request: Request, options?: EnqueueOptions): boolean;
}

/** One call of `reconcile`. What a run rarely asks for is made when it asks. */
export class Run implements Context {
  readonly item: WorkItem;
  readonly attempt: number;
  readonly lastAttempt: boolean;
  readonly soft: Abortable = new Abortable();
  readonly hard: Abortable = new Abortable();
  /** Monotonic ms when the watchdog looks next. */
  checkAt: number = Infinity;
  timedOut = false;
  /** Its slot went to another key (C20). */
  lent = false;
  readonly #host: RunHost;
  #reconcileId: string | undefined;
  #logger: Logger | undefined;
  #causes: readonly Cause[] | undefined;

  constructor(host: RunHost, item: WorkItem, tries: { attempt: number; lastAttempt: boolean }) {
    this.#host = host;
    this.item = item;
    this.attempt = tries.attempt;
    this.lastAttempt = tries.lastAttempt;
  }

  get signal(): AbortSignal {
    return this.soft.signal;
  }

  get reconcileId(): string {
    this.#reconcileId ??= randomUUID();
    return this.#reconcileId;
  }

  get logger(): Logger {
    this.#logger ??= this.#host.loggerFor(this);
    return this.#logger;
  }

  get causes(): readonly Cause[] {
    this.#causes ??= this.item.causes.map((record) => causeOf(record, this.item.key));
    return this.#causes;
  }

  get causesDropped(): number {
    return this.item.causesDropped;
  }

  enqueue(request: Request, options?: EnqueueOptions): void {
    this.#host.enqueue(request, options);
  }

  /** What clients and loggers below this run see of it (L18). */
  context(): RunContext {
    return new OwnContext(this, this.#host);
  }

  /** Aborts the run and the calls it makes. */
  abort(reason: Error): void {
    this.hard.abort(reason);
    this.soft.abort(reason);
  }
}

class OwnContext implements RunContext {
  readonly #run: Run;
  readonly #host: RunHost;

  constructor(run: Run, host: RunHost) {
    this.#run = run;
    this.#host = host;
  }

  get controllerName(): string {
    return this.#host.name;
  }

  get signal(): AbortSignal {
    return this.#run.hard.signal;
  }

  get loggerFields(): Readonly<Record<string, unknown>> {
    return this.#host.fieldsFor(this.#run);
  }
}

/** What a run is told of why it happens. */
export function causeOf({ type, kind, object, at }: CauseRecord, key: string): Cause {
  const { name, namespace, resourceVersion } = object?.metadata ?? {};
  return {
    type,
    ...(kind !== undefined && { kind }),
    key: name === undefined ? key : requestKey(namespace === undefined ? { name } : { namespace, name }),
    ...(resourceVersion !== undefined && { resourceVersion }),
    at,
  };
}
