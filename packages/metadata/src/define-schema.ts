import type { Class } from './class-type.js';
import { lineage } from './class-type.js';
import { sourceMembers } from './class-source.js';
import { designType } from './design-types.js';
import type { PropertyRecord } from './record.js';
import { recordOf } from './store.js';
import { type ValidationRule, validationRules } from './validation-rules.js';

/** A property of an object class with all that was said of it, bases included. */
export interface PropertyDefinition {
  readonly name: string;
  /** The class that declares it last. */
  readonly declaredBy: Class;
  readonly designType: unknown;
  readonly rules: readonly ValidationRule[];
  readonly facts: PropertyRecord;
  readonly description?: string;
}

/** An object class as the schema sees it. */
export interface SchemaDefinition {
  readonly cls: Class;
  /** In the order of declaration, those of bases first. */
  readonly properties: readonly PropertyDefinition[];
  /** Fields that no decorator makes part of the schema. */
  readonly undecorated: readonly string[];
}

/** Reads the properties of a class and its bases; a redeclared property replaces the base's facts one by one (CRD-5). */
export function defineSchema(cls: Class): SchemaDefinition {
  const properties = new Map<string, PropertyDefinition>();
  const undecorated: string[] = [];
  for (const at of lineage(cls)) {
    const { properties: records } = recordOf(at);
    const rules = validationRules(at);
    const members = sourceMembers(at).filter((member) => !member.static && member.kind !== 'method');
    const descriptions = new Map(members.map((member) => [member.name, member.description]));
    const decorated = new Set([...Object.keys(records), ...rules.keys()]);
    const ordered = [...members.map((member) => member.name).filter((name) => decorated.has(name)), ...decorated];
    for (const name of new Set(ordered)) {
      const own = { declaredBy: at, facts: records[name], rules: rules.get(name), description: descriptions.get(name) };
      properties.set(name, merge(name, properties.get(name), own));
    }
    if (decorated.size > 0)
      for (const member of members)
        if (member.kind === 'field' && !decorated.has(member.name)) undecorated.push(member.name);
  }
  return {
    cls,
    properties: [...properties.values()],
    undecorated: undecorated.filter((name) => !properties.has(name)),
  };
}

interface Own {
  readonly declaredBy: Class;
  readonly facts: PropertyRecord | undefined;
  readonly rules: readonly ValidationRule[] | undefined;
  readonly description: string | undefined;
}

function merge(name: string, base: PropertyDefinition | undefined, own: Own): PropertyDefinition {
  const rules = own.rules ?? [];
  const replaced = new Set(rules.map((rule) => rule.name));
  const description = own.description ?? base?.description;
  return {
    name,
    declaredBy: own.declaredBy,
    designType: designType(own.declaredBy, name) ?? base?.designType,
    rules: [...(base?.rules ?? []).filter((rule) => !replaced.has(rule.name)), ...rules],
    facts: { ...base?.facts, ...own.facts },
    ...(description !== undefined && { description }),
  };
}
