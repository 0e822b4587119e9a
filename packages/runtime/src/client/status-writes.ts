import {
  apiVersionOf,
  type ApplyOptions,
  isKubewrightError,
  isNotFound,
  type KindInfo,
  type StatusClient,
  type StatusPatchOptions,
  type StoredObject,
  type WriteOptions,
} from '@kubewright/api';
import type { ClientCore } from './core.js';
import { clientErrors } from './errors.js';
import { mergeChangesNothing, mutable } from './json.js';
import type { Place } from './targets.js';
import { apply, patch, updateStatus } from './writes.js';

interface StatusWritesOptions {
  readonly core: ClientCore;
  /** Resolved when the first call is made, since a kind may have to be looked up. */
  readonly place: () => Promise<Place>;
  /** Options of the client itself, below those of the call. */
  readonly defaults: WriteOptions;
}

/** Writes to the status subresource of one object (L14, L15). */
export class StatusWrites implements StatusClient<StoredObject> {
  constructor(private readonly options: StatusWritesOptions) {}

  async patch(status: object, options: StatusPatchOptions = {}): Promise<StoredObject> {
    const { core, defaults } = this.options;
    const place = await this.place();
    const body = { status };
    const newest = options.always ? undefined : core.cached?.peek(place.kind, place.namespace, place.name);
    const { uid } = place.metadata;
    if (newest && (uid === undefined || uid === newest.metadata.uid) && mergeChangesNothing(newest, body))
      return mutable(newest);
    return this.served(
      place.kind,
      place.what,
      patch(core, place, body, { ...defaults, ...options, subresource: 'status' }),
    );
  }

  async update(status: unknown, options: WriteOptions = {}): Promise<StoredObject> {
    const { core, defaults } = this.options;
    const place = await this.place();
    return this.served(place.kind, place.what, updateStatus(core, place, status, { ...defaults, ...options }));
  }

  async apply(status: unknown, options: ApplyOptions = {}): Promise<StoredObject> {
    const { core, defaults } = this.options;
    const place = await this.place();
    const { kind, name, namespace, what } = place;
    const metadata = { name, ...(namespace !== undefined && { namespace }) };
    const object = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, status };
    return this.served(kind, what, apply(core, place, object, { ...defaults, ...options, subresource: 'status' }));
  }

  private async place(): Promise<Place> {
    const place = await this.options.place();
    if (place.kind.hasStatus === false) throw clientErrors.noStatus(place.what, place.kind);
    return place;
  }

  /** A missing status subresource is answered like a missing object; where nothing is known of the kind, look. */
  private async served(kind: KindInfo, what: string, call: Promise<StoredObject>): Promise<StoredObject> {
    try {
      return await call;
    } catch (error) {
      const isUnclear = isNotFound(error) || isKubewrightError(error, 'KW_CLIENT_KIND_NOT_SERVED');
      if (!isUnclear || kind.hasStatus !== undefined) throw error;
      if (await this.options.core.kinds.servesStatus(kind)) throw error;
      throw clientErrors.noStatus(what, kind);
    }
  }
}
