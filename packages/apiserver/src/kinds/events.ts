import { jsonCopy } from '../core/json.js';
import { invalidValue, required } from '../core/errors.js';
import type { FieldError, KubeObject, ResourceDef, TableColumn } from '../core/types.js';
import { column } from './columns.js';
import { defineKind } from './define.js';
import { checkQualified } from './label-rules.js';
import { humanAge } from './human-duration.js';
import { BuiltinStrategy } from './strategy.js';

/** Events of both groups in one storage (KI-2). Stored in the core form. */

interface CoreEvent extends KubeObject {
  involvedObject?: {
    kind?: string;
    name?: string;
    namespace?: string;
    uid?: string;
    apiVersion?: string;
    resourceVersion?: string;
    fieldPath?: string;
  };
  reason?: string;
  message?: string;
  type?: string;
  count?: number;
  source?: { component?: string; host?: string };
  firstTimestamp?: string | null;
  lastTimestamp?: string | null;
  eventTime?: string | null;
  series?: { count?: number; lastObservedTime?: string };
  reportingComponent?: string;
  reportingInstance?: string;
}

/** Core name → name in events.k8s.io. */
const RENAMED: readonly (readonly [string, string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['reportingComponent', 'reportingController'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
];

/** Texts that the core form writes even when empty and the other form leaves out. */
const WRITTEN_EMPTY = ['reportingComponent', 'reportingInstance'];

function renamed(object: KubeObject, to: { apiVersion: string; core: boolean }): KubeObject {
  const names = new Map(RENAMED.map(([core, other]) => (to.core ? [other, core] : [core, other])));
  const out: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(object)) {
    if (!to.core && WRITTEN_EMPTY.includes(key) && value === '') continue;
    out[names.get(key) ?? key] = value;
  }
  if (to.core) for (const key of WRITTEN_EMPTY) out[key] ??= '';
  out.apiVersion = to.apiVersion;
  return out as unknown as KubeObject;
}

/** What both groups ask of an Event. Errors name the fields of the core form, whichever form was sent. */
function validateEvent(object: KubeObject): FieldError[] {
  const { metadata, involvedObject } = coreForm(object);
  const about = involvedObject?.namespace ?? '';
  // An Event about something without a namespace belongs into `default`.
  if (metadata.namespace === about || (!about && metadata.namespace === 'default')) return [];
  return [invalidValue('involvedObject.namespace', about, 'does not match event.namespace')];
}

const MOST: readonly (readonly [keyof CoreEvent & string, number])[] = [
  ['action', 128],
  ['reason', 128],
  ['message', 1024],
  ['reportingInstance', 128],
];

/** What events.k8s.io asks of a new Event on top. */
function validateNew(object: KubeObject): FieldError[] {
  const event = coreForm(object);
  const errors = validateEvent(object);
  const refuse = (field: string, why: string): unknown => errors.push(invalidValue(field, '', why));
  if (!event.eventTime) return [...errors, required('eventTime')].concat(checkType(event));
  if (!event.reportingComponent) errors.push(required('reportingController'));
  errors.push(...checkQualified('reportingController', event.reportingComponent));
  for (const field of ['reportingInstance', 'action', 'reason']) if (!event[field]) errors.push(required(field));
  for (const [field, most] of MOST) {
    const text = event[field];
    if (typeof text === 'string' && text.length > most) refuse(field, `can have at most ${most} characters`);
  }
  if (event.count) refuse('count', 'needs to be unset');
  if (event.firstTimestamp) refuse('firstTimestamp', 'needs to be unset');
  if (event.lastTimestamp) refuse('lastTimestamp', 'needs to be unset');
  return errors.concat(checkType(event));
}

function checkType({ type = '' }: CoreEvent): FieldError[] {
  return type === 'Normal' || type === 'Warning' ? [] : [invalidValue('type', '', `has invalid value: ${type}`)];
}

/** The strategy of events.k8s.io: its own form outside, the core form in the store. */
class NewEventStrategy extends BuiltinStrategy {
  constructor() {
    super(
      { group: 'events.k8s.io', version: 'v1', kind: 'Event', resetsStatus: false },
      { validate: validateNew, checkedHere: /^eventTime$/ },
    );
  }

  toStorage(object: KubeObject): KubeObject {
    return jsonCopy(renamed(object, { apiVersion: 'v1', core: true }));
  }

  override convert(object: KubeObject): KubeObject {
    return object.apiVersion === 'v1' ? renamed(object, { apiVersion: 'events.k8s.io/v1', core: false }) : object;
  }
}

const coreForm = (object: KubeObject): CoreEvent =>
  object.apiVersion === 'v1' ? object : renamed(object, { apiVersion: 'v1', core: true });

const firstSeen = (event: CoreEvent): string | null | undefined => event.firstTimestamp ?? event.eventTime;
const lastSeen = (event: CoreEvent): string | null | undefined =>
  event.series?.lastObservedTime ?? event.lastTimestamp ?? firstSeen(event);

const eventColumn = (
  name: string,
  cell: (event: CoreEvent, now: number) => string | number,
  wide = false,
): TableColumn => column(name, (object, now) => cell(coreForm(object), now), wide ? { wide } : {});

function sourceOf({ source, reportingComponent, reportingInstance }: CoreEvent): string {
  const component = source?.component || reportingComponent || '';
  const host = source?.host || (source?.component ? '' : reportingInstance) || '';
  return host ? `${component}, ${host}` : component;
}

const columns: readonly TableColumn[] = [
  eventColumn('Last Seen', (event, now) => humanAge(lastSeen(event), now)),
  eventColumn('Type', (event) => event.type ?? ''),
  eventColumn('Reason', (event) => event.reason ?? ''),
  eventColumn('Object', ({ involvedObject: about }) => `${about?.kind?.toLowerCase() ?? ''}/${about?.name ?? ''}`),
  eventColumn('Subobject', (event) => event.involvedObject?.fieldPath ?? '', true),
  eventColumn('Source', sourceOf, true),
  eventColumn('Message', (event) => (event.message ?? '').trim()),
  eventColumn('First Seen', (event, now) => humanAge(firstSeen(event), now), true),
  eventColumn('Count', (event) => event.series?.count ?? (event.count || 1), true),
  column('Name', (object) => object.metadata.name ?? '', { format: 'name', wide: true }),
];

const ABOUT = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const;

/** Field labels of both forms name the core fields; the other form knows them by its own names too. */
function fields(prefix: string): Record<string, (object: KubeObject) => string> {
  const known: Record<string, (object: KubeObject) => string> = {};
  for (const key of ABOUT) known[`${prefix}.${key}`] = (object) => coreForm(object).involvedObject?.[key] ?? '';
  return known;
}

const shared: Record<string, (object: KubeObject) => string> = {
  reason: (object) => coreForm(object).reason ?? '',
  type: (object) => coreForm(object).type ?? '',
};

/** Events of the core group. */
export const coreEvents = (): ResourceDef =>
  defineKind({
    kind: 'Event',
    plural: 'events',
    shortNames: ['ev'],
    traits: { createOnUpdate: true },
    columns,
    fields: {
      ...fields('involvedObject'),
      ...shared,
      reportingComponent: (object) => coreForm(object).reportingComponent ?? '',
      source: (object) => coreForm(object).source?.component || coreForm(object).reportingComponent || '',
    },
    behaviour: { validate: validateEvent },
  });

/** Events of events.k8s.io. */
export const newEvents = (): ResourceDef =>
  defineKind({
    group: 'events.k8s.io',
    kind: 'Event',
    plural: 'events',
    shortNames: ['ev'],
    traits: { createOnUpdate: true },
    columns,
    fields: {
      ...fields('regarding'),
      ...shared,
      reportingController: (object) => coreForm(object).reportingComponent ?? '',
    },
    strategy: new NewEventStrategy(),
    storage: 'events',
  });
