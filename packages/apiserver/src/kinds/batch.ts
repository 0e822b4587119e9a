import { forbiddenField, invalidValue, required } from '../core/errors.js';
import { jsonEqual } from '../core/json.js';
import type { FieldError, KubeObject, ResourceDef } from '../core/types.js';
import { ageColumn, column, containerColumns, formatSelector, nameColumn, orNone } from './columns.js';
import { defineKind } from './define.js';
import { humanAge, humanDuration } from './human-duration.js';
import { checkCount, checkLabels, matchesSelector } from './label-rules.js';
import { defaultPodSpec } from './pod-defaults.js';
import { validatePodSpec } from './pod-validation.js';
import type { Job, PodTemplateSpec } from './shapes.js';

/** Jobs and CronJobs (DF-5). */

const PREFIX = 'batch.kubernetes.io/';

function defaultJobSpec(spec: Job['spec']): void {
  defaultPodSpec(spec.template?.spec);
}

function defaultJob(object: KubeObject): void {
  const { spec } = object as Job;
  if (!spec) return;
  defaultJobSpec(spec);
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : 2_147_483_647;
  const labels = spec.template?.metadata?.labels;
  if (labels && !Object.keys(object.metadata?.labels ?? {}).length) (object.metadata ??= {}).labels = { ...labels };
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy ? 'Failed' : 'TerminatingOrFailed';
  spec.manualSelector ??= false;
}

/** Selector and labels that tie the Pods to this very Job. */
function claimPods(object: KubeObject): void {
  const { spec, metadata } = object as Job;
  if (spec.manualSelector) return;
  const { uid = '', name = '' } = metadata;
  const template = (spec.template ??= { spec: { containers: null } });
  template.metadata ??= {};
  // Labels that came from the template follow it.
  const shared = template.metadata.labels !== undefined && jsonEqual(template.metadata.labels, metadata.labels);
  template.metadata.labels = {
    ...template.metadata.labels,
    [`${PREFIX}controller-uid`]: uid,
    [`${PREFIX}job-name`]: name,
    'controller-uid': uid,
    'job-name': name,
  };
  if (shared) metadata.labels = { ...template.metadata.labels };
  spec.selector ??= {};
  spec.selector.matchLabels = { ...spec.selector.matchLabels, [`${PREFIX}controller-uid`]: uid };
}

function checkJobTemplate(template: PodTemplateSpec | undefined, path: string): FieldError[] {
  const errors = [
    ...checkLabels(`${path}.labels`, template?.metadata?.labels),
    ...validatePodSpec(template?.spec, `${path}.spec`),
  ];
  const policy = template?.spec?.restartPolicy;
  if (policy === undefined || policy === 'Always')
    errors.push(required(`${path}.spec.restartPolicy`, 'valid values: "OnFailure", "Never"'));
  return errors;
}

const COUNTS = [
  'parallelism',
  'completions',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'activeDeadlineSeconds',
] as const;

function validateJob(object: KubeObject): FieldError[] {
  const { spec, metadata } = object as Job;
  const errors = COUNTS.flatMap((name) => checkCount(`spec.${name}`, spec[name]));
  const wanted = { matchLabels: { [`${PREFIX}controller-uid`]: metadata.uid ?? '' } };
  if (!spec.selector) errors.push(required('spec.selector'));
  else if (!spec.manualSelector && !jsonEqual(spec.selector, wanted))
    errors.push(invalidValue('spec.selector', spec.selector, '`selector` not auto-generated'));
  const labels = spec.template.metadata?.labels;
  if (!matchesSelector(spec.selector, labels)) {
    errors.push(
      invalidValue('spec.template.metadata.labels', labels ?? null, '`selector` does not match template `labels`'),
    );
  }
  return [...errors, ...checkJobTemplate(spec.template, 'spec.template')];
}

/** What a Job keeps for life. A suspended one may still get another template. */
function validateJobUpdate(next: KubeObject, old: KubeObject): FieldError[] {
  const { spec: a } = next as Job;
  const { spec: b, status } = old as Job;
  const errors: FieldError[] = [];
  const fixed = (path: string, left: unknown, right: unknown): void => {
    if (!jsonEqual(left, right)) errors.push(invalidValue(path, left ?? null, 'field is immutable'));
  };
  if (a.completionMode !== 'Indexed') fixed('spec.completions', a.completions, b.completions);
  fixed('spec.selector', a.selector, b.selector);
  fixed('spec.completionMode', a.completionMode, b.completionMode);
  if (!(b.suspend && !status?.startTime)) fixed('spec.template', a.template, b.template);
  return errors;
}

function jobStatus({ metadata, status }: Job): string {
  const is = (type: string): boolean =>
    !!status?.conditions?.some((condition) => condition.type === type && condition.status === 'True');
  if (is('Complete')) return 'Complete';
  if (is('Failed')) return 'Failed';
  if (metadata.deletionTimestamp) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(is) ?? 'Running';
}

function completions({ spec, status }: Job): string {
  const done = status?.succeeded ?? 0;
  if (spec.completions !== undefined) return `${done}/${spec.completions}`;
  const parallelism = spec.parallelism ?? 0;
  return parallelism > 1 ? `${done}/1 of ${parallelism}` : `${done}/1`;
}

function duration({ status }: Job, now: number): string {
  if (!status?.startTime) return '';
  return humanDuration(
    (status.completionTime ? Date.parse(status.completionTime) : now) - Date.parse(status.startTime),
  );
}

/** Jobs. */
export const jobs = (): ResourceDef =>
  defineKind({
    group: 'batch',
    kind: 'Job',
    plural: 'jobs',
    categories: ['all'],
    status: true,
    traits: {
      generation: 'spec',
      defaultPropagation: 'Orphan',
      statusMetadata: ['labels', 'annotations', 'finalizers', 'ownerReferences'],
    },
    columns: [
      nameColumn,
      column<Job>('Status', jobStatus),
      column<Job>('Completions', completions),
      column<Job>('Duration', duration),
      ageColumn,
      ...containerColumns<Job>((job) => job.spec.template?.spec),
      column<Job>('Selector', ({ spec }) => formatSelector(spec.selector), { wide: true }),
    ],
    fields: { 'status.successful': (object) => String((object as Job).status?.succeeded ?? 0) },
    behaviour: {
      defaults: defaultJob,
      prepareCreate: claimPods,
      validate: validateJob,
      validateUpdate: validateJobUpdate,
    },
  });

interface CronJob extends KubeObject {
  spec: {
    schedule?: string;
    timeZone?: string;
    suspend?: boolean;
    concurrencyPolicy?: string;
    successfulJobsHistoryLimit?: number;
    failedJobsHistoryLimit?: number;
    startingDeadlineSeconds?: number;
    jobTemplate: { spec: Job['spec'] };
  };
  status?: { active?: unknown[]; lastScheduleTime?: string };
}

function validateCronJob(object: KubeObject): FieldError[] {
  const { spec, metadata } = object as CronJob;
  const errors: FieldError[] = [];
  if ((metadata.name ?? '').length > 52)
    errors.push(invalidValue('metadata.name', metadata.name, 'must be no more than 52 characters'));
  const words = (spec.schedule ?? '').trim().split(/\s+/);
  if (spec.schedule && !spec.schedule.startsWith('@') && words.length !== 5) {
    errors.push(
      invalidValue(
        'spec.schedule',
        spec.schedule,
        `expected exactly 5 fields, found ${words.length}: [${words.join(' ')}]`,
      ),
    );
  }
  if (/TZ/.test(spec.schedule ?? '')) {
    errors.push(
      invalidValue('spec.schedule', spec.schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'),
    );
  }
  if (spec.timeZone !== undefined && !isTimeZone(spec.timeZone))
    errors.push(invalidValue('spec.timeZone', spec.timeZone, `unknown time zone ${spec.timeZone}`));
  errors.push(...checkCount('spec.successfulJobsHistoryLimit', spec.successfulJobsHistoryLimit));
  errors.push(...checkCount('spec.failedJobsHistoryLimit', spec.failedJobsHistoryLimit));
  errors.push(...checkCount('spec.startingDeadlineSeconds', spec.startingDeadlineSeconds));
  if (spec.jobTemplate.spec.manualSelector)
    errors.push(forbiddenField('spec.jobTemplate.spec.manualSelector', 'not allowed to set manualSelector'));
  return [...errors, ...checkJobTemplate(spec.jobTemplate.spec.template, 'spec.jobTemplate.spec.template')];
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** CronJobs: stored, not run. */
export const cronJobs = (): ResourceDef =>
  defineKind({
    group: 'batch',
    kind: 'CronJob',
    plural: 'cronjobs',
    shortNames: ['cj'],
    categories: ['all'],
    status: true,
    traits: { generation: 'spec', statusMetadata: ['labels', 'annotations', 'finalizers', 'ownerReferences'] },
    columns: [
      nameColumn,
      column<CronJob>('Schedule', ({ spec }) => spec.schedule ?? ''),
      column<CronJob>('Timezone', ({ spec }) => orNone(spec.timeZone)),
      column<CronJob>('Suspend', ({ spec }) => (spec.suspend ? 'True' : 'False'), { type: 'boolean' }),
      column<CronJob>('Active', ({ status }) => status?.active?.length ?? 0, { type: 'integer' }),
      column<CronJob>('Last Schedule', ({ status }, now) =>
        status?.lastScheduleTime ? humanAge(status.lastScheduleTime, now) : '<none>',
      ),
      ageColumn,
      ...containerColumns<CronJob>(({ spec }) => spec.jobTemplate?.spec.template?.spec),
      column<CronJob>('Selector', ({ spec }) => formatSelector(spec.jobTemplate?.spec.selector), { wide: true }),
    ],
    behaviour: {
      defaults: (object) => {
        const { spec } = object as CronJob;
        if (!spec) return;
        if (spec.jobTemplate?.spec) defaultJobSpec(spec.jobTemplate.spec);
        spec.concurrencyPolicy ||= 'Allow';
        spec.suspend ??= false;
        spec.successfulJobsHistoryLimit ??= 3;
        spec.failedJobsHistoryLimit ??= 1;
      },
      validate: validateCronJob,
    },
  });
