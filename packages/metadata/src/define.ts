import { gvkKey } from '@kubewright/api';
import { type Class, isClass } from './class-type.js';
import { type ControllerDefinition, defineController } from './define-controller.js';
import { defineResource, type ResourceDefinition, resourceFaults } from './define-resource.js';
import type { Fault } from './fault.js';
import { hasRecord, recordOf } from './store.js';

/** What an operator is made of, as listed by its author. Nothing else is looked at. */
export interface ClassLists {
  readonly controllers: readonly Class[];
  /** Resource classes that no controller names. */
  readonly resources?: readonly Class[];
}

/** All definitions of an operator and everything that is wrong with them. Nothing is constructed here. */
export interface Definitions {
  readonly controllers: readonly ControllerDefinition[];
  readonly resources: readonly ResourceDefinition[];
  readonly faults: readonly Fault[];
}

/** Written form → resolved definitions, for all classes at once (M2). */
export function define(lists: ClassLists): Definitions {
  const faults: Fault[] = [];
  const controllers: ControllerDefinition[] = [];
  for (const cls of new Set(lists.controllers)) {
    const wrong = notAClass(cls, 'controllers');
    if (wrong) {
      faults.push(wrong);
      continue;
    }
    const { definition, faults: found } = defineController(cls);
    faults.push(...found);
    controllers.push(definition);
  }
  faults.push(...sameNames(controllers));

  const resources = new Map<Class, ResourceDefinition>();
  const listed = new Set(lists.resources ?? []);
  const named = controllers.flatMap((controller) => controller.sources.map((source) => source.ref));
  for (const ref of new Set([...named, ...listed])) {
    if (!isClass(ref)) {
      const wrong = (listed as ReadonlySet<unknown>).has(ref) ? notAClass(ref, 'resources') : undefined;
      if (wrong) faults.push(wrong);
      continue;
    }
    const definition = defineResource(ref);
    if (definition) resources.set(ref, definition);
    else if (listed.has(ref)) faults.push(notAResource(ref));
  }
  for (const definition of resources.values()) faults.push(...resourceFaults(definition), ...misplaced(definition.cls));
  faults.push(...sameKinds([...resources.values()]));
  return { controllers, resources: [...resources.values()], faults };
}

function notAClass(value: unknown, list: string): Fault | undefined {
  if (isClass(value)) return undefined;
  return {
    code: 'KW_META_NOT_A_CLASS',
    owner: list,
    found: `holds ${value === undefined ? 'undefined (circular import?)' : typeof value}`,
    expected: 'classes only',
    fix: 'list the class itself, not an instance of it',
  };
}

const notAResource = (cls: Class): Fault => ({
  code: 'KW_CRD_NO_RESOURCE',
  owner: cls.name,
  found: hasRecord(cls)
    ? 'is listed in `resources` but has no @Resource'
    : 'is listed in `resources` but has no decorator',
  expected: 'a @Resource class',
  fix: `put @Resource({ group, version }) on ${cls.name}`,
});

const misplaced = (cls: Class): Fault[] =>
  recordOf(cls).misuses.map(({ decorator, found, property, expected, fix }) => ({
    code: 'KW_META_PLACE',
    owner: cls.name,
    ...(property !== undefined && { property }),
    found: `${decorator} ${found}`,
    expected,
    fix,
  }));

function sameNames(controllers: readonly ControllerDefinition[]): Fault[] {
  const first = new Map<string, ControllerDefinition>();
  return controllers.flatMap((controller) => {
    const other = first.get(controller.name);
    if (!other) {
      first.set(controller.name, controller);
      return [];
    }
    return [
      {
        code: 'KW_CONTROLLER_SAME_NAME',
        owner: controller.cls.name,
        found: `has the name "${controller.name}", as ${other.cls.name} has`,
        expected: 'a name of its own in this operator',
        fix: `@Controller({ name: '${controller.name}-2' })`,
      },
    ];
  });
}

function sameKinds(resources: readonly ResourceDefinition[]): Fault[] {
  const first = new Map<string, ResourceDefinition>();
  return resources.flatMap((resource) => {
    const key = gvkKey(resource.kind);
    const other = first.get(key);
    if (!other) {
      first.set(key, resource);
      return [];
    }
    return [
      {
        code: 'KW_CRD_IDENTITY',
        owner: resource.cls.name,
        found: `describes ${key}, as ${other.cls.name} does`,
        expected: 'one class per group, version and kind',
        fix: 'give one of them another version or kind',
      },
    ];
  });
}
