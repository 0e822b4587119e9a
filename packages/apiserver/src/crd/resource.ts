import { jsonEqual } from '../core/json.js';
import { timestamp } from '../core/clock.js';
import type {
  FieldError,
  JsonObject,
  KubeObject,
  ResourceDef,
  Schema,
  TableColumn,
  WriteContext,
} from '../core/types.js';
import { checkRules } from '../cel/rules.js';
import { column, nameColumn } from '../kinds/columns.js';
import { defineKind } from '../kinds/define.js';
import { BuiltinStrategy, type KindBehaviour } from '../kinds/strategy.js';
import { isKnownFormat } from '../schema/formats.js';
import { cleanupFinalizer, conditionOf, withCondition } from './conditions.js';
import type { CrdStatus, CustomResourceDefinition } from './types.js';
import { validateCrd, validateCrdUpdate } from './validate.js';

/** The storage key of CustomResourceDefinitions. */
export const crdStorage = 'customresourcedefinitions.apiextensions.k8s.io';

const group = 'apiextensions.k8s.io';
const kind = 'CustomResourceDefinition';
const asCrd = (object: KubeObject): CustomResourceDefinition => object as CustomResourceDefinition;

/** CR-1: what a definition leaves out. */
function fillDefaults(object: KubeObject): void {
  const { spec } = asCrd(object);
  const { names } = spec;
  if (!names.singular && names.kind) names.singular = names.kind.toLowerCase();
  if (!names.listKind && names.kind) names.listKind = `${names.kind}List`;
  spec.conversion ??= { strategy: 'None' };
  const service = spec.conversion.webhook?.clientConfig?.service;
  if (service) service.port ??= 443;
}

/** The storage version joins the stored ones. */
function addStoredVersion(crd: CustomResourceDefinition): void {
  const storage = crd.spec.versions?.find((version) => version.storage)?.name;
  const status: CrdStatus = (crd.status ??= {});
  const stored = status.storedVersions ?? [];
  if (storage !== undefined && !stored.includes(storage)) status.storedVersions = [...stored, storage];
}

const behaviour: KindBehaviour = {
  defaults: fillDefaults,
  prepareCreate: (object) => addStoredVersion(asCrd(object)),
  prepareUpdate(next, old, context) {
    if (context.subresource !== undefined) return;
    if (old.status === undefined) delete next.status;
    else next.status = structuredClone(old.status);
    addStoredVersion(asCrd(next));
  },
};

class CrdStrategy extends BuiltinStrategy {
  override validateCreate(object: KubeObject): FieldError[] {
    return validateCrd(asCrd(object), checkRules);
  }

  override validateUpdate(next: KubeObject, old: KubeObject, context: WriteContext): FieldError[] {
    if (context.subresource !== undefined) return [];
    // What was accepted once is not looked at again until it changes.
    if (jsonEqual(asCrd(next).spec, asCrd(old).spec)) return [];
    return validateCrdUpdate(asCrd(next), asCrd(old), checkRules);
  }

  override prepareForCreateInPlace(object: KubeObject, context: WriteContext): void {
    super.prepareForCreateInPlace(object, context);
    warnAboutFormats(asCrd(object), context);
  }

  /** CR-5 */
  prepareForDeleteInPlace(object: KubeObject, context: WriteContext): void {
    const crd = asCrd(object);
    const finalizers = (crd.metadata.finalizers ??= []);
    if (!finalizers.includes(cleanupFinalizer)) finalizers.push(cleanupFinalizer);
    const statement = {
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionPending',
      message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
    } as const;
    crd.status = withCondition(crd.status ?? {}, statement, timestamp(context.now));
  }
}

function warnAboutFormats(crd: CustomResourceDefinition, context: WriteContext): void {
  const visit = (schema: Schema): void => {
    const { format, items, additionalProperties: rest, properties } = schema;
    if (format && !isKnownFormat(schema.type, format)) context.warn(`unrecognized format "${format}"`);
    if (items) visit(items);
    if (typeof rest === 'object') visit(rest);
    for (const child of Object.values(properties ?? {})) visit(child);
  };
  for (const { schema } of crd.spec.versions ?? []) if (schema?.openAPIV3Schema) visit(schema.openAPIV3Schema);
}

const columns: readonly TableColumn[] = [
  nameColumn,
  column('Scope', (object) => asCrd(object).spec.scope),
  column('Versions', (object) =>
    asCrd(object)
      .spec.versions.map((version) => (version.storage ? `${version.name}(storage)` : version.name))
      .join(','),
  ),
  column('Created At', (object) => object.metadata.creationTimestamp ?? '', { type: 'date' }),
  column('Group', (object) => asCrd(object).spec.group, { wide: true }),
  column('Kind', (object) => asCrd(object).spec.names.kind, { wide: true }),
  column('ShortNames', (object) => asCrd(object).spec.names.shortNames?.join(',') ?? '', { wide: true }),
  column('Established', (object) => conditionOf(asCrd(object), 'Established')?.status === 'True', {
    type: 'boolean',
    wide: true,
  }),
];

/** CustomResourceDefinitions themselves. */
export function crdResource(): ResourceDef {
  return defineKind({
    group,
    kind,
    plural: 'customresourcedefinitions',
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    namespaced: false,
    status: true,
    traits: { unconditionalUpdate: false, generation: 'spec', statusMetadata: ['finalizers'], barelyMarked: true },
    columns,
    strategy: new CrdStrategy({ group, version: 'v1', kind, resetsStatus: true }, behaviour),
  });
}

/** A definition as JSON for a write. */
export function crdBody(crd: CustomResourceDefinition): JsonObject {
  return structuredClone(crd) as unknown as JsonObject;
}
