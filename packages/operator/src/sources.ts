import type { EventHandler, FieldSelector, KindInfo, LabelSelector, Reconciler, Wire } from '@kubewright/api';
import { isChannel, type SourceDefinition } from '@kubewright/metadata';
import {
  type Cache,
  type Channel,
  forMapping,
  forObject,
  forOwner,
  type Informer,
  type InformerOptions,
  type InformerScope,
  KindSource,
  type Source,
} from '@kubewright/runtime';
import type { Instances } from './instances.js';

/** What the sources of one definition are built from. */
export interface SourceContext {
  readonly cache: Cache;
  /** Namespaces of the operator; undefined: all. */
  readonly namespaces: readonly string[] | undefined;
  /** Kind of the controller's `@For`. */
  readonly primary: KindInfo | undefined;
  readonly reconciler: Reconciler;
  /** The user's objects for this definition. */
  readonly parts: Instances['sources'][number] | undefined;
}

/** The source of a channel, or one source per namespace of a kind. */
export function sourcesOf(definition: SourceDefinition, kind: KindInfo | undefined, context: SourceContext): Source[] {
  const { options, label, ref } = definition;
  const common = {
    label,
    handler: context.parts?.handler ?? handlerOf(definition, context),
    predicates: context.parts?.predicates,
    priority: options.priority,
  };
  if (isChannel(ref)) return [(ref as Channel).source(common)];
  if (!kind) return [];
  return informersOf(definition, kind, context).map(
    (informer) =>
      new KindSource({
        ...common,
        informer,
        primary: definition.role === 'For',
        optional: options.optional ?? false,
      }),
  );
}

/** One informer for each namespace of a source. */
export function informersOf(
  definition: SourceDefinition,
  kind: KindInfo,
  { cache, namespaces }: Pick<SourceContext, 'cache' | 'namespaces'>,
): Informer[] {
  return scopesOf(definition, kind, namespaces).map((scope) =>
    cache.informer(kind, scope, informerOptions(definition)),
  );
}

function handlerOf({ role, method, options }: SourceDefinition, { primary, reconciler }: SourceContext): EventHandler {
  if (role === 'Owns' && primary) return forOwner(primary, { controllerOnly: options.controllerOnly ?? true });
  if (method === undefined) return forObject();
  const carrier = reconciler as unknown as Record<string, (object: Wire<unknown>) => ReturnType<Mapping>>;
  return forMapping((object) => carrier[method]?.(object));
}

type Mapping = Parameters<typeof forMapping>[0];

function scopesOf({ options }: SourceDefinition, kind: KindInfo, namespaces?: readonly string[]): InformerScope[] {
  const selectors = {
    ...(options.selector !== undefined && { labels: selectorText(options.selector) }),
    ...(options.fieldSelector !== undefined && { fields: selectorText(options.fieldSelector) }),
  };
  const listed = kind.scope === 'Namespaced' ? (options.namespaces ?? namespaces) : undefined;
  return listed ? [...new Set(listed)].map((namespace) => ({ namespace, ...selectors })) : [selectors];
}

const selectorText = (selector: LabelSelector | FieldSelector): string =>
  typeof selector === 'string'
    ? selector
    : Object.entries(selector)
        .map(([key, value]) => `${key}=${value}`)
        .join(',');

function informerOptions({ label, options }: SourceDefinition): InformerOptions {
  return {
    label,
    ...(options.transform && { transform: options.transform }),
    ...(options.readYourOwnWrites !== undefined && { readYourOwnWrites: options.readYourOwnWrites }),
    ...(options.keepManagedFields !== undefined && { keepManagedFields: options.keepManagedFields }),
    ...(options.index && { indexers: options.index as NonNullable<InformerOptions['indexers']> }),
  };
}
