import { createHash } from 'node:crypto';
import type { KubernetesObject } from '@kubewright/api';
import {
  type Class,
  defineResource,
  defineSchema,
  type Fault,
  isClass,
  type ResourceDefinition,
  resourceFaults,
  type ScaleOptions,
} from '@kubewright/metadata';
import { canonicalJson } from './canonical-json.js';
import { columnsOf, type PrinterColumn } from './columns.js';
import { definitionsError, Findings, type SchemaFault, type SchemaNotice } from './findings.js';
import type { JsonSchema } from './json-schema.js';
import { objectSchema } from './object-schema.js';

/** One version of a CRD. */
export interface CrdVersion {
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  schema: { openAPIV3Schema: JsonSchema };
  subresources?: { status?: object; scale?: object };
  additionalPrinterColumns?: PrinterColumn[];
}

export interface CustomResourceDefinition extends KubernetesObject {
  apiVersion: 'apiextensions.k8s.io/v1';
  kind: 'CustomResourceDefinition';
  metadata: { name: string; labels?: Record<string, string>; annotations: Record<string, string> };
  spec: {
    group: string;
    names: {
      kind: string;
      listKind: string;
      plural: string;
      singular: string;
      shortNames?: string[];
      categories?: string[];
    };
    scope: string;
    versions: CrdVersion[];
  };
}

/** Annotation with the hash of the CRD's spec, so that a running operator can tell an old CRD (CRD-25). */
export const SCHEMA_HASH_ANNOTATION = 'kubewright.dev/schema-hash';

/** A `@Resource` class, or its definition. */
export type ResourceSource = Class | ResourceDefinition;

/** The CRD of a resource class. Throws `KW_CRD_INVALID` with all faults of the class at once. */
export function crdFor(source: ResourceSource): CustomResourceDefinition {
  return crdsFor([source]).crds[0] as CustomResourceDefinition;
}

/**
 * CRDs of several resource classes, those of other people's kinds (`external`) left out. All faults of all classes travel
 * in one error, in class order.
 */
export function crdsFor(sources: readonly ResourceSource[]): {
  readonly crds: CustomResourceDefinition[];
  readonly notices: readonly SchemaNotice[];
} {
  const findings = new Findings();
  const crds: CustomResourceDefinition[] = [];
  for (const source of sources) {
    const definition = isClass(source) ? defineResource(source) : source;
    if (!definition) {
      findings.fault('KW_CRD_NO_RESOURCE', (source as Class).name, {
        found: 'is no resource',
        cause: 'it has no @Resource decorator',
        fix: "put @Resource({ group: 'app.example.com', version: 'v1alpha1' }) on it",
      });
      continue;
    }
    for (const fault of resourceFaults(definition)) addFault(findings, fault);
    if (definition.options.external !== true) crds.push(build(definition, findings));
  }
  if (findings.faults.length > 0) throw definitionsError(hasTypes(sources) ? findings.faults : [NO_TYPES]);
  return { crds, notices: findings.notices };
}

const NO_TYPES: SchemaFault = {
  code: 'KW_META_NO_TYPES',
  where: 'the resource classes',
  found: 'carry no type information: not one property knows its type',
  cause:
    'esbuild, tsx and type stripping drop what emitDecoratorMetadata writes; or reflect-metadata was loaded too late',
  fix: 'compile with tsc and both experimentalDecorators and emitDecoratorMetadata; import from "kubewright" in each file with decorators',
};

/** False when all else that is told would be noise (CRD-9). */
function hasTypes(sources: readonly ResourceSource[]): boolean {
  const properties = sources.flatMap((source) =>
    isClass(source) ? defineSchema(source).properties : source.schema.properties,
  );
  return properties.length === 0 || properties.some((property) => property.designType !== undefined);
}

const addFault = (findings: Findings, fault: Fault): void =>
  findings.fault(fault.code, fault.owner, { found: fault.found, cause: `expected ${fault.expected}`, fix: fault.fix });

function build(definition: ResourceDefinition, findings: Findings): CustomResourceDefinition {
  const { kind, options, listKind, singular } = definition;
  const version = buildVersion(definition, findings);
  const spec: CustomResourceDefinition['spec'] = {
    group: kind.group,
    names: {
      kind: kind.kind,
      listKind,
      plural: kind.plural,
      singular,
      ...(options.shortNames?.length && { shortNames: [...options.shortNames] }),
      ...(options.categories?.length && { categories: [...options.categories] }),
    },
    scope: kind.scope,
    versions: [version],
  };
  const hash = createHash('sha256').update(canonicalJson(spec)).digest('hex').slice(0, 12);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${kind.plural}.${kind.group}`,
      ...(options.labels && { labels: { ...options.labels } }),
      annotations: { ...options.annotations, [SCHEMA_HASH_ANNOTATION]: hash },
    },
    spec,
  };
}

function buildVersion(definition: ResourceDefinition, findings: Findings): CrdVersion {
  const { kind, options, scale } = definition;
  const root = rootSchema(definition, findings);
  const columns = columnsOf(definition, root, findings);
  if (scale) checkScale(definition.cls.name, scale, root, findings);
  const status = kind.hasStatus === true;
  return {
    name: kind.version,
    served: options.served ?? true,
    storage: true,
    ...(options.deprecated && { deprecated: true }),
    ...(typeof options.deprecated === 'string' && { deprecationWarning: options.deprecated }),
    schema: { openAPIV3Schema: root },
    ...((status || scale) && {
      subresources: { ...(scale && { scale: scalePaths(scale) }), ...(status && { status: {} }) },
    }),
    ...(columns.length > 0 && { additionalPrinterColumns: columns }),
  };
}

function rootSchema(definition: ResourceDefinition, findings: Findings): JsonSchema {
  const { cls, options, schema: written } = definition;
  const body = objectSchema(cls, [], findings);
  const { spec, status, ...others } = body.properties ?? {};
  const plainStatus = written.properties.find((property) => property.name === 'status' && !property.facts.status);
  if (plainStatus)
    findings.fault('KW_CRD_STATUS_PLAIN', `${cls.name}.status`, {
      found: 'is not marked as the status',
      cause: 'without the status subresource every write of the status is a change of the object',
      fix: '@Status(() => TheStatus), or with { subresource: false } if that is meant',
    });
  const required = (body.required ?? []).filter((name) => name !== 'status' && name !== 'spec');
  if (spec && (spec.required?.length ?? 0) > 0) required.push('spec');
  // An object without `spec` would otherwise get none of the defaults below it (CRD-4).
  else if (spec && spec.default === undefined && hasDefaults(spec)) spec.default = {};
  return {
    ...(options.description && { description: options.description }),
    type: 'object',
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      ...others,
      ...(spec && { spec }),
      ...(status && { status }),
    },
    ...(required.length > 0 && { required: required.sort() }),
  };
}

const hasDefaults = (schema: JsonSchema): boolean =>
  Object.values(schema.properties ?? {}).some((property) => property.default !== undefined || hasDefaults(property));

const scalePaths = (scale: ScaleOptions): object => ({
  specReplicasPath: scale.spec,
  statusReplicasPath: scale.status,
  ...(scale.selector !== undefined && { labelSelectorPath: scale.selector }),
});

function checkScale(owner: string, scale: ScaleOptions, root: JsonSchema, findings: Findings): void {
  const check = (option: keyof ScaleOptions, prefix: RegExp, type: 'integer' | 'string'): void => {
    const path = scale[option];
    if (path === undefined) return;
    const node = path
      .split('.')
      .slice(1)
      .reduce<JsonSchema | undefined>((at, name) => at?.properties?.[name], root);
    if (!prefix.test(path) || node?.type !== type)
      findings.fault('KW_CRD_SCALE', owner, {
        found: `has @Scale ${option}: "${path}", which leads to ${node ? `a ${node.type}` : 'nothing'}`,
        cause: `the path has to lead to a property of type ${type}`,
        fix: `declare that property (${type === 'integer' ? '@IsInt()' : '@IsString()'}), or correct the path`,
      });
  };
  check('spec', /^\.spec\./, 'integer');
  check('status', /^\.status\./, 'integer');
  check('selector', /^\.(?:spec|status)\./, 'string');
}
