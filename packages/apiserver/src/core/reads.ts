import type { Core } from './core.js';
import { notFound } from './errors.js';
import { parseFieldSelector } from './field-selector.js';
import { parseLabelSelector } from './label-selector.js';
import { continueTooOld, formatContinue, listTooOld, parseRevision, planList, planWatch, tooLarge } from './query.js';
import { lowerBound } from './collection.js';
import { keyOf, keyOfObject, storageOf, versionOf } from './registry.js';
import { getScale } from './scale.js';
import type {
  GetOptions,
  KubeObject,
  ListOptions,
  ListResult,
  Target,
  WatchHandle,
  WatchOptions,
  WatchSink,
} from './types.js';

/** How long a read waits for a revision that was not reached yet, in ms (QP-4). */
const FUTURE_WAIT_MS = 3000;

async function waitFor(core: Core, revision: number | undefined): Promise<void> {
  if (revision === undefined || revision <= core.store.revision) return;
  if (!(await core.store.reached(revision, FUTURE_WAIT_MS))) throw tooLarge(revision, core.store.revision);
}

/** GET of one object. */
export async function get(core: Core, target: Target, options: GetOptions): Promise<KubeObject> {
  const version = versionOf(target);
  await waitFor(core, parseRevision(options.resourceVersion, 'other'));
  const { resource, name = '' } = target;
  const stored = core.store.get(storageOf(resource), keyOf(resource, target.namespace, name));
  if (!stored) throw notFound(resource, name);
  const object = await core.representations.at(resource, stored, target.version);
  return target.subresource === 'scale' ? getScale(target, version, object) : object;
}

/** The keys a request can see: one namespace of a namespaced resource, or all. */
function prefixOf({ resource, namespace }: Target): string {
  return resource.namespaced && namespace ? `${namespace}/` : '';
}

type Matches = (object: KubeObject) => boolean;

function selection(
  target: Target,
  options: { labelSelector?: string | undefined; fieldSelector?: string | undefined },
): {
  matches: Matches | undefined;
  name: string | undefined;
} {
  const labels = parseLabelSelector(options.labelSelector);
  const fields = parseFieldSelector(options.fieldSelector, target.resource, versionOf(target));
  const name = fields?.name || undefined;
  if (labels && fields) return { name, matches: (object) => labels(object.metadata.labels) && fields.matches(object) };
  if (labels) return { name, matches: (object) => labels(object.metadata.labels) };
  return { name, matches: fields && ((object) => fields.matches(object)) };
}

/** GET of a collection (QP-1 … QP-5, DE-14). */
export async function list(core: Core, target: Target, options: ListOptions): Promise<ListResult> {
  const plan = planList(options);
  const { matches, name } = selection(target, options);
  const { resource, version } = target;
  if (plan.mode === 'newer') await waitFor(core, plan.revision);
  if (plan.mode === 'exact') await waitFor(core, plan.revision);
  const prefix = prefixOf(target);
  const collection = core.store.collection(storageOf(resource));
  core.store.trim(collection);
  let revision = core.store.revision;
  if (plan.mode === 'exact') {
    revision = plan.revision;
    if (revision < collection.floor) throw listTooOld();
  } else if (plan.mode === 'continue' && plan.revision > 0) {
    revision = plan.revision;
    if (revision < collection.floor) throw continueTooOld(plan.after);
  }
  const view = collection.view(prefix, revision === core.store.revision ? undefined : revision);
  const limit = plan.mode === 'newer' && plan.revision === 0 ? 0 : (options.limit ?? 0);
  const after = plan.mode === 'continue' ? prefix + plan.after : undefined;
  // Taken out of the view at once, because conversions may wait and the view is of this moment.
  const first = after === undefined ? view.from : Math.max(view.from, lowerBound(view.keys, `${after}\0`));
  const last = limit > 0 && !matches ? Math.min(view.to, first + limit) : view.to;
  const candidates: KubeObject[] = [];
  for (let i = first; i < last; i++) {
    const stored = view.get(view.keys[i] as string);
    if (name === undefined || stored.metadata.name === name) candidates.push(stored);
  }
  const remaining = view.to - last;
  let more = remaining > 0;
  const items: KubeObject[] = [];
  let previous: KubeObject | undefined;
  for (const stored of candidates) {
    const made = core.representations.at(resource, stored, version);
    const object = made instanceof Promise ? await made : made;
    if (matches) {
      if (!matches(object)) continue;
      if (limit > 0 && items.length === limit) {
        more = true;
        break;
      }
    }
    items.push(object);
    previous = stored;
  }
  const start = more && previous ? keyOfObject(resource, previous).slice(prefix.length) : undefined;
  return {
    items,
    resourceVersion: String(revision),
    ...(start === undefined ? {} : { continue: formatContinue(revision, start) }),
    ...(start !== undefined && !matches ? { remainingItemCount: remaining } : {}),
  };
}

/** GET with `watch` (QP-6 … QP-9, WA-2 … WA-5). */
export async function watch(core: Core, target: Target, options: WatchOptions, sink: WatchSink): Promise<WatchHandle> {
  const plan = planWatch(options);
  const { matches, name } = selection(target, options);
  if (plan.mode === 'initial') await waitFor(core, plan.revision);
  const { timeoutSeconds } = options;
  return core.hub.open({
    resource: target.resource,
    version: target.version,
    prefix: prefixOf(target),
    namespace: target.namespace,
    name: target.name ?? name,
    principal: options.principal,
    matches,
    bookmarks: options.allowWatchBookmarks ?? false,
    plan,
    timeoutMs: timeoutSeconds === undefined || timeoutSeconds <= 0 ? undefined : timeoutSeconds * 1000,
    sink,
  });
}
