import type { KindInfo } from '@kubewright/api';
import type { Class } from './class-type.js';
import { defineSchema, type SchemaDefinition } from './define-schema.js';
import type { FaultCode } from './fault-codes.js';
import type { Fault } from './fault.js';
import { kindInfoOf } from './kind-of.js';
import type { PrinterColumnOptions, ResourceOptions, ScaleOptions } from './record.js';
import { recordOf } from './store.js';

/** A `@Resource` class, resolved: every default filled in. */
export interface ResourceDefinition {
  readonly cls: Class;
  readonly kind: KindInfo;
  readonly listKind: string;
  readonly singular: string;
  readonly options: ResourceOptions;
  readonly schema: SchemaDefinition;
  /** Columns of the class; those of properties stand with the properties. */
  readonly columns: readonly PrinterColumnOptions[];
  readonly scale?: ScaleOptions;
}

const LABEL = /^[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?$/;
const SUBDOMAIN = /^(?=.{1,253}$)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)+$/;
const PROTECTED = /(?:^|\.)(?:k8s\.io|kubernetes\.io)$/;
const APPROVAL = 'api-approved.kubernetes.io';

/** Resolves one `@Resource` class; undefined when the decorator is missing. */
export function defineResource(cls: Class): ResourceDefinition | undefined {
  const record = recordOf(cls);
  if (!record.resource) return undefined;
  const kind = kindInfoOf(cls, record.resource);
  return {
    cls,
    kind,
    listKind: record.resource.listKind ?? `${kind.kind}List`,
    singular: record.resource.singular ?? kind.kind.toLowerCase(),
    options: record.resource,
    schema: defineSchema(cls),
    columns: record.columns,
    ...(record.scale && { scale: record.scale }),
  };
}

/** Faults of the names of a resource: whatever the API server would refuse later. */
export function resourceFaults(definition: ResourceDefinition): Fault[] {
  const { cls, kind, options } = definition;
  const faults: Fault[] = [];
  const fault = (code: FaultCode, found: string, expected: string, fix: string): void => {
    faults.push({ code, owner: cls.name, found: `@Resource ${found}`, expected, fix });
  };
  if (!SUBDOMAIN.test(kind.group))
    fault(
      'KW_CRD_IDENTITY',
      `has group "${kind.group}"`,
      'a lower-case DNS name with a dot',
      `group: 'app.example.com'`,
    );
  else if (PROTECTED.test(kind.group) && options.annotations?.[APPROVAL] === undefined)
    fault(
      'KW_CRD_PROTECTED_GROUP',
      `has group "${kind.group}", which belongs to Kubernetes`,
      'a domain of your own',
      `choose another group, or add annotations: { '${APPROVAL}': '<url of the approval>' }`,
    );
  const labels: [string, string][] = [
    ['version', kind.version],
    ['kind (lower-cased)', kind.kind.toLowerCase()],
    ['listKind (lower-cased)', definition.listKind.toLowerCase()],
    ['plural', kind.plural],
    ['singular', definition.singular],
    ...(options.shortNames ?? []).map((name): [string, string] => ['shortNames', name]),
  ];
  for (const [name, value] of labels)
    if (!LABEL.test(value))
      fault(
        'KW_CRD_IDENTITY',
        `has ${name} "${value}"`,
        'lower-case letters, digits and -, a letter first, at most 63',
        `for example "${value.toLowerCase().replace(/[^a-z0-9-]/g, '') || 'v1'}"`,
      );
  if (definition.listKind === kind.kind)
    fault('KW_CRD_IDENTITY', `has listKind equal to kind "${kind.kind}"`, 'two names', `listKind: '${kind.kind}List'`);
  return faults;
}
