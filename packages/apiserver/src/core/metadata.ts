import { forbiddenField, invalidValue, required, tooLong } from './errors.js';
import { jsonEqual } from './json.js';
import { checkLabel, checkLabelValue, checkPathSegment, checkQualifiedName, checkSubdomain } from './names.js';
import type { NameCheck } from './names.js';
import type {
  FieldError,
  KubeObject,
  ObjectMeta,
  OwnerReference,
  Random,
  ResourceDef,
  ResourceVersion,
} from './types.js';

const ANNOTATIONS_MAX = 256 * 1024;
/** Longest base of a generated name: 63 characters less the suffix. */
const GENERATED_BASE_MAX = 58;
const SUFFIX_LENGTH = 5;
const STANDARD_FINALIZERS = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

const NAME_CHECKS: Readonly<Record<ResourceDef['traits']['names'], NameCheck>> = {
  subdomain: checkSubdomain,
  label: checkLabel,
  path: checkPathSegment,
};

/** ME-1 */
export function generateName(base: string, random: Random): string {
  return base.slice(0, GENERATED_BASE_MAX) + random.suffix(SUFFIX_LENGTH);
}

/** Takes away what only the server may say on a create (PI-1). */
export function wipeSystemMetadata(metadata: ObjectMeta): void {
  delete metadata.uid;
  delete metadata.creationTimestamp;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata['selfLink'];
}

/** Gives `next` what only the server may say, from the live object (ME-4). */
export function keepSystemMetadata(next: ObjectMeta, live: ObjectMeta): void {
  for (const key of [
    'name',
    'namespace',
    'uid',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
    'generation',
  ] as const) {
    if (live[key] === undefined) delete next[key];
    else (next as Record<string, unknown>)[key] = live[key];
  }
  delete next['selfLink'];
}

/** A deletion is asked for by DELETE alone: an update cannot begin one (ME-4). Checked before the live values are taken. */
export function checkDeletionUntouched(sent: ObjectMeta, live: ObjectMeta): FieldError[] {
  if (live.deletionTimestamp) return [];
  return (['deletionTimestamp', 'deletionGracePeriodSeconds'] as const).flatMap((key) =>
    sent[key] === undefined ? [] : [invalidValue(`metadata.${key}`, sent[key], 'field is immutable')],
  );
}

/** Drops repeated owners (same uid, name and kind); answers a warning that names their uids. */
export function dedupeOwners(metadata: ObjectMeta): string | undefined {
  const owners = metadata.ownerReferences;
  if (!owners || owners.length < 2) return undefined;
  const seen = new Set<string>();
  const repeated = new Set<string>();
  metadata.ownerReferences = owners.filter((owner) => {
    const identity = JSON.stringify([owner.uid, owner.name, owner.kind, owner.apiVersion]);
    if (seen.has(identity)) repeated.add(owner.uid);
    return seen.size !== seen.add(identity).size;
  });
  if (!repeated.size) return undefined;
  return (
    '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as ' +
    `early as 1.24; please fix your requests; duplicate UID(s) observed: ${[...repeated].join(', ')}`
  );
}

/** Whether a change from `old` to `next` raises metadata.generation (ME-5). */
export function raisesGeneration(
  resource: ResourceDef,
  version: ResourceVersion,
  next: KubeObject,
  old: KubeObject,
): boolean {
  switch (resource.traits.generation) {
    case 'none':
      return false;
    case 'spec':
      return !jsonEqual(next['spec'], old['spec']);
    case 'spec-and-annotations':
      return !jsonEqual(next['spec'], old['spec']) || !jsonEqual(next.metadata.annotations, old.metadata.annotations);
    case 'non-metadata': {
      const counts = (key: string): boolean =>
        key !== 'apiVersion' && key !== 'kind' && key !== 'metadata' && !(version.status && key === 'status');
      for (const key of new Set([...Object.keys(next), ...Object.keys(old)])) {
        if (counts(key) && !jsonEqual(next[key], old[key])) return true;
      }
      return false;
    }
  }
}

// ---- validation (ME-2, ME-3) ----------------------------------------------------------------------------------------

function checkOwner(owner: OwnerReference, path: string, errors: FieldError[]): void {
  if (!owner.apiVersion) errors.push(required(`${path}.apiVersion`, 'must not be empty'));
  else if (!/^([^/]+\/)?[^/]+$/.test(owner.apiVersion)) {
    errors.push(invalidValue(`${path}.apiVersion`, owner.apiVersion, 'must be <group>/<version> or <version>'));
  }
  for (const key of ['kind', 'name', 'uid'] as const)
    if (!owner[key]) errors.push(required(`${path}.${key}`, 'must not be empty'));
  if (owner.apiVersion === 'v1' && owner.kind === 'Event') {
    errors.push(invalidValue(path, owner, '/v1, Kind=Event is disallowed from being an owner'));
  }
}

function checkOwners(metadata: ObjectMeta, errors: FieldError[]): void {
  const path = 'metadata.ownerReferences';
  let first: string | undefined;
  for (const [index, owner] of (metadata.ownerReferences ?? []).entries()) {
    checkOwner(owner, `${path}[${index}]`, errors);
    if (!owner.controller) continue;
    const shown = `${owner.kind}/${owner.name}`;
    if (first === undefined) first = shown;
    else {
      const why = `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${shown}`;
      errors.push(invalidValue(path, metadata.ownerReferences, why));
    }
  }
}

function checkFinalizers(resource: ResourceDef, metadata: ObjectMeta, errors: FieldError[]): void {
  const path = 'metadata.finalizers';
  const finalizers = metadata.finalizers ?? [];
  for (const [index, finalizer] of finalizers.entries()) {
    for (const problem of checkQualifiedName(finalizer)) errors.push(invalidValue(path, finalizer, problem));
    if (!resource.custom && !finalizer.includes('/') && !STANDARD_FINALIZERS.has(finalizer)) {
      errors.push(
        invalidValue(
          `${path}[${index}]`,
          finalizer,
          'name is neither a standard finalizer name nor is it fully qualified',
        ),
      );
    }
  }
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.push(invalidValue(path, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'));
  }
}

function checkLabelsAndAnnotations(metadata: ObjectMeta, errors: FieldError[]): void {
  for (const [key, value] of Object.entries(metadata.labels ?? {})) {
    for (const problem of checkQualifiedName(key)) errors.push(invalidValue('metadata.labels', key, problem));
    for (const problem of checkLabelValue(value)) errors.push(invalidValue('metadata.labels', value, problem));
  }
  let size = 0;
  for (const [key, value] of Object.entries(metadata.annotations ?? {})) {
    for (const problem of checkQualifiedName(key.toLowerCase()))
      errors.push(invalidValue('metadata.annotations', key, problem));
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (size > ANNOTATIONS_MAX) errors.push(tooLong('metadata.annotations', ANNOTATIONS_MAX));
}

/** Warnings about finalizers that another writer may also use (ME-3). */
export function finalizerWarnings(resource: ResourceDef, metadata: ObjectMeta): string[] {
  if (!resource.custom) return [];
  return (metadata.finalizers ?? [])
    .filter((finalizer) => !finalizer.includes('/') && !STANDARD_FINALIZERS.has(finalizer))
    .map(
      (finalizer) =>
        `metadata.finalizers: ${JSON.stringify(finalizer)}: prefer a domain-qualified finalizer name ` +
        `${finalizer.includes('.') ? 'including a path (/) ' : ''}to avoid accidental conflicts with other finalizer writers`,
    );
}

export function validateMetadata(resource: ResourceDef, metadata: ObjectMeta): FieldError[] {
  const errors: FieldError[] = [];
  const check = NAME_CHECKS[resource.traits.names];
  if (metadata.generateName) {
    const base = metadata.generateName;
    const masked = base.length > 1 && base.endsWith('-') ? `${base.slice(0, -2)}a` : base;
    for (const problem of check(resource.traits.names === 'path' ? base : masked)) {
      errors.push(invalidValue('metadata.generateName', base, problem));
    }
  }
  if (!metadata.name) errors.push(required('metadata.name', 'name or generateName is required'));
  else for (const problem of check(metadata.name)) errors.push(invalidValue('metadata.name', metadata.name, problem));
  const { generation } = metadata;
  if (generation !== undefined && generation < 0) {
    errors.push(invalidValue('metadata.generation', generation, 'must be greater than or equal to 0'));
  }
  checkLabelsAndAnnotations(metadata, errors);
  checkOwners(metadata, errors);
  checkFinalizers(resource, metadata, errors);
  return errors;
}

export function validateMetadataUpdate(resource: ResourceDef, next: ObjectMeta, old: ObjectMeta): FieldError[] {
  const errors: FieldError[] = [];
  if (old.deletionTimestamp) {
    const added = (next.finalizers ?? []).filter((finalizer) => !old.finalizers?.includes(finalizer)).sort();
    if (added.length) {
      const list = added.map((finalizer) => JSON.stringify(finalizer)).join(', ');
      const why = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
      errors.push(forbiddenField('metadata.finalizers', why));
    }
  }
  if (next.labels !== old.labels || next.annotations !== old.annotations) checkLabelsAndAnnotations(next, errors);
  checkOwners(next, errors);
  if (!jsonEqual(next.finalizers, old.finalizers)) checkFinalizers(resource, next, errors);
  return errors;
}
