import {
  apiVersionOf,
  type CallOptions,
  type DeleteAllOfOptions,
  type EvictOptions,
  type IssuedToken,
  type KindInfo,
  type PatchOptions,
  type Scale,
  type ScaleClient,
  type StoredObject,
  type SubresourceClient,
  type TokenOptions,
  type WriteOptions,
} from '@kubewright/api';
import { withKind } from '../cache/intake.js';
import { encodeBody } from '../transport/encode.js';
import { resourcePath, withQuery } from '../transport/url.js';
import type { Call, ClientCore } from './core.js';
import { clientDefaults as defaults } from './defaults.js';
import { isHeld } from './deletion.js';
import { clientErrors } from './errors.js';
import type { Place } from './targets.js';
import { PATCH_TYPES, patchBody, writeQuery } from './writes.js';

interface Request {
  readonly verb: string;
  readonly method: Call['method'];
  readonly subresource: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly safe?: boolean;
  /** Named in messages in place of the object's kind; its values are kept out of them. */
  readonly kind?: string;
}

/** Calls a subresource and answers what it gave. */
async function call(core: ClientCore, place: Place, request: Request, options: WriteOptions): Promise<unknown> {
  const { kind, namespace, name, key } = place;
  const { verb, method, subresource, body, contentType, safe } = request;
  const subject = core.subject(verb, request.kind === undefined ? kind : { ...kind, kind: request.kind }, key);
  const sent: Call = {
    kind,
    namespace,
    subject,
    method,
    path: withQuery(
      resourcePath({ kind, namespace, name, subresource }),
      method === 'GET' ? {} : writeQuery(core, options),
    ),
    ...(body !== undefined && { body: encodeBody(body) }),
    ...(contentType !== undefined && { contentType }),
    retry: safe || options.dryRun ? 'safe' : 'unsafe',
    signal: options.signal,
    timeoutMs: options.timeoutMs,
  };
  const response = await core.send(sent);
  const answer = JSON.parse(response.body) as Partial<StoredObject>;
  const isParent = answer.kind === kind.kind && answer.apiVersion === apiVersionOf(kind);
  if (isParent && !options.dryRun && options.remember !== false) core.object(sent, response, true);
  return answer;
}

interface PlacedOptions {
  readonly core: ClientCore;
  /** Resolved when the first call is made, since a kind may have to be looked up. */
  readonly place: () => Promise<Place>;
  /** Options of the client itself, below those of the call. */
  readonly defaults: WriteOptions;
}

/** A subresource that has no calls of its own (L14). */
export class Subresource implements SubresourceClient {
  constructor(
    private readonly placed: PlacedOptions,
    private readonly subresource: string,
  ) {}

  get<R>(options: CallOptions = {}): Promise<R> {
    return this.call({ verb: 'get', method: 'GET', safe: true }, options);
  }

  create<R>(body: object, options: WriteOptions = {}): Promise<R> {
    return this.call({ verb: 'create', method: 'POST', body }, options);
  }

  update<R>(body: object, options: WriteOptions = {}): Promise<R> {
    return this.call({ verb: 'update', method: 'PUT', body }, options);
  }

  async patch<R>(body: object, options: PatchOptions = {}): Promise<R> {
    const checked = patchBody(await this.placed.place(), body, options);
    return this.call(
      { verb: 'patch', method: 'PATCH', body: checked, contentType: PATCH_TYPES[options.type ?? 'merge'] },
      options,
    );
  }

  private async call<R>(request: Omit<Request, 'subresource'>, options: WriteOptions): Promise<R> {
    const { core, place, defaults: own } = this.placed;
    const { verb, ...rest } = request;
    const { subresource } = this;
    const named = { ...rest, verb: `${verb} ${subresource} of`, subresource };
    return (await call(core, await place(), named, { ...own, ...options })) as R;
  }
}

/** {@link Client.scale}. */
export class ScaleWrites implements ScaleClient {
  private readonly scale: Subresource;

  constructor(private readonly placed: PlacedOptions) {
    this.scale = new Subresource(placed, 'scale');
  }

  get(options?: CallOptions): Promise<Scale> {
    return this.scale.get(options);
  }

  async set(replicas: number, options: WriteOptions = {}): Promise<Scale> {
    const { core, defaults: own } = this.placed;
    const scale = await this.scale.patch<Scale>({ spec: { replicas } }, options);
    const { dryRun, remember } = { ...own, ...options };
    // The parent was changed, and its new state is not in the answer (L41).
    if (!dryRun && remember !== false) core.cached?.hold(await this.placed.place(), scale.metadata.resourceVersion);
    return scale;
  }
}

/** {@link Client.evict}. */
export async function evict(core: ClientCore, place: Place, options: EvictOptions): Promise<void> {
  const { name, namespace, metadata } = place;
  const { gracePeriodSeconds, dryRun } = options;
  const body = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name, namespace },
    deleteOptions: {
      gracePeriodSeconds,
      preconditions: metadata.uid === undefined ? undefined : { uid: metadata.uid },
      dryRun: dryRun ? ['All'] : undefined,
    },
  };
  await call(core, place, { verb: 'evict', method: 'POST', subresource: 'eviction', body }, options);
}

/** {@link Client.token}. */
export async function token(core: ClientCore, place: Place, options: TokenOptions): Promise<IssuedToken> {
  const { audiences, expirationSeconds = defaults.tokenSeconds, boundTo } = options;
  if (!(expirationSeconds >= defaults.tokenSecondsMin)) throw clientErrors.tokenSeconds(place.what, expirationSeconds);
  const bound = boundTo && {
    apiVersion: boundTo.apiVersion,
    kind: boundTo.kind,
    name: boundTo.metadata?.name,
    uid: boundTo.metadata?.uid,
  };
  const spec = { audiences, expirationSeconds, boundObjectRef: bound };
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: {}, spec };
  const request = { verb: 'create', method: 'POST', subresource: 'token', body, kind: 'TokenRequest' } as const;
  const answer = (await call(core, place, request, options)) as { status: IssuedToken };
  return answer.status;
}

interface Selected {
  readonly kind: KindInfo;
  readonly namespace: string | undefined;
  readonly labels: string | undefined;
  readonly fields: string | undefined;
}

/** {@link Client.deleteAllOf}. */
export async function deleteAllOf(core: ClientCore, selected: Selected, options: DeleteAllOfOptions): Promise<void> {
  const { kind, namespace, labels, fields } = selected;
  const subject = core.subject('delete all of', kind, namespace === undefined ? undefined : `in ${namespace}`);
  const body = {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    propagationPolicy: options.propagationPolicy ?? 'Background',
    dryRun: options.dryRun ? ['All'] : undefined,
  };
  const response = await core.send({
    kind,
    namespace,
    subject,
    method: 'DELETE',
    path: withQuery(resourcePath({ kind, namespace }), { labelSelector: labels, fieldSelector: fields }),
    body: encodeBody(body),
    retry: options.dryRun ? 'safe' : 'unsafe',
    signal: options.signal,
    timeoutMs: options.timeoutMs,
  });
  if (options.dryRun) return;
  const answer = JSON.parse(response.body) as { readonly items?: readonly StoredObject[] };
  // A bare Status does not say what went (L41).
  if (!Array.isArray(answer.items)) return core.raiseBarrier(kind, namespace);
  for (const item of answer.items as readonly StoredObject[]) {
    const { name, namespace: where, uid } = item.metadata;
    if (isHeld(kind, item)) core.cache?.remember(kind, where, JSON.stringify(withKind(item, kind)));
    else core.cache?.forget(kind, { namespace: where, name, uid });
  }
}
