import { type Duration, parseDuration } from '@kubewright/api';
import { checkPart } from './check-part.js';
import { checkSettings, isDuration } from './check-settings.js';
import { type Class, lineage } from './class-type.js';
import { dependenciesOf } from './dependencies.js';
import type { Fault } from './fault.js';
import { FaultList } from './fault-list.js';
import { refName } from './kind-of.js';
import type { ControllerSettings, PredicateRef, SourceRecord } from './record.js';
import { resolveSource, type SourceDefinition } from './resolve-source.js';
import { recordOf } from './store.js';

/** A `@Controller` class, resolved. */
export interface ControllerDefinition {
  readonly cls: Class;
  readonly name: string;
  readonly settings: ControllerSettings;
  readonly sources: readonly SourceDefinition[];
  /** Interval of `@Every`, ms. */
  readonly every?: number;
  /** Of the controller itself: they filter every source and come first. */
  readonly predicates: readonly PredicateRef<never>[];
  /** Constructor parameters by type. */
  readonly dependencies: readonly Class[];
}

/** Resolves a `@Controller` class and collects everything that is wrong with it. */
export function defineController(cls: Class): { definition: ControllerDefinition; faults: readonly Fault[] } {
  const list = new FaultList(cls.name);
  const record = recordOf(cls);
  const settings = record.controller ?? {};
  checkPlaces(cls, list);
  const written = [...record.sources, ...inheritedMethods(cls)];
  const sources = written.flatMap((source) => resolveSource(source, list) ?? []);
  checkSources(cls, written, list);
  checkSettings(settings, list);
  const every = checkEvery(record.every, sources, list);
  for (const predicate of record.predicates) checkPart(predicate, { place: '@Predicate', what: 'a predicate' }, list);

  const { types, faults } = dependenciesOf(cls);
  const primary = sources.find((source) => source.role === 'For');
  const kindName = primary ? (primary.kind?.kind ?? refName(primary.ref)) : cls.name;
  const name = settings.name ?? kindName.toLowerCase();
  return {
    definition: {
      cls,
      name,
      settings,
      sources,
      predicates: record.predicates,
      dependencies: types,
      ...(every !== undefined && { every }),
    },
    faults: [...list.faults, ...faults],
  };
}

const inheritedMethods = (cls: Class): SourceRecord[] =>
  lineage(cls)
    .filter((at) => at !== cls)
    .flatMap((at) => recordOf(at).sources.filter((source) => source.method !== undefined));

/** Decorators that stand where they mean nothing, or are missing. */
function checkPlaces(cls: Class, list: FaultList): void {
  if (!recordOf(cls).controller)
    list.add('KW_META_NOT_A_CONTROLLER', {
      found: 'is listed in `controllers` but has no @Controller()',
      expected: 'a @Controller class',
      fix: `put @Controller() on ${cls.name}, or take it off the list`,
    });
  for (const at of lineage(cls))
    for (const { decorator, found, property, expected, fix } of recordOf(at).misuses)
      list.add('KW_META_PLACE', { found: `${decorator} ${found}`, expected, fix }, property);
  if (typeof (cls.prototype as { reconcile?: unknown }).reconcile !== 'function')
    list.add(
      'KW_CONTROLLER_NO_RECONCILE',
      {
        found: 'has no method reconcile',
        expected: 'a class that implements Reconciler',
        fix: 'write async reconcile(request, context) { … }',
      },
      'reconcile',
    );
}

/** The interval of `@Every` in ms; undefined when there is none, or none that can be. */
function checkEvery(
  every: Duration | undefined,
  sources: readonly SourceDefinition[],
  list: FaultList,
): number | undefined {
  if (every === undefined) return undefined;
  const decorator = `@Every(${JSON.stringify(every)})`;
  if (!sources.some(({ role }) => role === 'For'))
    list.add('KW_CONTROLLER_NO_PRIMARY', {
      found: `has ${decorator} but no @For`,
      expected: '@For with the kind whose objects are to run',
      fix: `put @For(TheResource) on ${list.owner}`,
    });
  if (isDuration(every) && parseDuration(every) > 0) return parseDuration(every);
  list.add('KW_CONTROLLER_OPTION', {
    found: `has ${decorator}`,
    expected: 'milliseconds or text such as "90s" or "1h30m", more than 0',
    fix: `@Every('10m')`,
  });
  return undefined;
}

function checkSources(cls: Class, sources: readonly SourceRecord[], list: FaultList): void {
  const primaries = sources.filter((source) => source.role === 'For').length;
  if (sources.length === 0)
    list.add('KW_CONTROLLER_NO_SOURCE', {
      found: 'has no source, so it would never run',
      expected: 'at least one of @For, @Owns, @Watches',
      fix: `put @For(TheResource) on ${cls.name}`,
    });
  if (primaries > 1)
    list.add('KW_CONTROLLER_TWO_PRIMARIES', {
      found: `has ${primaries} @For`,
      expected: 'exactly one kind to reconcile',
      fix: 'keep one @For; use @Watches for the others, or write a second controller',
    });
  if (primaries === 0 && sources.some((source) => source.role === 'Owns'))
    list.add('KW_CONTROLLER_NO_PRIMARY', {
      found: 'has @Owns but no @For',
      expected: '@For with the kind of the owners',
      fix: `put @For(TheResource) on ${cls.name}`,
    });
  if (primaries === 0 && sources.length > 0 && recordOf(cls).controller?.name === undefined)
    list.add('KW_CONTROLLER_NO_NAME', {
      found: 'has neither @For nor a name',
      expected: 'a name for logs and metrics',
      fix: `@Controller({ name: '${cls.name.replace(/Controller$/, '').toLowerCase() || 'mine'}' })`,
    });
}
