import type { NonResourceRule, ResourceRule } from './ports.js';

/** A rule of a role, in the form of the API. */
export type PolicyRule = Partial<ResourceRule> & Partial<NonResourceRule>;

const each = (list: readonly string[] | undefined): readonly string[] => list ?? [];

/** One rule for each single right. */
function* single(rule: PolicyRule): Generator<PolicyRule> {
  for (const verb of each(rule.verbs)) {
    for (const url of each(rule.nonResourceURLs)) yield { verbs: [verb], nonResourceURLs: [url] };
    for (const group of each(rule.apiGroups)) {
      for (const resource of each(rule.resources)) {
        const right = { verbs: [verb], apiGroups: [group], resources: [resource] };
        if (!rule.resourceNames?.length) yield right;
        else for (const name of rule.resourceNames) yield { ...right, resourceNames: [name] };
      }
    }
  }
}

const has = (list: readonly string[] | undefined, value: string): boolean =>
  list !== undefined && (list.includes('*') || list.includes(value));

function coversOne(held: PolicyRule, wanted: PolicyRule): boolean {
  if (!has(held.verbs, wanted.verbs?.[0] ?? '')) return false;
  const url = wanted.nonResourceURLs?.[0];
  if (url !== undefined) {
    return each(held.nonResourceURLs).some(
      (own) => own === '*' || own === url || (own.endsWith('*') && url.startsWith(own.slice(0, -1))),
    );
  }
  if (!has(held.apiGroups, wanted.apiGroups?.[0] ?? '')) return false;
  const resource = wanted.resources?.[0] ?? '';
  const slash = resource.indexOf('/');
  const fits =
    has(held.resources, resource) || (slash > 0 && each(held.resources).includes(`*/${resource.slice(slash + 1)}`));
  if (!fits) return false;
  if (!held.resourceNames?.length) return true;
  return wanted.resourceNames !== undefined && held.resourceNames.includes(wanted.resourceNames[0] ?? '');
}

/** The single rights of `wanted` that `held` does not include. */
export function missingRights(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  const missing: PolicyRule[] = [];
  for (const rule of wanted) {
    for (const right of single(rule)) if (!held.some((own) => coversOne(own, right))) missing.push(right);
  }
  return missing;
}

const SHOWN = [
  ['APIGroups', 'apiGroups'],
  ['Resources', 'resources'],
  ['NonResourceURLs', 'nonResourceURLs'],
  ['ResourceNames', 'resourceNames'],
  ['Verbs', 'verbs'],
] as const;

/** A list of texts as Go prints it. */
export const goList = (list: readonly string[]): string => `[${list.map((text) => JSON.stringify(text)).join(' ')}]`;

function shown(rule: PolicyRule): string {
  const parts = SHOWN.flatMap(([label, key]) => (rule[key]?.length ? [`${label}:${goList(rule[key])}`] : []));
  return `{${parts.join(', ')}}`;
}

/** Rights as lines of text: those on the same resource share a line, and the lines are sorted. */
export function describeRights(rights: readonly PolicyRule[]): string {
  const byResource = new Map<string, { rule: PolicyRule; verbs: string[] }>();
  for (const { verbs, ...rest } of rights) {
    const verb = verbs?.[0] ?? '';
    // Rights on paths are listed one by one.
    const key = rest.nonResourceURLs ? JSON.stringify([rest, verb]) : JSON.stringify(rest);
    const known = byResource.get(key);
    if (!known) byResource.set(key, { rule: rest, verbs: [verb] });
    else if (!known.verbs.includes(verb)) known.verbs.push(verb);
  }
  return [...new Set([...byResource.values()].map(({ rule, verbs }) => shown({ ...rule, verbs })))].sort().join('\n');
}
