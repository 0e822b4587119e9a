import type { CallOptions, FieldSelector, LabelSelector, ObjectTarget, PatchOptions, WriteOptions } from './client.js';
import type { StoredObject } from './object.js';

export interface DeleteAllOfOptions extends CallOptions {
  /** Needed for namespaced kinds, unless the client is bound to one. */
  readonly namespace?: string;
  readonly labels?: LabelSelector;
  readonly fields?: FieldSelector;
  /** True: no selector is meant. Default false. */
  readonly all?: boolean;
  readonly dryRun?: boolean;
  /** Default `Background`. */
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
}

/** `autoscaling/v1` Scale. */
export interface Scale extends StoredObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly replicas: number; readonly selector?: string };
}

/** The scale subresource of one object. */
export interface ScaleClient {
  get(options?: CallOptions): Promise<Scale>;
  set(replicas: number, options?: WriteOptions): Promise<Scale>;
}

export interface EvictOptions extends CallOptions {
  readonly dryRun?: boolean;
  readonly gracePeriodSeconds?: number;
}

export interface TokenOptions extends CallOptions {
  /** Default: the API server's own. */
  readonly audiences?: readonly string[];
  /** At least 600. Default 3600. */
  readonly expirationSeconds?: number;
  /** The token is void when this Pod, Secret or Node is gone. */
  readonly boundTo?: ObjectTarget;
}

/** A token as the server issued it. */
export interface IssuedToken {
  readonly token: string;
  /** RFC 3339. */
  readonly expirationTimestamp: string;
}

/** One subresource of one object; bodies and answers are what it takes and gives. */
export interface SubresourceClient {
  get<R = unknown>(options?: CallOptions): Promise<R>;
  create<R = unknown>(body: object, options?: WriteOptions): Promise<R>;
  update<R = unknown>(body: object, options?: WriteOptions): Promise<R>;
  patch<R = unknown>(body: object, options?: PatchOptions): Promise<R>;
}
