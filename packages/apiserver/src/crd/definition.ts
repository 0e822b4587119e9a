import type {
  JsonObject,
  KubeObject,
  ResourceDef,
  ResourceTraits,
  ResourceVersion,
  ScalePaths,
  Schema,
  Verb,
} from '../core/types.js';
import type { RuleRunner } from '../cel/rules.js';
import { customColumns } from './columns.js';
import { compileJsonPath } from './json-path.js';
import { CustomStrategy, type Converter } from './strategy.js';
import type { CrdVersion, CustomResourceDefinition } from './types.js';
import { CustomVersion } from './version.js';
import { compareVersions } from './version-order.js';

const verbs: readonly Verb[] = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

const traits: ResourceTraits = {
  names: 'subdomain',
  unconditionalUpdate: false,
  createOnUpdate: false,
  gracefulDelete: false,
  deleteAnswer: 'status',
  defaultPropagation: 'Background',
  generation: 'non-metadata',
};

export interface CustomOptions {
  /** Compiles the rules of a schema; undefined when it has none. */
  rules(root: Schema): RuleRunner | undefined;
  /** Called for strategy Webhook. Default: None, the apiVersion is rewritten. */
  converter?: Converter | undefined;
  /** Whether the definition is being deleted: no new objects then. Default: never. */
  terminating?: () => boolean;
}

/** The resource that a CustomResourceDefinition declares, under its accepted names. */
export function customResource(crd: CustomResourceDefinition, options: CustomOptions): ResourceDef {
  const { group, scope, versions } = crd.spec;
  const names = crd.status?.acceptedNames ?? crd.spec.names;
  const compiled = new Map(
    versions.map((version) => [version.name, new CustomVersion(version, (root) => options.rules(root))]),
  );
  const sorted = [...versions].sort((a, b) => compareVersions(a.name, b.name));
  const storage = versions.find((version) => version.storage) as CrdVersion;
  return {
    group,
    plural: names.plural,
    singular: names.singular ?? names.kind.toLowerCase(),
    kind: names.kind,
    listKind: names.listKind ?? `${names.kind}List`,
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    namespaced: scope === 'Namespaced',
    custom: true,
    verbs,
    versions: sorted.map((version) => resourceVersion(version, compiled.get(version.name) as CustomVersion)),
    storageVersion: storage.name,
    traits,
    subresources: [],
    strategy: new CustomStrategy({
      group,
      plural: names.plural,
      kind: names.kind,
      versions: compiled,
      storageVersion: storage.name,
      converter: options.converter,
      terminating: options.terminating ?? (() => false),
    }),
  };
}

function resourceVersion(version: CrdVersion, compiled: CustomVersion): ResourceVersion {
  const fields: Record<string, (object: KubeObject) => string> = {};
  for (const { jsonPath } of version.selectableFields ?? []) {
    const path = compileJsonPath(jsonPath);
    if (typeof path === 'string') continue;
    fields[jsonPath.replace(/^\./, '')] = (object) => {
      const [value] = path(object as unknown as JsonObject);
      return typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
    };
  }
  return {
    name: version.name,
    served: version.served,
    ...(version.deprecated ? { deprecated: true } : {}),
    ...(version.deprecationWarning ? { deprecationWarning: version.deprecationWarning } : {}),
    schema: compiled.source,
    status: compiled.hasStatus,
    ...(compiled.scale ? { scale: scalePaths(compiled.scale) } : {}),
    columns: customColumns(version.additionalPrinterColumns),
    fields,
  };
}

function scalePaths({ specReplicasPath, statusReplicasPath, labelSelectorPath }: ScalePaths): ScalePaths {
  return { specReplicasPath, statusReplicasPath, ...(labelSelectorPath ? { labelSelectorPath } : {}) };
}
