import { type Class, type ControllerDefinition, isClass, recordOf, type SourceDefinition } from '@kubewright/metadata';

/** One right, and what it is for. */
export interface Grant {
  readonly group: string;
  readonly resource: string;
  readonly verbs: readonly string[];
  /** Undefined: all namespaces, or a cluster-scoped kind. */
  readonly namespace: string | undefined;
  /** `@Owns(Pod): PodSetController`. */
  readonly reason: string;
}

const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'update', 'patch', 'delete'];

/** What one controller has to be allowed to do (the table of §4). */
export function grantsOf({ cls, sources }: ControllerDefinition, namespaces: readonly string[] | undefined): Grant[] {
  const grants: Grant[] = [];
  const owns = sources.some((source) => source.role === 'Owns');
  for (const source of sources) {
    const { kind, role } = source;
    if (!kind) continue;
    const decorator = source.label.slice(source.label.indexOf('@')).replace(/ \w+$/, '');
    const listed = source.options.namespaces ?? namespaces;
    const places = kind.scope === 'Cluster' || !listed ? [undefined] : listed;
    const add = (verbs: readonly string[], resource = kind.plural): void => {
      for (const namespace of places)
        grants.push({ group: kind.group, resource, verbs, namespace, reason: `${decorator}: ${cls.name}` });
    };
    if (role === 'Watches') add(READ);
    if (role === 'Owns') add([...READ, ...WRITE]);
    if (role !== 'For') continue;
    const ours = isOurs(source);
    add(ours ? [...READ, 'update', 'patch'] : READ);
    if (ours && kind.hasStatus === true) add(['update', 'patch'], `${kind.plural}/status`);
    // Owner references of children block the owner's deletion; setting one needs this right on the owner.
    if (owns) add(['update'], `${kind.plural}/finalizers`);
  }
  return grants;
}

function isOurs({ ref }: SourceDefinition): boolean {
  const resource = isClass(ref) ? recordOf(ref as Class).resource : undefined;
  return resource !== undefined && resource.external !== true;
}

/** A rule of a role. */
export interface PolicyRule {
  apiGroups: string[];
  resources: string[];
  verbs: string[];
}

const VERB_ORDER = [...READ, ...WRITE, 'deletecollection'];
const verbRank = (verb: string): string => `${String(VERB_ORDER.indexOf(verb) + 1 || 99).padStart(2, '0')}${verb}`;
const byCode = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

interface Right {
  readonly group: string;
  readonly resource: string;
  readonly verbs: Set<string>;
  readonly reasons: Set<string>;
}

/** Rights of one scope, merged (RBAC-2): verbs of a resource united, resources of a group with equal verbs in one rule. */
export function mergeGrants(
  grants: readonly Grant[],
): { readonly rule: PolicyRule; readonly reasons: readonly string[] }[] {
  const rights = new Map<string, Right>();
  for (const { group, resource, verbs, reason } of grants) {
    const key = `${group}/${resource}`;
    const right = rights.get(key) ?? { group, resource, verbs: new Set(), reasons: new Set() };
    for (const verb of verbs) right.verbs.add(verb);
    right.reasons.add(reason);
    rights.set(key, right);
  }
  const rules = new Map<string, { rule: PolicyRule; reasons: Set<string> }>();
  const ordered = [...rights.values()].sort((a, b) => byCode(a.group, b.group) || byCode(a.resource, b.resource));
  for (const { group, resource, verbs, reasons } of ordered) {
    const sorted = [...verbs].sort((a, b) => byCode(verbRank(a), verbRank(b)));
    const key = `${group}/${sorted.join()}`;
    const entry = rules.get(key) ?? { rule: { apiGroups: [group], resources: [], verbs: sorted }, reasons: new Set() };
    entry.rule.resources.push(resource);
    for (const reason of reasons) entry.reasons.add(reason);
    rules.set(key, entry);
  }
  return [...rules.values()].map(({ rule, reasons }) => ({ rule, reasons: [...reasons].sort(byCode) }));
}
