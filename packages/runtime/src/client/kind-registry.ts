import {
  apiVersionOf,
  builtinKind,
  builtinKindOfClass,
  type Clock,
  gvkKey,
  type KindInfo,
  type KindRef,
  type KindToken,
} from '@kubewright/api';
import { apiError } from '../transport/api-errors.js';
import type { Transport } from '../transport/contract.js';
import { groupVersionPath } from '../transport/url.js';
import { clientErrors } from './errors.js';
import { clientDefaults as defaults } from './defaults.js';

export interface KindRegistryOptions {
  /** Knows resource classes, and tokens of kinds that have one. Built-in kinds need no answer. */
  readonly resolve?: (ref: KindRef<unknown>) => KindInfo | undefined;
  /** Without it, kinds whose plural is unknown cannot be found. */
  readonly transport?: Transport;
  readonly clock: Clock;
}

interface ApiResourceList {
  readonly resources?: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[];
}

/** Turns kind references into group, version, kind, plural and scope (L1). */
export class KindRegistry {
  private readonly byRef = new WeakMap<object, KindInfo>();
  private readonly byGvk = new Map<string, KindInfo>();
  private readonly misses = new Map<string, number>();
  private readonly reads = new Map<string, Promise<ApiResourceList>>();

  constructor(private readonly options: KindRegistryOptions) {}

  /** Makes a kind known, so that objects that only name it need no discovery. */
  register(info: KindInfo): void {
    this.byGvk.set(gvkKey(info), info);
  }

  /** What is known without asking the server. */
  known(ref: KindRef<unknown>): KindInfo | undefined {
    const cached = this.byRef.get(ref);
    if (cached) return cached;
    const info =
      this.options.resolve?.(ref) ?? (typeof ref === 'function' ? builtinKindOfClass(ref) : this.ofToken(ref));
    if (!info) return undefined;
    this.byRef.set(ref, info);
    if (!this.byGvk.has(gvkKey(info))) this.register(info);
    return info;
  }

  /** As {@link known}; an unknown plural costs one read of that group-version. */
  async find(ref: KindRef<unknown>, what: string): Promise<KindInfo> {
    const known = this.known(ref);
    if (known) return known;
    if (typeof ref === 'function') throw clientErrors.kindUnknown(`class ${ref.name}`);
    const info = await this.discover(ref, what);
    this.byRef.set(ref, info);
    this.register(info);
    return info;
  }

  /** Whether the server serves the status of a kind; asked anew, for messages. */
  async servesStatus(info: KindInfo): Promise<boolean> {
    const { transport } = this.options;
    if (!transport) return true;
    const { resources = [] } = await this.read(transport, groupVersionPath(info));
    return resources.some(({ name }) => name === `${info.plural}/status`);
  }

  private ofToken(token: KindToken<unknown>): KindInfo | undefined {
    const { group, version, kind, plural, scope, hasStatus } = token;
    if (plural !== undefined && scope !== undefined)
      return { group, version, kind, plural, scope, ...(hasStatus !== undefined && { hasStatus }) };
    return this.byGvk.get(gvkKey(token)) ?? builtinKind(token);
  }

  private async discover(token: KindToken<unknown>, what: string): Promise<KindInfo> {
    const { transport, clock } = this.options;
    const key = gvkKey(token);
    const missed = this.misses.get(key);
    if (!transport || (missed !== undefined && clock.monotonic() - missed < defaults.missRemembered))
      throw clientErrors.kindNotServed(token, what);
    const path = groupVersionPath(token);
    let read = this.reads.get(path);
    if (!read) {
      read = this.read(transport, path).finally(() => this.reads.delete(path));
      this.reads.set(path, read);
    }
    const { resources = [] } = await read;
    const found = resources.find(({ name, kind }) => kind === token.kind && !name.includes('/'));
    if (!found) {
      this.misses.set(key, clock.monotonic());
      throw clientErrors.kindNotServed(token, what);
    }
    this.misses.delete(key);
    return {
      group: token.group,
      version: token.version,
      kind: token.kind,
      plural: found.name,
      scope: found.namespaced ? 'Namespaced' : 'Cluster',
      hasStatus: resources.some(({ name }) => name === `${found.name}/status`),
    };
  }

  private async read(transport: Transport, path: string): Promise<ApiResourceList> {
    const response = await transport.send({ method: 'GET', path, retry: 'safe', what: `discover ${path}` });
    if (response.status === 404) return {};
    if (response.status !== 200) throw apiError(response, { verb: 'discover', kind: path }, this.options.clock.now());
    return JSON.parse(response.body) as ApiResourceList;
  }
}

/** Whether a call names a kind rather than an object. */
export function isKindRef(value: unknown): value is KindRef<unknown> {
  if (typeof value === 'function') return true;
  return (
    typeof value === 'object' && value !== null && 'group' in value && 'version' in value && !('metadata' in value)
  );
}

/** The GVK that an object states, for messages. */
export function statedKind(object: { readonly apiVersion?: string; readonly kind?: string }): string {
  return `${object.apiVersion ?? '(no apiVersion)'} ${object.kind ?? '(no kind)'}`;
}

/** `app.example.com/v1 PodSet`. */
export function kindText(info: KindInfo): string {
  return `${apiVersionOf(info)} ${info.kind}`;
}
