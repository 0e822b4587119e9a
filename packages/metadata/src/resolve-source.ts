import type { KindInfo, KindRef } from '@kubewright/api';
import { checkPart } from './check-part.js';
import { isClass, resolveThunk } from './class-type.js';
import type { FaultList } from './fault-list.js';
import { isChannel, isKindRef, kindOf, refName } from './kind-of.js';
import type { EventChannel, SourceRecord, SourceRole } from './record.js';

/** One source of a controller, resolved. */
export interface SourceDefinition {
  readonly role: SourceRole;
  /** `PodSetController @Owns(V1Pod)`: how messages name it. */
  readonly label: string;
  /** What it watches: a kind, or a channel of events from outside the cluster. */
  readonly ref: KindRef<unknown> | EventChannel;
  /** Undefined for channels, and for kinds that are found by discovery at start. */
  readonly kind: KindInfo | undefined;
  readonly options: SourceRecord['options'];
  readonly method?: string;
}

/** Written source → resolved source; undefined, and a fault, when it names nothing that can be watched. */
export function resolveSource(source: SourceRecord, list: FaultList): SourceDefinition | undefined {
  const { role, options, method } = source;
  const ref = late(source.kind);
  const channel = role === 'Watches' && isChannel(ref);
  const decorator = `@${role}(${channel ? 'channel' : refName(ref)})`;
  checkParts(source, decorator, list);
  const kind = channel ? undefined : watchedKind(ref, { role, decorator, method }, list);
  if (kind === null) return undefined;
  if (!channel && role === 'Watches' && method === undefined && options.handler === undefined)
    list.add('KW_META_NO_HANDLER', {
      found: `${decorator} has no handler`,
      expected: 'a way from the event to a request',
      fix: `add { handler: TheHandler }, or put ${decorator} on a mapping method`,
    });
  if (kind?.scope === 'Cluster' && (options.namespaces?.length ?? 0) > 0) {
    const found = `${decorator} lists namespaces but ${kind.kind} is cluster-scoped`;
    list.add('KW_META_NAMESPACES', { found, expected: 'no namespaces', fix: 'remove the option `namespaces`' }, method);
  }
  const label = `${list.owner} ${decorator}${method === undefined ? '' : ` ${method}`}`;
  return { role, label, ref: ref as SourceDefinition['ref'], kind, options, ...(method !== undefined && { method }) };
}

function checkParts({ options, method }: SourceRecord, decorator: string, list: FaultList): void {
  for (const predicate of options.predicates ?? [])
    checkPart(predicate, { place: `${decorator} predicates`, what: 'a predicate', property: method }, list);
  if (options.handler !== undefined)
    checkPart(options.handler, { place: `${decorator} handler`, what: 'an event handler', property: method }, list);
}

interface Place {
  readonly role: SourceRole;
  readonly decorator: string;
  readonly method: string | undefined;
}

/** The kind, undefined when only discovery can tell it, null (and a fault) when it is none. */
function watchedKind(ref: unknown, { role, decorator, method }: Place, list: FaultList): KindInfo | undefined | null {
  if (!isKindRef(ref)) {
    const why = ref === undefined ? 'a class that was not loaded yet (circular import)' : 'something that is no kind';
    const expected = 'a resource class, a built-in kind or kind({ … })';
    const fix = `write @${role}(() => TheClass), or break the import cycle`;
    list.add('KW_CRD_NO_RESOURCE', { found: `${decorator} names ${why}`, expected, fix }, method);
    return null;
  }
  const kind = kindOf(ref);
  if (kind !== undefined || !isClass(ref)) return kind;
  const found = `${decorator} names a class that is neither a @Resource nor a built-in kind`;
  const fix = `put @Resource({ group, version }) on ${refName(ref)}, or use kind({ group, version, kind })`;
  list.add('KW_CRD_NO_RESOURCE', { found, expected: 'a kind of the cluster', fix }, method);
  return null;
}

/** What a thunk answers; undefined when the class it names is not loaded yet. */
function late(kind: SourceRecord['kind']): unknown {
  try {
    return resolveThunk<unknown>(kind);
  } catch (error) {
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
}
