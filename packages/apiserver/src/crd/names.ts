import { jsonEqual } from '../core/json.js';
import { conditionOf, type Statement } from './conditions.js';
import type { CrdNames, CustomResourceDefinition } from './types.js';

/** What the naming rules decide for a definition (CR-2). */
export interface NamesDecision {
  readonly names: CrdNames;
  readonly accepted: Statement;
  readonly established: Statement;
}

/** Accepts the names that are free in the group or already its own; `others` are the definitions of the group. */
export function decideNames(crd: CustomResourceDefinition, others: readonly CustomResourceDefinition[]): NamesDecision {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const { status } of [crd, ...others]) {
    const taken = status?.acceptedNames;
    if (!taken) continue;
    for (const name of [taken.plural, taken.singular, ...(taken.shortNames ?? [])]) if (name) resources.add(name);
    for (const name of [taken.kind, taken.listKind]) if (name) kinds.add(name);
  }
  const wanted = crd.spec.names;
  const own: CrdNames = crd.status?.acceptedNames ?? { plural: '', kind: '' };
  const names: CrdNames = { ...own };
  let problem: Statement | undefined;
  const claim = (reason: string, problems: string[], take: () => void): void => {
    if (problems.length === 0) take();
    else problem = { type: 'NamesAccepted', status: 'False', reason, message: aggregate(problems) };
  };
  const inUse = (name: string | undefined, mine: string | undefined, used: ReadonlySet<string>): string[] =>
    name === mine || name === undefined || !used.has(name) ? [] : [`"${name}" is already in use`];

  claim('PluralConflict', inUse(wanted.plural, own.plural, resources), () => (names.plural = wanted.plural));
  claim('SingularConflict', inUse(wanted.singular, own.singular, resources), () =>
    assign(names, 'singular', wanted.singular),
  );
  if (!jsonEqual(wanted.shortNames ?? [], own.shortNames ?? [])) {
    const fresh = (wanted.shortNames ?? []).filter((name) => !own.shortNames?.includes(name));
    const problems = fresh.flatMap((name) => inUse(name, '', resources));
    claim('ShortNamesConflict', problems, () => assign(names, 'shortNames', wanted.shortNames));
  }
  claim('KindConflict', inUse(wanted.kind, own.kind, kinds), () => (names.kind = wanted.kind));
  claim('ListKindConflict', inUse(wanted.listKind, own.listKind, kinds), () =>
    assign(names, 'listKind', wanted.listKind),
  );
  assign(names, 'categories', wanted.categories);

  const accepted = problem ?? {
    type: 'NamesAccepted',
    status: 'True',
    reason: 'NoConflicts',
    message: 'no conflicts found',
  };
  return { names, accepted, established: establishing(crd, accepted) };
}

function establishing(crd: CustomResourceDefinition, accepted: Statement): Statement {
  const old = conditionOf(crd, 'Established');
  if (old?.status === 'True') return old;
  if (accepted.status === 'True') {
    return {
      type: 'Established',
      status: 'False',
      reason: 'Installing',
      message: 'the initial names have been accepted',
    };
  }
  return old ?? { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' };
}

function assign<K extends 'singular' | 'shortNames' | 'listKind' | 'categories'>(
  names: CrdNames,
  key: K,
  value: CrdNames[K] | undefined,
): void {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) delete names[key];
  else names[key] = value;
}

function aggregate(problems: string[]): string {
  const different = [...new Set(problems)];
  return different.length === 1 ? (different[0] as string) : `[${different.join(', ')}]`;
}
