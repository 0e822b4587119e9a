import { negotiate, patchType } from '../codec/negotiate.js';
import type { Representation } from '../codec/negotiate.js';
import { failure } from '../core/errors.js';
import type {
  Clock,
  DeleteResult,
  ListOptions,
  ObjectService,
  ResourceDef,
  ResourceVersion,
  Target,
} from '../core/types.js';
import { readDeleteOptions, readObject, readPatch } from './body.js';
import type { Exchange } from './exchange.js';
import { ListPieces } from './list-pieces.js';
import { deleteOptions, getOptions, listOptions, watchOptions, writeOptions } from './query.js';
import { checkListForm, sendList, sendObject } from './respond.js';
import type { Answer } from './respond.js';
import { includeObject, SCALE_COLUMNS } from './table.js';
import { WatchStream } from './watch-stream.js';
import type { WatchEncoder } from './watch-stream.js';

/** A resource of the registry that a path names, at the version of the path. */
export interface Endpoint {
  readonly resource: ResourceDef;
  readonly version: ResourceVersion;
}

/** HTTP methods of resources → calls of the object service. */
export class Rest {
  readonly #objects: ObjectService;
  readonly #clock: Clock;
  readonly #encoder: WatchEncoder;
  readonly #pieces = new ListPieces();

  constructor(objects: ObjectService, clock: Clock, encoder: WatchEncoder) {
    this.#objects = objects;
    this.#clock = clock;
    this.#encoder = encoder;
  }

  async get(x: Exchange, at: Endpoint): Promise<void> {
    const form = this.#form(x, at);
    const object = await this.#objects.get(target(x, at), getOptions(x));
    return sendObject(x, 200, object, this.#answer(x, at, form));
  }

  async list(x: Exchange, at: Endpoint): Promise<void> {
    const form = this.#form(x, at, true);
    checkListForm(x, { resource: at.resource, form });
    const list = await this.#objects.list(target(x, at), listOptions(x));
    return sendList(x, list, this.#answer(x, at, form));
  }

  async watch(x: Exchange, at: Endpoint): Promise<void> {
    const form = this.#form(x, at, true);
    const as = form.as === 'PartialObjectMetadataList' ? 'PartialObjectMetadata' : form.as;
    const include = as === 'Table' ? includeObject(x) : 'Metadata';
    const stream = new WatchStream(x, this.#encoder, { as, metaVersion: form.asVersion, include, version: at.version });
    const where = { ...target(x, at), name: undefined };
    // The old watch prefix names an object in the path; it is a selector by name.
    const options = watchOptions(x);
    if (x.info.name !== undefined) options.fieldSelector = `metadata.name=${x.info.name}`;
    stream.start(await this.#objects.watch(where, options, stream));
  }

  async create(x: Exchange, at: Endpoint): Promise<void> {
    const form = this.#form(x, at);
    const options = writeOptions(x, 'CreateOptions');
    const body = await readObject(x, at.resource, options.fieldValidation === 'Strict');
    // A POST to an object's own path creates; the name of the URL counts for nothing (TR-8).
    const where = { ...target(x, at), name: undefined };
    const { object } = await this.#objects.create(where, body, options);
    return sendObject(x, 201, object, this.#answer(x, at, form));
  }

  async update(x: Exchange, at: Endpoint): Promise<void> {
    const form = this.#form(x, at);
    const options = writeOptions(x, 'UpdateOptions');
    const body = await readObject(x, expected(x, at), options.fieldValidation === 'Strict');
    const { object, created } = await this.#objects.update(target(x, at), body, options);
    return sendObject(x, created ? 201 : 200, object, this.#answer(x, at, form));
  }

  async patch(x: Exchange, at: Endpoint): Promise<void> {
    const type = patchType(x.header('content-type'), at.resource.custom);
    const form = this.#form(x, at);
    const { force, ...options } = writeOptions(x, 'PatchOptions', type);
    const body = await readPatch(x, type, options.fieldValidation === 'Strict');
    const { object, created } = await this.#objects.patch(target(x, at), { type, body, force }, options);
    return sendObject(x, created ? 201 : 200, object, this.#answer(x, at, form));
  }

  async delete(x: Exchange, at: Endpoint): Promise<void> {
    const form = this.#form(x, at);
    const options = deleteOptions(x, await readDeleteOptions(x));
    const result = await this.#objects.delete(target(x, at), options);
    const answer = this.#answer(x, at, form);
    // ER-30
    if (result.gone && at.resource.traits.deleteAnswer === 'status') return x.json(200, deleted(at.resource, result));
    const code = !result.gone && options.orphanDependents === false ? 202 : 200;
    return sendObject(x, code, result.object, answer);
  }

  async deleteCollection(x: Exchange, at: Endpoint): Promise<void> {
    const form = this.#form(x, at);
    const options = deleteOptions(x, await readDeleteOptions(x));
    const select: ListOptions = listOptions(x);
    const list = await this.#objects.deleteCollection(target(x, at), { ...select, ...options });
    return sendList(x, list, this.#answer(x, at, form));
  }

  #form(x: Exchange, at: Endpoint, list = false): Representation {
    return negotiate(x.accept, at.resource.custom ? 'custom' : list ? 'builtin-list' : 'builtin');
  }

  #answer(x: Exchange, at: Endpoint, form: Representation): Answer {
    const columns = at.resource.custom ? SCALE_COLUMNS : [];
    const version = x.info.subresource === 'scale' ? { ...at.version, columns } : at.version;
    return { resource: at.resource, version, form, clock: this.#clock, pieces: this.#pieces };
  }
}

/** What a path addresses, in the words of the object service. */
export function target(x: Exchange, at: Endpoint): Target {
  const { namespace, name, subresource } = x.info;
  return {
    resource: at.resource,
    version: at.version.name,
    ...(at.resource.namespaced && namespace !== undefined ? { namespace } : {}),
    ...(name === undefined ? {} : { name }),
    ...(subresource === undefined ? {} : { subresource }),
  };
}

const expected = (x: Exchange, at: Endpoint): { kind: string; custom: boolean } =>
  x.info.subresource === 'scale' ? { kind: 'Scale', custom: false } : at.resource;

function deleted(resource: ResourceDef, result: DeleteResult): unknown {
  const { name, uid } = result.object.metadata;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name, ...(resource.group ? { group: resource.group } : {}), kind: resource.plural, uid },
  };
}

/** A method that the server has not (TR-6). */
export const methodNotAllowed = (): Error =>
  failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {});

/** A path below a built-in group that names nothing (TR-6). */
export const unknownResource = (): Error =>
  failure(404, 'NotFound', 'the server could not find the requested resource', {});
