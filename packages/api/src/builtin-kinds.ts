import { type BuiltinKindRow, builtinKindRows } from './builtin-kinds.data.js';
import type { KindInfo } from './gvk.js';
import type { KindToken } from './object.js';

const infoOf = ([, group, version, kind, plural, namespaced, status]: BuiltinKindRow): KindInfo =>
  Object.freeze({
    group,
    version,
    kind,
    plural,
    scope: namespaced ? 'Namespaced' : 'Cluster',
    hasStatus: status === 1,
  });

const byClass = new Map<string, KindInfo>(builtinKindRows.map((row) => [row[0], infoOf(row)]));
const byGvk = new Map<string, KindInfo>(
  [...byClass.values()].map((info) => [`${info.group}/${info.version}/${info.kind}`, info]),
);

/** What is known of a built-in kind by group, version and kind; undefined for any other kind. */
export function builtinKind(gvk: { group: string; version: string; kind: string }): KindInfo | undefined {
  return byGvk.get(`${gvk.group}/${gvk.version}/${gvk.kind}`);
}

/**
 * What is known of a model class of `@kubernetes/client-node`; undefined for any other class. Model classes are told by
 * their static type map, so that a class of yours that happens to be called `V1Pod` is not mistaken for one.
 */
export function builtinKindOfClass(model: unknown): KindInfo | undefined {
  return typeof model === 'function' && 'getAttributeTypeMap' in model ? byClass.get(model.name) : undefined;
}

/** A light stand-in for a model class: the kind without the code of the models. */
export function builtinToken<T>(className: string): KindToken<T> {
  const info = byClass.get(className);
  if (!info) throw new Error(`no built-in kind has the model class ${className}`);
  return info as KindToken<T>;
}
