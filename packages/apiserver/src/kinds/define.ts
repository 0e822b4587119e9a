import { apiVersionOf } from '../core/registry.js';
import type {
  KubeObject,
  ResourceDef,
  ResourceTraits,
  ScalePaths,
  Strategy,
  SubresourceInfo,
  TableColumn,
  Verb,
} from '../core/types.js';
import { builtinSchema } from '../schema/builtin.js';
import { BuiltinStrategy, type KindBehaviour } from './strategy.js';

const VERBS: readonly Verb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** A built-in kind: what differs from the most common kind (namespaced, all verbs, no status, unconditional update). */
export interface KindSpec {
  group?: string;
  version?: string;
  kind: string;
  plural: string;
  shortNames?: readonly string[];
  categories?: readonly string[];
  namespaced?: boolean;
  verbs?: readonly Verb[];
  status?: boolean;
  scale?: ScalePaths;
  subresources?: readonly SubresourceInfo[];
  traits?: Partial<ResourceTraits>;
  columns: readonly TableColumn[];
  fields?: Readonly<Record<string, (object: KubeObject) => string>>;
  behaviour?: KindBehaviour;
  /** Instead of `behaviour`. */
  strategy?: Strategy;
  storage?: string;
  /** Warning on every request for the kind. */
  deprecated?: string;
}

const TRAITS: ResourceTraits = {
  names: 'subdomain',
  unconditionalUpdate: true,
  createOnUpdate: false,
  gracefulDelete: false,
  deleteAnswer: 'status',
  defaultPropagation: 'Background',
  generation: 'none',
};

/** Builds the definition of a built-in resource. */
export function defineKind(spec: KindSpec): ResourceDef {
  const { group = '', version = 'v1', kind } = spec;
  const traits = { ...TRAITS, ...spec.traits };
  const own = (verbs: readonly string[]): Omit<SubresourceInfo, 'name'> => ({ kind, group, version, verbs });
  const subresources: SubresourceInfo[] = [...(spec.subresources ?? [])];
  if (spec.scale)
    subresources.push({
      name: 'scale',
      kind: 'Scale',
      group: 'autoscaling',
      version: 'v1',
      verbs: ['get', 'patch', 'update'],
    });
  if (spec.status) subresources.push({ name: 'status', ...own(['get', 'patch', 'update']) });
  subresources.sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    group,
    plural: spec.plural,
    singular: kind.toLowerCase(),
    kind,
    listKind: `${kind}List`,
    shortNames: spec.shortNames ?? [],
    categories: spec.categories ?? [],
    namespaced: spec.namespaced ?? true,
    custom: false,
    verbs: spec.verbs ?? VERBS,
    versions: [
      {
        name: version,
        served: true,
        ...(spec.deprecated === undefined ? {} : { deprecated: true, deprecationWarning: spec.deprecated }),
        schema: builtinSchema(apiVersionOf(group, version), kind),
        status: spec.status ?? false,
        ...(spec.scale ? { scale: spec.scale } : {}),
        columns: spec.columns,
        fields: spec.fields ?? {},
      },
    ],
    storageVersion: version,
    traits,
    subresources,
    strategy:
      spec.strategy ??
      new BuiltinStrategy(
        { group, version, kind, resetsStatus: (spec.status ?? false) && !traits.statusOnCreate },
        spec.behaviour ?? {},
      ),
    ...(spec.storage === undefined ? {} : { storage: spec.storage }),
  };
}
