import { setImmediate } from 'node:timers/promises';
import type { Representation } from '../codec/negotiate.js';
import { failure } from '../core/errors.js';
import type { Clock, JsonObject, KubeObject, ListResult, ResourceDef, ResourceVersion } from '../core/types.js';
import type { Exchange } from './exchange.js';
import type { ListPieces } from './list-pieces.js';
import { goType, includeObject, partial, table } from './table.js';

/** What the answer is about, and in which form the client wants it. */
export interface Answer {
  readonly resource: ResourceDef;
  readonly version: ResourceVersion;
  readonly form: Representation;
  readonly clock: Clock;
  readonly pieces: ListPieces;
}

/** Longer lists are written piece by piece, so that the first bytes leave at once (PF-7). */
const STREAM_FROM = 500;
const PIECE = 250;

async function write(x: Exchange, code: number, value: unknown, answer: Answer): Promise<void> {
  if (answer.form.format === 'json') return x.json(code, value);
  const { writeYaml } = await import('../codec/yaml.js');
  return x.send(code, writeYaml(value), { 'Content-Type': 'application/yaml' });
}

const notAcceptable = (message: string): Error => failure(406, 'NotAcceptable', message);

/** Answers one object as itself, as a Table of one row or as its metadata alone. */
export function sendObject(x: Exchange, code: number, object: KubeObject, answer: Answer): Promise<void> {
  const { as, asVersion } = answer.form;
  if (as === undefined) return write(x, code, object, answer);
  if (as === 'PartialObjectMetadata') return write(x, code, partial(object, asVersion), answer);
  if (as === 'PartialObjectMetadataList') {
    throw notAcceptable(
      `you requested PartialObjectMetadataList, but the requested object is not a list (${goType(answer.resource, false)})`,
    );
  }
  const metadata: JsonObject = { resourceVersion: object.metadata.resourceVersion ?? '' };
  return write(x, code, table([object], answer.version, { ...tableOptions(x, answer), metadata }), answer);
}

function tableOptions(x: Exchange, answer: Answer) {
  return { include: includeObject(x), metaVersion: answer.form.asVersion, now: answer.clock.now(), definitions: true };
}

function listMeta(list: Partial<ListResult>): JsonObject {
  return {
    resourceVersion: list.resourceVersion ?? '',
    ...(list.continue ? { continue: list.continue } : {}),
    ...(list.remainingItemCount === undefined ? {} : { remainingItemCount: list.remainingItemCount }),
  };
}

/** Refuses a form a list cannot take; called before the list is read. */
export function checkListForm(x: Exchange, answer: Pick<Answer, 'resource' | 'form'>): void {
  if (answer.form.as === 'PartialObjectMetadata') {
    throw notAcceptable(
      `you requested PartialObjectMetadata, but the requested object is a list (${goType(answer.resource, true)})`,
    );
  }
  if (answer.form.as === 'Table') includeObject(x);
}

/** Answers a list. */
export function sendList(x: Exchange, list: ListResult, answer: Answer): Promise<void> {
  const { as, asVersion } = answer.form;
  const metadata = listMeta(list);
  if (as === 'Table') {
    return write(x, 200, table(list.items, answer.version, { ...tableOptions(x, answer), metadata }), answer);
  }
  const { resource } = answer;
  const head: JsonObject = as
    ? { kind: as, apiVersion: `meta.k8s.io/${asVersion}`, metadata }
    : { kind: resource.listKind, apiVersion: apiVersion(answer), metadata };
  const whole = resource.custom ? (o: KubeObject): JsonObject => o as JsonObject : withoutKind;
  const item = as ? (o: KubeObject): JsonObject => partial(o, asVersion) : whole;
  if (list.items.length < STREAM_FROM || answer.form.format === 'yaml' || x.pretty) {
    return write(x, 200, { ...head, items: list.items.map(item) }, answer);
  }
  const encode = as
    ? (objects: readonly KubeObject[]): string => objects.map((o) => JSON.stringify(item(o))).join(',')
    : (objects: readonly KubeObject[]): Buffer => answer.pieces.encode(objects, item);
  return stream(x, head, { items: list.items, encode });
}

/** Items of a typed list carry neither kind nor apiVersion, as on a real server. */
function withoutKind(object: KubeObject): JsonObject {
  const { kind: _kind, apiVersion: _version, ...rest } = object;
  return rest as JsonObject;
}

async function stream(
  x: Exchange,
  head: JsonObject,
  list: { items: readonly KubeObject[]; encode: (objects: readonly KubeObject[]) => string | Buffer },
): Promise<void> {
  const { response } = x;
  x.head(200, { 'Content-Type': 'application/json' });
  response.write(`${JSON.stringify(head).slice(0, -1)},"items":[`);
  for (let at = 0; at < list.items.length; at += PIECE) {
    if (at > 0) response.write(',');
    const full = !response.write(list.encode(list.items.slice(at, at + PIECE)));
    if (response.destroyed) return;
    // Other requests get their turn; a slow reader is waited for.
    if (full) await new Promise<void>((resolve) => drained(response, resolve));
    else await setImmediate();
  }
  response.end(']}\n');
}

function drained(response: Exchange['response'], done: () => void): void {
  const finish = (): void => {
    response.off('drain', finish);
    response.off('close', finish);
    done();
  };
  response.once('drain', finish);
  response.once('close', finish);
}

const apiVersion = (answer: Pick<Answer, 'resource' | 'version'>): string =>
  answer.resource.group ? `${answer.resource.group}/${answer.version.name}` : answer.version.name;
