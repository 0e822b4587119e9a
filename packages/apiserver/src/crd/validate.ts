import { forbiddenField, invalidValue, notSupported, required, tooMany } from '../core/errors.js';
import { jsonEqual } from '../core/json.js';
import { checkSubdomain } from '../core/names.js';
import type { FieldError, Schema } from '../core/types.js';
import { isApproved, isProtectedGroup } from './approval.js';
import type { CrdColumn, CrdNames, CrdSpec, CrdVersion, CustomResourceDefinition } from './types.js';
import { validateConversion } from './validate-conversion.js';
import { validateDefaults } from './validate-defaults.js';
import { isUnsupported, schemaAt, validateSchemaRules } from './validate-schema.js';
import { validateStructural } from './validate-structural.js';

/**
 * Checks the rules of a schema; answers errors on the paths of rules that cannot run or cost too much (CR-7, CE-4). `stored`:
 * the schema did not change, so what a single rule costs is tolerated. Default false.
 */
export type RuleCheck = (schema: Schema, path: string, stored?: boolean) => FieldError[];

/** Errors of a CustomResourceDefinition on create (CR-3, CR-4, CR-8). */
export function validateCrd(crd: CustomResourceDefinition, checkRules: RuleCheck): FieldError[] {
  const { spec } = crd;
  const errors: FieldError[] = [];
  if (crd.metadata.name && crd.metadata.name !== `${spec.names.plural}.${spec.group}`) {
    errors.push(invalidValue('metadata.name', crd.metadata.name, 'must be spec.names.plural+"."+spec.group'));
  }
  validateSpec(spec, checkRules, errors);
  validateStored(crd, errors);
  if (isProtectedGroup(spec.group)) errors.push(...isApproved(crd.metadata.annotations));
  if (spec.preserveUnknownFields) {
    const why =
      'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
    errors.push(invalidValue('spec.preserveUnknownFields', true, why));
  }
  return errors;
}

/** Errors of an update: those of a create, and what cannot change any more. */
export function validateCrdUpdate(
  crd: CustomResourceDefinition,
  old: CustomResourceDefinition,
  checkRules: RuleCheck,
): FieldError[] {
  const unchanged = new Set(
    crd.spec.versions.flatMap(({ name, schema }) => {
      const before = old.spec.versions.find((version) => version.name === name)?.schema;
      return schema?.openAPIV3Schema && jsonEqual(schema, before) ? [schema.openAPIV3Schema] : [];
    }),
  );
  const check: RuleCheck = (schema, path) => checkRules(schema, path, unchanged.has(schema));
  const errors = validateCrd(crd, check).filter((error) => error.field !== 'metadata.name');
  const immutable = (field: string, value: unknown, before: unknown): void => {
    if (value !== before) errors.push(invalidValue(field, value, 'field is immutable'));
  };
  const established = old.status?.conditions?.some((c) => c.type === 'Established' && c.status === 'True');
  if (established) {
    immutable('spec.scope', crd.spec.scope, old.spec.scope);
    immutable('spec.names.kind', crd.spec.names.kind, old.spec.names.kind);
  }
  immutable('spec.group', crd.spec.group, old.spec.group);
  immutable('spec.names.plural', crd.spec.names.plural, old.spec.names.plural);
  return errors;
}

function validateSpec(spec: CrdSpec, checkRules: RuleCheck, errors: FieldError[]): void {
  const versions = spec.versions ?? [];
  if (!spec.group) errors.push(required('spec.group'));
  else {
    const problems = checkSubdomain(spec.group);
    if (problems.length > 0) errors.push(invalidValue('spec.group', spec.group, problems.join(',')));
    else if (!spec.group.includes('.'))
      errors.push(invalidValue('spec.group', spec.group, 'should be a domain with at least one dot'));
  }
  if (!spec.scope) errors.push(required('spec.scope'));
  else if (spec.scope !== 'Cluster' && spec.scope !== 'Namespaced') {
    errors.push(notSupported('spec.scope', spec.scope, ['Cluster', 'Namespaced']));
  }
  versions.forEach((version, i) => {
    if (!version.schema?.openAPIV3Schema) errors.push(required(`spec.versions[${i}].schema.openAPIV3Schema`));
  });
  versions.forEach((version, i) => validateVersionName(version, `spec.versions[${i}]`, errors));
  const shown = (): unknown => (spec.versions ? versions.map(goVersion(versions)) : null);
  if (new Set(versions.map((v) => v.name)).size !== versions.length) {
    errors.push(invalidValue('spec.versions', shown(), 'must contain unique version names'));
  }
  if (versions.filter((v) => v.storage).length !== 1) {
    errors.push(invalidValue('spec.versions', shown(), 'must have exactly one version marked as storage version'));
  }
  for (const key of ['plural', 'singular', 'kind', 'listKind'] as const) {
    if (!spec.names?.[key]) errors.push(required(`spec.names.${key}`));
  }
  validateNames(spec.names ?? {}, 'spec.names', errors);
  validateParts(versions, checkRules, errors);
  errors.push(...validateConversion(spec.conversion));
}

function validateVersionName(version: CrdVersion, path: string, errors: FieldError[]): void {
  const problem = label(version.name);
  if (problem) errors.push(invalidValue(`${path}.name`, version.name, problem));
  const warning = version.deprecationWarning;
  if (warning === undefined || warning === null) return;
  const at = `${path}.deprecationWarning`;
  if (!version.deprecated) errors.push(invalidValue(at, warning, 'can only be set for deprecated versions'));
  else if (warning.length > 256) errors.push(invalidValue(at, warning, 'must be <= 256 characters long'));
  else if (warning === '') errors.push(invalidValue(at, warning, 'must not be an empty string'));
}

/** Parts that all versions have in common stand at the top (CR-8). */
function validateParts(versions: readonly CrdVersion[], checkRules: RuleCheck, errors: FieldError[]): void {
  const each = <K extends 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields'>(
    key: K,
    top: string,
    check: (part: NonNullable<CrdVersion[K]>, path: string, version: CrdVersion) => void,
  ): void => {
    const [first] = versions;
    if (!first) return;
    const common = versions.every((v) => v[key] !== undefined && jsonEqual(v[key], first[key]));
    if (common) return check(first[key] as NonNullable<CrdVersion[K]>, `spec.${top}`, first);
    versions.forEach((version, i) => {
      const part = version[key];
      if (part !== undefined) check(part, `spec.versions[${i}].${key}`, version);
    });
  };
  each('schema', 'validation', ({ openAPIV3Schema: schema }, path, version) => {
    if (schema)
      errors.push(
        ...validateSchema(schema, `${path}.openAPIV3Schema`, { status: hasStatus(versions, version), checkRules }),
      );
  });
  each('subresources', 'subresources', (part, path) => validateScale(part, path, errors));
  each('additionalPrinterColumns', 'additionalPrinterColumns', (columns, path) => {
    columns.forEach((column, i) => validateColumn(column, `${path}[${i}]`, errors));
  });
  each('selectableFields', 'selectableFields', (fields, path, version) => {
    validateSelectable(fields, version.schema?.openAPIV3Schema ?? {}, path, errors);
  });
}

const hasStatus = (versions: readonly CrdVersion[], version: CrdVersion): boolean =>
  versions.length === 1
    ? version.subresources?.status !== undefined
    : versions.some((v) => v.subresources?.status !== undefined);

const statusRootAllowed = new Set(
  [
    'description type format title maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems',
    'uniqueItems multipleOf required items properties externalDocs example x-kubernetes-preserve-unknown-fields x-kubernetes-validations',
  ].flatMap((line) => line.split(' ')),
);

function validateSchema(
  schema: Schema,
  path: string,
  { status, checkRules }: { status: boolean; checkRules: RuleCheck },
): FieldError[] {
  const errors: FieldError[] = [];
  if (status) {
    const strange = Object.keys(schema).find((key) => !statusRootAllowed.has(key));
    if (strange)
      errors.push(
        invalidValue(
          path,
          schema,
          `${strange} is not allowed at the root of the schema if the status subresource is enabled`,
        ),
      );
  }
  if (schema.nullable) errors.push(forbiddenField(`${path}.nullable`, 'nullable cannot be true at the root'));
  const rules = validateSchemaRules(schema, path);
  // A schema with keywords that a structural one cannot have is not looked at as one.
  if (!rules.some((error) => isUnsupported(error))) {
    const structural = validateStructural(schema, path);
    errors.push(...structural, ...(structural.length === 0 ? validateDefaults(schema, path) : []));
  }
  errors.push(...rules);
  // Rules are only looked at in a schema that is sound.
  if (errors.length === 0) errors.push(...checkRules(schema, path));
  return errors;
}

function validateScale({ scale }: NonNullable<CrdVersion['subresources']>, path: string, errors: FieldError[]): void {
  if (!scale) return;
  const check = (
    key: 'specReplicasPath' | 'statusReplicasPath' | 'labelSelectorPath',
    roots: readonly string[],
    where: string,
  ): void => {
    const at = `${path}.scale.${key}`;
    const value = scale[key];
    if (!value) {
      if (key !== 'labelSelectorPath') errors.push(required(at));
    } else if (!value.startsWith('.'))
      errors.push(invalidValue(at, value, 'must be a simple json path starting with .'));
    else if (!roots.some((root) => value.startsWith(root)))
      errors.push(invalidValue(at, value, `should be a json path under ${where}`));
  };
  check('specReplicasPath', ['.spec.'], '.spec');
  check('statusReplicasPath', ['.status.'], '.status');
  check('labelSelectorPath', ['.spec.', '.status.'], 'either .spec or .status');
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

function validateColumn(column: CrdColumn, path: string, errors: FieldError[]): void {
  if (!column.name) errors.push(required(`${path}.name`));
  const oneOf = `must be one of ${columnTypes.join(',')}`;
  if (!column.type) errors.push(required(`${path}.type`, oneOf));
  else if (!columnTypes.includes(column.type)) errors.push(invalidValue(`${path}.type`, column.type, oneOf));
  if (column.format && !columnFormats.includes(column.format)) {
    errors.push(invalidValue(`${path}.format`, column.format, `must be one of ${columnFormats.join(',')}`));
  }
  if (!column.jsonPath) errors.push(required(`${path}.JSONPath`));
  else if (!column.jsonPath.startsWith('.')) {
    errors.push(invalidValue(`${path}.JSONPath`, column.jsonPath, 'must be a simple json path starting with .'));
  }
}

const maxSelectable = 8;

function validateSelectable(
  fields: readonly { jsonPath: string }[],
  schema: Schema,
  path: string,
  errors: FieldError[],
): void {
  const seen = new Set<string>();
  fields.forEach(({ jsonPath }, i) => {
    const at = `${path}[${i}].jsonPath`;
    if (!jsonPath) return void errors.push(required(at));
    const found = schemaAt(schema, jsonPath);
    if (!found)
      return void errors.push(invalidValue(at, jsonPath, 'is an invalid path: does not refer to a valid field'));
    if (jsonPath.startsWith('.metadata'))
      errors.push(invalidValue(at, jsonPath, 'must not point to fields in metadata'));
    if (!['string', 'boolean', 'integer'].includes(found.type ?? '')) {
      const why =
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
      errors.push(invalidValue(at, jsonPath, why));
    }
    if (seen.has(jsonPath))
      errors.push({ type: 'FieldValueDuplicate', field: at, message: `Duplicate value: ${JSON.stringify(jsonPath)}` });
    seen.add(jsonPath);
  });
  if (seen.size > maxSelectable) errors.push(tooMany(path, seen.size, maxSelectable));
}

function validateNames(names: Partial<CrdNames>, path: string, errors: FieldError[]): void {
  const check = (value: string | undefined, field: string, prefix = ''): void => {
    const problem = value ? label(prefix ? value.toLowerCase() : value) : undefined;
    if (problem) errors.push(invalidValue(`${path}.${field}`, value, prefix + problem));
  };
  const mixed = 'may have mixed case, but should otherwise match: ';
  check(names.plural, 'plural');
  check(names.singular, 'singular');
  check(names.kind, 'kind', mixed);
  check(names.listKind, 'listKind', mixed);
  names.shortNames?.forEach((name, i) => check(name, `shortNames[${i}]`));
  if (names.kind && names.kind === names.listKind) {
    errors.push(invalidValue(`${path}.listKind`, names.listKind, 'kind and listKind may not be the same'));
  }
  names.categories?.forEach((name, i) => check(name, `categories[${i}]`));
}

const labelPattern = '[a-z]([-a-z0-9]*[a-z0-9])?';
const labelRe = new RegExp(`^${labelPattern}$`);

/** RFC 1035: what is wrong with a name, or nothing. */
function label(name: string): string | undefined {
  const problems: string[] = [];
  if (name.length > 63) problems.push('must be no more than 63 characters');
  if (!labelRe.test(name)) {
    problems.push(
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an " +
        `alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '${labelPattern}')`,
    );
  }
  return problems.length > 0 ? problems.join(',') : undefined;
}

function validateStored(crd: CustomResourceDefinition, errors: FieldError[]): void {
  const stored = crd.status?.storedVersions ?? [];
  const versions = crd.spec.versions ?? [];
  const path = 'status.storedVersions';
  if (stored.length === 0) {
    errors.push(invalidValue(path, null, 'must have at least one stored version'));
    return;
  }
  for (const version of versions) {
    if (version.storage && !stored.includes(version.name)) {
      errors.push(invalidValue(path, stored, `must have the storage version ${version.name}`));
    }
  }
  stored.forEach((name, i) => {
    if (versions.some((version) => version.name === name)) return;
    const why =
      `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage ` +
      `migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    errors.push(invalidValue(`${path}[${i}]`, name, why));
  });
}

/** A version in the form texts show it (CR-8). */
function goVersion(versions: readonly CrdVersion[]): (version: CrdVersion) => unknown {
  const common = (key: keyof CrdVersion): boolean =>
    versions.every((v) => v[key] !== undefined && jsonEqual(v[key], versions[0]?.[key]));
  const part = (version: CrdVersion, key: keyof CrdVersion): unknown => (common(key) ? null : (version[key] ?? null));
  return (version) => ({
    Name: version.name,
    Served: version.served,
    Storage: version.storage,
    Deprecated: version.deprecated ?? false,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: part(version, 'schema'),
    Subresources: part(version, 'subresources'),
    AdditionalPrinterColumns: part(version, 'additionalPrinterColumns'),
    SelectableFields: part(version, 'selectableFields'),
  });
}
