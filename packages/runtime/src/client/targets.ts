import {
  apiVersionOf,
  type KindInfo,
  type KindRef,
  type ObjectMeta,
  type ObjectTarget,
  parseApiVersion,
  type Target,
} from '@kubewright/api';
import { clientErrors } from './errors.js';
import { type KindRegistry, kindText, statedKind } from './kind-registry.js';

/** One object's place, resolved. */
export interface Place {
  readonly kind: KindInfo;
  /** Undefined for cluster-scoped kinds. */
  readonly namespace: string | undefined;
  readonly name: string;
  /** `namespace/name`, or `name`. */
  readonly key: string;
  /** `get Pod default/web-1`. */
  readonly what: string;
  readonly metadata: ObjectMeta;
}

const keyOf = (namespace: string | undefined, name: string): string =>
  namespace === undefined ? name : `${namespace}/${name}`;

/** Turns what callers pass into places (L2). */
export class Targets {
  constructor(
    private readonly kinds: KindRegistry,
    /** Namespace the client is bound to (L17). */
    private readonly bound: string | undefined,
  ) {}

  kind(ref: KindRef<unknown>, verb: string): KindInfo | Promise<KindInfo> {
    return this.kinds.known(ref) ?? this.kinds.find(ref, typeof ref === 'function' ? verb : `${verb} ${ref.kind}`);
  }

  /** The kind that an object states, or that its class is of. */
  kindOf(object: ObjectTarget, verb: string): KindInfo | Promise<KindInfo> {
    if (object.apiVersion !== undefined && object.kind !== undefined)
      return this.kind({ ...parseApiVersion(object.apiVersion), kind: object.kind }, verb);
    const model: unknown = object.constructor;
    const known =
      typeof model === 'function' && model !== Object ? this.kinds.known(model as KindRef<unknown>) : undefined;
    if (!known) throw clientErrors.kindUnknown(`${verb}: an object with ${statedKind(object)}`);
    return known;
  }

  /** A place that must name an object. */
  place(kind: KindInfo, target: Target | ObjectTarget, verb: string): Place {
    const metadata: ObjectMeta = 'metadata' in target ? (target.metadata ?? {}) : (target as ObjectMeta);
    const { name } = metadata;
    if (name === undefined || name === '') throw clientErrors.nameRequired(`${verb} ${kind.kind}`);
    const namespace = this.namespace(kind, metadata.namespace, `${verb} ${kind.kind} ${name}`);
    const key = keyOf(namespace, name);
    return { kind, namespace, name, key, what: `${verb} ${kind.kind} ${key}`, metadata };
  }

  /** The place of an object to be written; a stray namespace is refused. */
  written(
    kind: KindInfo,
    object: ObjectTarget,
    verb: string,
  ): Omit<Place, 'name'> & { readonly name: string | undefined } {
    const metadata = object.metadata ?? {};
    const name = metadata.name ?? metadata.generateName;
    const what = `${verb} ${kind.kind} ${name ?? '(no name)'}`;
    if (kind.scope === 'Cluster' && metadata.namespace)
      throw clientErrors.namespaceUnwanted(what, kind, metadata.namespace);
    const namespace = this.namespace(kind, metadata.namespace, what);
    const key = keyOf(namespace, name ?? '');
    return { kind, namespace, name: metadata.name, key, what: `${verb} ${kind.kind} ${key}`, metadata };
  }

  /** The namespace of a list: undefined is all of them. */
  listed(kind: KindInfo, namespace: string | undefined): string | undefined {
    if (kind.scope === 'Cluster') return undefined;
    this.check(namespace, `list ${kind.kind}`);
    return namespace ?? this.bound;
  }

  private namespace(kind: KindInfo, stated: string | undefined, what: string): string | undefined {
    if (kind.scope === 'Cluster') return undefined;
    this.check(stated, what);
    const namespace = stated ?? this.bound;
    if (namespace === undefined || namespace === '') throw clientErrors.namespaceRequired(what, kind);
    return namespace;
  }

  private check(stated: string | undefined, what: string): void {
    if (this.bound !== undefined && stated !== undefined && stated !== this.bound)
      throw clientErrors.namespaceMismatch(what, stated, this.bound);
  }
}

/** A copy of the object that states the kind; one that states another is refused (L7). */
export function ofKind(kind: KindInfo, object: ObjectTarget, what: string): ObjectTarget {
  const apiVersion = apiVersionOf(kind);
  const contradicts =
    (object.apiVersion !== undefined && object.apiVersion !== apiVersion) ||
    (object.kind !== undefined && object.kind !== kind.kind);
  if (contradicts) throw clientErrors.kindMismatch(what, statedKind(object), kindText(kind));
  return { ...object, apiVersion, kind: kind.kind };
}
