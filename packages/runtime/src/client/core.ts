import {
  type Clock,
  isKubewrightError,
  isNotFound,
  type KindInfo,
  type Logger,
  type StoredObject,
} from '@kubewright/api';
import { listPage } from '../cache/paged-list.js';
import type { SharedCache } from '../cache/shared-cache.js';
import type { RunContexts } from '../run-context.js';
import { apiError, type CallSubject, statusOf, subjectText } from '../transport/api-errors.js';
import type { HttpMethod, RetryPolicy, Transport, TransportResponse } from '../transport/contract.js';
import { resourcePath } from '../transport/url.js';
import { ApplyMemory } from './apply-memory.js';
import { Barriers } from './barriers.js';
import { CachedReads } from './cached-reads.js';
import { isLastState } from './deletion.js';
import { clientErrors } from './errors.js';
import { Fights } from './fights.js';
import type { KindRegistry } from './kind-registry.js';
import { LiveListHint } from './live-list-hint.js';
import { clientDefaults as defaults } from './defaults.js';

export interface KubeClientOptions {
  readonly transport: Transport;
  readonly kinds: KindRegistry;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Without it every read is live. */
  readonly cache?: SharedCache;
  /** First part of the default field manager (L11). Default `kubewright`. */
  readonly operatorName?: string;
  /** Where calls find the run they are part of (L18). */
  readonly runContexts?: RunContexts;
  /** 0 ≤ random() < 1; spreads what `edit` waits. Default Math.random. */
  readonly random?: () => number;
}

/** One call to the server, described by what it is about. */
export interface Call {
  readonly kind: KindInfo;
  readonly namespace: string | undefined;
  readonly subject: CallSubject;
  readonly method: HttpMethod;
  readonly path: string;
  readonly body?: string;
  readonly contentType?: string;
  readonly accept?: string;
  readonly retry: RetryPolicy;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Kinds whose server messages may quote secret values (T24). */
const REDACTED: ReadonlySet<string> = new Set(['Secret', 'TokenRequest']);

/** What a client and all clients derived from it share: sends calls, makes errors, tells the cache what came of writes. */
export class ClientCore {
  readonly kinds: KindRegistry;
  readonly clock: Clock;
  readonly cache: SharedCache | undefined;
  readonly cached: CachedReads | undefined;
  readonly liveLists: LiveListHint;
  readonly fights: Fights;
  readonly applied: ApplyMemory;
  readonly random: () => number;
  private readonly barriers: Barriers;
  private readonly operatorName: string;

  constructor(private readonly options: KubeClientOptions) {
    const { cache, clock, kinds, operatorName = 'kubewright' } = options;
    this.kinds = kinds;
    this.clock = clock;
    this.cache = cache;
    this.operatorName = operatorName;
    this.random = options.random ?? Math.random;
    this.applied = new ApplyMemory(this);
    this.fights = new Fights(clock, () => this.logger);
    this.barriers = new Barriers(clock, (kind, namespace) => this.liveVersion(kind, namespace));
    this.liveLists = new LiveListHint(clock, () => this.logger);
    this.cached = cache && new CachedReads(cache, clock, this.barriers);
  }

  /** The answer of a successful call; anything else is thrown. */
  async send(call: Call): Promise<TransportResponse> {
    const { kind, namespace, subject, method } = call;
    const isWrite = method !== 'GET';
    let response: TransportResponse;
    try {
      response = await this.options.transport.send({ ...call, what: subjectText(subject), signal: this.signal(call) });
    } catch (error) {
      if (isWrite && isKubewrightError(error, 'KW_TRANSPORT_UNKNOWN_OUTCOME')) this.barriers.raise(kind, namespace);
      throw error;
    }
    if (response.status < 300) return response;
    if (isWrite && isUnclear(response)) this.barriers.raise(kind, namespace);
    if (response.status === 404 && !namesAnObject(response))
      throw clientErrors.kindNotServed(kind, subjectText(subject));
    throw apiError(response, subject, this.clock.now());
  }

  /** The object of an answer, which the cache learns, too, unless told not to (L35, L40). */
  object({ kind, namespace }: Call, { body }: TransportResponse, remember: boolean): StoredObject {
    const object = JSON.parse(body) as StoredObject;
    const { name, uid } = object.metadata ?? {};
    if (!remember || !this.cache) return object;
    // Who takes the last finalizer off gets the object once more, though it is gone.
    if (isLastState(kind, object)) this.cache.forget(kind, { namespace, name, uid });
    else this.cache.remember(kind, namespace, body);
    return object;
  }

  /** One page of a list; without limit, what the server gives. */
  listPage(
    call: Omit<Call, 'body' | 'method' | 'retry'> & { readonly query: Readonly<Record<string, string | undefined>> },
    limit: number | undefined,
    token: string | undefined,
  ): ReturnType<typeof listPage> {
    const { path, query, subject, timeoutMs, accept } = call;
    const { transport, clock } = this.options;
    const what = subjectText(subject);
    const signal = this.signal(call);
    return listPage(
      { transport, path, query, accept, subject, what, signal, timeoutMs, retry: 'safe', now: () => clock.now() },
      limit,
      token,
    ).catch((error: unknown) => {
      throw isNotFound(error) ? clientErrors.kindNotServed(call.kind, what) : error;
    });
  }

  /** What a call about `kind` is called in messages. */
  subject(verb: string, kind: KindInfo, key: string | undefined): CallSubject {
    return { verb, kind: kind.kind, key, redact: REDACTED.has(kind.kind) };
  }

  /** `<operator>-<controller>` in a run, else `<operator>`, so that two controllers never drop each other's fields (L11). */
  get fieldManager(): string {
    const run = this.options.runContexts?.current();
    return (run ? `${this.operatorName}-${run.controllerName}` : this.operatorName).slice(
      0,
      defaults.fieldManagerLength,
    );
  }

  /** A call without a signal of its own ends with the run it is part of (L18). */
  signal({ signal }: { readonly signal?: AbortSignal | undefined }): AbortSignal | undefined {
    return signal ?? this.options.runContexts?.current()?.signal;
  }

  /** Logs with the keys of the run that the caller is part of (L18). */
  get logger(): Logger {
    const run = this.options.runContexts?.current();
    return run ? this.options.logger.child({ ...run.loggerFields }) : this.options.logger;
  }

  /** Reads of the kind and namespace are live for a while (L44). */
  raiseBarrier(kind: KindInfo, namespace: string | undefined): void {
    this.barriers.raise(kind, namespace);
  }

  private async liveVersion(kind: KindInfo, namespace: string | undefined): Promise<string> {
    const path = resourcePath({ kind, namespace });
    const page = await this.listPage(
      { kind, namespace, path, query: {}, subject: this.subject('list', kind, undefined) },
      1,
      undefined,
    );
    return page.metadata.resourceVersion;
  }
}

/** The server may have done it all the same (L44). */
function isUnclear({ status, body }: TransportResponse): boolean {
  return status === 502 || status === 504 || (status >= 500 && statusOf(body) === undefined);
}

/** A 404 that names no object is about the kind: it is not served (L4). */
function namesAnObject({ body }: TransportResponse): boolean {
  const name = statusOf(body)?.details?.name;
  return name !== undefined && name !== '';
}
