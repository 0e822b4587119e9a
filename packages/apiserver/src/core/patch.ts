import { createObject } from './create.js';
import { decodePatched } from './decoding.js';
import { badRequest, conflict, invalid, invalidValue, notFound } from './errors.js';
import { jsonCopy } from './json.js';
import { keyOf } from './registry.js';
import { checkIdentity, updateObject } from './update.js';
import type { Change } from './update.js';
import type { Write } from './write.js';
import type { Body, JsonObject, KubeObject, PatchType, WriteResult } from './types.js';

export interface PatchRequest {
  type: PatchType;
  body: Body;
  force?: boolean | undefined;
}

/** PATCH of an object or of its status (PI-3). */
export async function patch(write: Write, request: PatchRequest): Promise<WriteResult> {
  checkPatchOptions(write, request);
  return request.type === 'apply' ? apply(write, request) : change(write, request.type, request.body);
}

/** QP-11, QP-13 */
export function checkPatchOptions(write: Write, request: PatchRequest): void {
  const options = { group: 'meta.k8s.io', kind: 'PatchOptions' };
  if (request.type === 'apply') {
    if (write.options.fieldManager) return;
    const message = 'Required value: is required for apply patch';
    throw invalid(options, '', [{ type: 'FieldValueRequired', field: 'fieldManager', message }]);
  }
  if (request.force !== undefined) {
    const message = 'Forbidden: may not be specified for non-apply patch';
    throw invalid(options, '', [{ type: 'FieldValueForbidden', field: 'force', message }]);
  }
}

async function change(write: Write, type: Exclude<PatchType, 'apply'>, body: Body): Promise<WriteResult> {
  const { strategy } = write.target.resource;
  return updateObject(write, {
    kind: 'patch',
    change(live) {
      const patched = write.core.patches.patch(type, live, body.value, strategy.typing(write.version));
      checkVersionKept(write, patched);
      const next = decodePatched(write.decoder, jsonCopy(patched), { problems: body.problems, call: write.options });
      checkIdentity(write, next.metadata);
      return { next, managed: false };
    },
  });
}

/** A patch cannot make an object one of another version. */
function checkVersionKept(write: Write, patched: JsonObject): void {
  const { resource, name = '' } = write.target;
  const { apiVersion } = patched;
  if (!resource.custom || typeof apiVersion !== 'string' || apiVersion === write.apiVersion) return;
  throw invalid(resource, name, [invalidValue('apiVersion', apiVersion, `must be ${write.apiVersion}`)]);
}

async function apply(write: Write, request: PatchRequest): Promise<WriteResult> {
  const { core, target } = write;
  const applied = request.body.value as JsonObject;
  const metadata = (applied['metadata'] ?? {}) as JsonObject;
  warnOrRefuse(write, request.body.problems);
  const live = core.store.get(write.storage, keyOf(target.resource, target.namespace, target.name ?? ''));
  if (live || target.subresource !== undefined) {
    if (!live) throw notFound(target.resource, target.name ?? '');
    return updateObject(write, { kind: 'patch', change: (current) => applyPatch(write, request, current) });
  }
  const merged = mergeApplied(write, request, undefined);
  if (typeof metadata['uid'] === 'string' && metadata['uid'] !== '') {
    const why = `uid mismatch: the provided object specified uid ${metadata['uid']}, and no existing object was found`;
    throw conflict(target.resource, target.name ?? '', why);
  }
  if (!metadata['name']) {
    throw badRequest(
      `the name of the object (${target.name ?? ''} based on URL) was undeterminable: name must be provided`,
    );
  }
  checkIdentity(write, merged.metadata);
  return createObject(write, merged, { managed: true });
}

/** What an apply makes of the live object. */
export function applyPatch(write: Write, request: PatchRequest, live: KubeObject): Change {
  const next = mergeApplied(write, request, live);
  checkIdentity(write, next.metadata);
  return { next, managed: true };
}

function mergeApplied(write: Write, request: PatchRequest, live: KubeObject | undefined): KubeObject {
  const { resource, version, subresource } = write.target;
  const merged = write.core.applies.apply({
    live,
    patch: request.body.value as JsonObject,
    manager: write.manager,
    force: request.force ?? false,
    subresource,
    apiVersion: write.apiVersion,
    typing: resource.strategy.typing(write.version),
    time: write.time,
    gvk: { group: resource.group, version, kind: resource.kind },
    reset: write.reset,
    custom: resource.custom,
  });
  return decodePatched(write.decoder, jsonCopy(merged) as unknown as JsonObject, { call: write.options });
}

/** Keys that stand twice in the text of an applied object (SA-11). */
function warnOrRefuse(write: Write, problems: readonly string[] | undefined): void {
  if (!problems?.length) return;
  switch (write.options.fieldValidation ?? 'Warn') {
    case 'Ignore':
      return;
    case 'Warn':
      for (const problem of problems) write.context.warn(problem);
      return;
    case 'Strict':
      throw badRequest(
        `error strict decoding patch: error converting YAML to JSON: yaml: unmarshal errors:\n  ${problems.join('\n  ')}`,
      );
  }
}
