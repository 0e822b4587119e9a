import { badRequest, failure } from '../core/errors.js';
import type {
  ApplyInput,
  ApplyPort,
  GroupVersionKind,
  JsonObject,
  KubeObject,
  ManagedFieldsEntry,
} from '../core/types.js';
import { checkApplied } from './check.js';
import { conflictError, conflictSet, otherConflicts } from './conflicts.js';
import { lastAppliedFields, refreshLastApplied } from './last-applied.js';
import { capManagers, decodeManagers, encodeManagers, identity, putManager, type Managers } from './managers.js';
import { jsonEqual } from '../core/json.js';
import { applyOwners, updateOwners, type Writer } from './update.js';
import { zeroObject } from './zero.js';

type TrackInput = Parameters<ApplyPort['track']>[0];

const json = (object: KubeObject): JsonObject => object as unknown as JsonObject;

/** Server-side apply and managed fields (SA-1 … SA-12). */
export const applyPort: ApplyPort = { apply, track };

function track(input: TrackInput): ManagedFieldsEntry[] | undefined {
  const { old, next, typing, custom } = input;
  const managers = startingManagers(input);
  // An object without managed fields gets none from updates until its first apply.
  if (managers.size === 0 && old) return undefined;
  const writer: Writer = {
    manager: {
      name: input.manager || 'unknown',
      operation: input.operation,
      apiVersion: input.apiVersion,
      subresource: input.subresource,
      time: input.time,
    },
    reset: input.reset ?? [],
  };
  const left = old ? withoutManagedFields(old) : custom ? {} : zeroObject(typing);
  updateOwners(typing, left, withoutManagedFields(next), { managers, writer });
  capManagers(managers);
  return encodeManagers(managers);
}

/** Those of the body when it has any (a client may edit them), else those of the live object. */
function startingManagers({ old, next, subresource, custom }: TrackInput): Managers {
  const live = (): Managers => (old && decodeManagers(old.metadata.managedFields)) || new Map();
  if (subresource) return live();
  const sent = next.metadata.managedFields;
  if (isReset(sent, custom === true)) return new Map();
  const managers = decodeManagers(sent);
  return managers && managers.size > 0 ? managers : live();
}

function isReset(sent: ManagedFieldsEntry[] | undefined, custom: boolean): boolean {
  if (!sent) return false;
  if (sent.length === 0) return !custom;
  return sent.length === 1 && Object.keys(sent[0] as object).length === 0;
}

function withoutManagedFields(object: KubeObject): JsonObject {
  if (!object.metadata?.managedFields) return json(object);
  const { managedFields: _, ...metadata } = object.metadata;
  return json({ ...object, metadata });
}

function apply(input: ApplyInput): KubeObject {
  const { patch, typing, gvk, apiVersion, custom } = input;
  checkType(patch, gvk);
  const metadata = patch.metadata as JsonObject | null | undefined;
  if (metadata?.managedFields !== undefined && metadata.managedFields !== null) {
    throw badRequest('metadata.managedFields must be nil');
  }
  const problems = checkApplied(typing, patch);
  if (problems.length > 0) throw untypedPatch(patch, gvk, problems);

  const empty: KubeObject = { apiVersion, kind: gvk.kind, metadata: {} };
  const live = json(input.live ?? empty);
  const bare = input.live ? withoutManagedFields(input.live) : live;
  const writer: Writer = {
    manager: { name: input.manager, operation: 'Apply', apiVersion, subresource: input.subresource, time: input.time },
    reset: input.reset ?? [],
  };
  const managers = decodeManagers(input.live?.metadata.managedFields) ?? new Map();
  if (input.live && managers.size === 0) {
    const first: Writer = {
      ...writer,
      manager: { ...writer.manager, name: 'before-first-apply', operation: 'Update' },
    };
    updateOwners(typing, custom ? {} : zeroObject(typing), bare, { managers, writer: first });
  }

  let applied = applyOwners(typing, bare, patch, { managers, writer, force: input.force });
  if (applied.conflicts.size > 0 && !input.force) {
    const allowed =
      input.manager === 'kubectl' ? lastAppliedFields(typing, bare as unknown as KubeObject, apiVersion) : undefined;
    const left = allowed ? otherConflicts(applied.conflicts, allowed) : applied.conflicts;
    if (left.size > 0 || conflictSet(applied.conflicts).empty) throw conflictError(left);
    applied = applyOwners(typing, bare, patch, { managers, writer, force: true });
  }

  const changed = !jsonEqual(bare, applied.object);
  const mine = applied.managers.get(identity(writer.manager));
  if (changed && mine) putManager(applied.managers, { ...mine, apiVersion, time: input.time });
  let object = applied.object as unknown as KubeObject;
  if (input.manager === 'kubectl') object = refreshLastApplied(object, patch);
  const entries = encodeManagers(applied.managers);
  const { managedFields: _, ...rest } = object.metadata ?? {};
  return { ...object, metadata: entries ? { ...rest, managedFields: entries } : rest };
}

function checkType(patch: JsonObject, gvk: GroupVersionKind): void {
  const apiVersion = typeof patch.apiVersion === 'string' ? patch.apiVersion : '';
  const kind = typeof patch.kind === 'string' ? patch.kind : '';
  const slash = apiVersion.indexOf('/');
  const group = slash < 0 ? '' : apiVersion.slice(0, slash);
  const version = apiVersion.slice(slash + 1);
  if (group === gvk.group && version === gvk.version && kind === gvk.kind) return;
  throw badRequest(`invalid object type: ${group}/${version}, Kind=${kind}`);
}

function untypedPatch(patch: JsonObject, gvk: GroupVersionKind, problems: string[]): Error {
  const metadata = (patch.metadata ?? {}) as JsonObject;
  const text = (value: JsonObject[string] | undefined): string => (typeof value === 'string' ? value : '');
  const object = `${text(metadata.namespace)}/${text(metadata.name)}; ${gvk.group}/${gvk.version}, Kind=${gvk.kind}`;
  const why =
    problems.length === 1 ? (problems[0] as string) : ['errors:', ...problems.map((p) => `  ${p}`)].join('\n');
  return failure(500, '', `failed to create typed patch object (${object}): ${why}`);
}
