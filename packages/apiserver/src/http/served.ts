import type { Registry } from '../core/types.js';
import type { Endpoint } from './rest.js';
import { compareVersions } from './version-order.js';

interface ServedVersion {
  readonly endpoints: ReadonlyMap<string, Endpoint>;
}

export interface ServedGroup {
  readonly name: string;
  /** True when a built-in kind is in it: its refusals are Status objects, those of other groups plain text (TR-6). */
  readonly builtin: boolean;
  /** By version name, in kube priority order (DI-4). */
  readonly versions: ReadonlyMap<string, ServedVersion>;
}

/** The order in which a real server lists its groups; kubectl resolves ambiguous names by it. */
const GROUP_ORDER: readonly string[] = [
  '',
  'apps',
  'events.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'networking.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'storage.k8s.io',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'scheduling.k8s.io',
  'coordination.k8s.io',
  'node.k8s.io',
  'discovery.k8s.io',
];

const rank = (group: ServedGroup): number => {
  const at = GROUP_ORDER.indexOf(group.name);
  return at >= 0 ? at : group.builtin ? GROUP_ORDER.length : GROUP_ORDER.length + 1;
};

/** The registry arranged by group, version and plural; arranged again after a change, when first asked. */
export class Served {
  readonly #registry: Registry;
  #generation = -1;
  #groups: ReadonlyMap<string, ServedGroup> = new Map();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Counts registry changes: what was derived from the table holds as long as this stays the same. */
  get generation(): number {
    return this.#registry.generation;
  }

  /** By name, in discovery order; the core group is `""`. */
  get groups(): ReadonlyMap<string, ServedGroup> {
    if (this.#generation !== this.#registry.generation) {
      this.#groups = arrange(this.#registry);
      this.#generation = this.#registry.generation;
    }
    return this.#groups;
  }

  find(group: string, version: string, plural: string): Endpoint | undefined {
    return this.groups.get(group)?.versions.get(version)?.endpoints.get(plural);
  }
}

function arrange(registry: Registry): ReadonlyMap<string, ServedGroup> {
  const groups = new Map<string, { builtin: boolean; versions: Map<string, Endpoint[]> }>();
  for (const resource of registry.all) {
    const group = groups.get(resource.group) ?? { builtin: false, versions: new Map<string, Endpoint[]>() };
    groups.set(resource.group, group);
    if (!resource.custom) group.builtin = true;
    for (const version of resource.versions) {
      if (!version.served) continue;
      const endpoints = group.versions.get(version.name) ?? [];
      endpoints.push({ resource, version });
      group.versions.set(version.name, endpoints);
    }
  }
  const sorted = [...groups].map(([name, { builtin, versions }]): ServedGroup => {
    const ordered = [...versions].sort(([a], [b]) => compareVersions(a, b));
    return {
      name,
      builtin,
      versions: new Map(ordered.map(([version, all]) => [version, { endpoints: byPlural(all) }])),
    };
  });
  const byRank = (a: ServedGroup, b: ServedGroup): number => rank(a) - rank(b) || (a.name < b.name ? -1 : 1);
  return new Map(
    sorted
      .filter((g) => g.versions.size > 0)
      .sort(byRank)
      .map((group) => [group.name, group]),
  );
}

function byPlural(endpoints: Endpoint[]): ReadonlyMap<string, Endpoint> {
  const sorted = endpoints.sort((a, b) => (a.resource.plural < b.resource.plural ? -1 : 1));
  return new Map(sorted.map((endpoint) => [endpoint.resource.plural, endpoint]));
}
