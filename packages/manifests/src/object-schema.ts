import { type Class, defineSchema, recordOf } from '@kubewright/metadata';
import type { Findings } from './findings.js';
import type { JsonSchema } from './json-schema.js';
import { propertySchema } from './property-schema.js';
import { violations } from './violations.js';

/** Schema of a class of ours, nested classes inlined. `via` holds the properties that led here, outermost first. */
export function objectSchema(cls: Class, via: readonly string[], findings: Findings): JsonSchema {
  const schema: JsonSchema = { type: 'object' };
  const loop = via.findIndex((step) => step.startsWith(`${cls.name}.`));
  if (loop >= 0) {
    findings.fault('KW_CRD_RECURSIVE', via[loop] ?? cls.name, {
      found: `reaches its own class: ${[...via.slice(loop), cls.name].join(' → ')}`,
      cause: 'CRD schemas know no $ref',
      fix: 'break the circle: name the inner objects by reference, for example by their name',
    });
    return { ...schema, properties: {} };
  }
  if (via.length > 0 && recordOf(cls).resource)
    findings.fault('KW_CRD_NESTED_RESOURCE', via.at(-1) ?? cls.name, {
      found: `has the resource ${cls.name} as its type`,
      cause: 'objects of the cluster are not nested in each other',
      fix: `make a plain class of the part that is needed, or hold the name of the ${cls.name}`,
    });

  const definition = defineSchema(cls);
  for (const name of definition.undecorated)
    findings.fault('KW_CRD_UNDECORATED', `${cls.name}.${name}`, {
      found: 'has no decorator',
      cause: 'it would not be in the schema, and the API server would drop it silently',
      fix: 'put a validation decorator on it (@IsString(), @IsOptional(), …) or @Nested(() => TheClass)',
    });

  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const property of definition.properties) {
    const context = {
      findings,
      via,
      objectSchema: (type: Class, path: readonly string[]) => objectSchema(type, path, findings),
    };
    const built = propertySchema(property, context);
    properties[property.name] = built.schema;
    if (built.required) required.push(property.name);
    if (built.schema.default !== undefined)
      checkDefault(`${property.declaredBy.name}.${property.name}`, built.schema, findings);
  }
  schema.properties = properties;
  if (required.length > 0) schema.required = required.sort();
  return schema;
}

function checkDefault(where: string, schema: JsonSchema, findings: Findings): void {
  for (const violation of violations(schema, schema.default, ''))
    findings.fault('KW_CRD_DEFAULT', where, {
      found: `has the default ${JSON.stringify(schema.default)}, whose ${violation.path || 'value'} ${violation.problem}`,
      cause: 'a default has to pass its own schema',
      fix: 'correct the default or the rule',
    });
}
