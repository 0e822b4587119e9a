import { badRequest, invalidValue } from '../core/errors.js';
import type { Decoded, JsonObject, JsonValue, KubeObject, SchemaSource } from '../core/types.js';
import { fillDefaults } from '../schema/defaults.js';
import { MetadataError, readMetadata } from '../schema/metadata.js';
import { pruneInPlace } from '../schema/prune.js';

export interface CustomIdentity {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/**
 * Reads a body as a custom resource (CR-6): kind and apiVersion, metadata, pruning, nulls, defaults. Changes `body`. A body
 * of another kind keeps its fields: validation then says what is wrong (ER-21).
 */
export function decodeCustom(body: JsonObject, as: CustomIdentity, source: SchemaSource): Decoded {
  const kind = textOf(body, 'kind', as);
  if (!kind) throw unrecognized(body, as, `Object 'Kind' is missing in '${JSON.stringify(body)}'`);
  const apiVersion = textOf(body, 'apiVersion', as);
  const expected = `${as.group}/${as.version}`;
  if (apiVersion !== expected) {
    const text = `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`;
    throw badRequest(text);
  }
  const unknown: string[] = [];
  readInPlace(body, as, 'metadata', unknown);
  const problems = kind === as.kind ? [...unknown, ...pruneCustom(body, as, source)] : unknown;
  if (kind === as.kind) fillDefaults(source, body);
  return { object: body as unknown as KubeObject, problems: problems.map((path) => `unknown field "${path}"`) };
}

/** Prunes without looking at the metadata of the root; answers the paths of removed fields. */
export function pruneCustom(object: JsonObject, as: CustomIdentity, source: SchemaSource): string[] {
  const unknown: string[] = [];
  const embedded: string[] = [];
  pruneInPlace(source, object, {
    unknown,
    metadata: (holder, path) => {
      if (path) readInPlace(holder, as, `${path}.metadata`, embedded);
    },
  });
  return [...unknown, ...embedded.sort()];
}

function readInPlace(holder: JsonObject, as: CustomIdentity, path: string, unknown: string[]): void {
  const value = holder.metadata;
  if (value === undefined) return;
  try {
    const metadata = readMetadata(value, path, unknown);
    if (path !== 'metadata') delete metadata.creationTimestamp;
    holder.metadata = metadata;
  } catch (error) {
    if (!(error instanceof MetadataError)) throw error;
    throw cannotHandle(
      as,
      path === 'metadata' ? error.message : `${path}: ${invalidValue(path, value, error.message).message}`,
    );
  }
}

function textOf(body: JsonObject, key: string, as: CustomIdentity): string {
  const value = body[key];
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  const word = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  const why = `couldn't get version/kind; json parse error: json: cannot unmarshal ${word} into Go struct field TypeMeta.${key} of type string`;
  throw unrecognized(body, as, why);
}

const bodyShown = 30;

function unrecognized(body: JsonValue, as: CustomIdentity, why: string): Error {
  const text = JSON.stringify(body);
  const shown = text.length > bodyShown ? `${text.slice(0, bodyShown)} ...` : text;
  return badRequest(`the object provided is unrecognized (must be of type ${as.kind}): ${why} (${shown})`);
}

function cannotHandle(as: CustomIdentity, why: string): Error {
  return badRequest(`${as.kind} in version ${JSON.stringify(as.version)} cannot be handled as a ${as.kind}: ${why}`);
}
