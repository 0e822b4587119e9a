import { invalidValue } from '../core/errors.js';
import type { FieldError, KubeObject, ResourceDef } from '../core/types.js';
import { ageColumn, column, nameColumn } from './columns.js';
import { defineKind } from './define.js';
import { conditionStatus } from './resource-claims.js';
import type { Condition } from './shapes.js';

/** Priority and fairness: stored and shown. Requests are not queued, so nothing is classified by them. */

const GROUP = 'flowcontrol.apiserver.k8s.io';
const MAX_PRECEDENCE = 10_000;

interface FlowSchema extends KubeObject {
  spec?: {
    matchingPrecedence?: number;
    priorityLevelConfiguration?: { name?: string };
    distinguisherMethod?: { type?: string };
  };
  status?: { conditions?: Condition[] };
}

/** FlowSchemas. */
export const flowSchemas = (): ResourceDef =>
  defineKind({
    group: GROUP,
    kind: 'FlowSchema',
    plural: 'flowschemas',
    namespaced: false,
    status: true,
    traits: { generation: 'spec', statusMetadata: ['labels', 'annotations', 'finalizers', 'ownerReferences'] },
    columns: [
      nameColumn,
      column<FlowSchema>('PriorityLevel', ({ spec }) => spec?.priorityLevelConfiguration?.name ?? ''),
      column<FlowSchema>('MatchingPrecedence', ({ spec }) => spec?.matchingPrecedence ?? 0),
      column<FlowSchema>('DistinguisherMethod', ({ spec }) => spec?.distinguisherMethod?.type ?? '<none>'),
      ageColumn,
      column<FlowSchema>('MissingPL', ({ status }) => conditionStatus(status?.conditions, 'Dangling') ?? '?'),
    ],
    behaviour: {
      defaults: (object) => {
        const { spec } = object as FlowSchema;
        if (spec) spec.matchingPrecedence ||= 1000;
      },
      validate: (object) => {
        const precedence = (object as FlowSchema).spec?.matchingPrecedence ?? 0;
        const at = 'spec.matchingPrecedence';
        if (precedence <= 0) return [invalidValue(at, precedence, 'must be a positive value')];
        if (precedence <= MAX_PRECEDENCE) return [];
        return [invalidValue(at, precedence, `must not be greater than ${MAX_PRECEDENCE}`)];
      },
    },
  });

interface Queuing {
  queues?: number;
  handSize?: number;
  queueLengthLimit?: number;
}
interface Shares {
  nominalConcurrencyShares?: number;
  lendablePercent?: number;
}
interface PriorityLevel extends KubeObject {
  spec?: {
    type?: string;
    limited?: Shares & { limitResponse?: { type?: string; queuing?: Queuing } };
    exempt?: Shares;
  };
}

const queuing = ({ spec }: PriorityLevel): Queuing | undefined => spec?.limited?.limitResponse?.queuing;

function setDefaults({ spec }: PriorityLevel): void {
  for (const [shares, nominal] of [[spec?.limited, 30] as const, [spec?.exempt, 0] as const]) {
    if (!shares) continue;
    shares.nominalConcurrencyShares ??= nominal;
    shares.lendablePercent ??= 0;
  }
  const queues = spec?.limited?.limitResponse?.queuing;
  if (!queues) return;
  queues.queues ||= 64;
  queues.handSize ||= 8;
  queues.queueLengthLimit ||= 50;
}

function validateLevel({ spec }: PriorityLevel): FieldError[] {
  const errors: FieldError[] = [];
  for (const name of ['limited', 'exempt'] as const) {
    const at = `spec.${name}`;
    const shares = spec?.[name];
    if (!shares) continue;
    const { nominalConcurrencyShares = 0, lendablePercent = 0 } = shares;
    if (nominalConcurrencyShares < 0)
      errors.push(
        invalidValue(`${at}.nominalConcurrencyShares`, nominalConcurrencyShares, 'must be a non-negative integer'),
      );
    if (lendablePercent < 0 || lendablePercent > 100)
      errors.push(invalidValue(`${at}.lendablePercent`, lendablePercent, 'must be between 0 and 100, inclusive'));
  }
  return errors;
}

/** PriorityLevelConfigurations. */
export const priorityLevelConfigurations = (): ResourceDef =>
  defineKind({
    group: GROUP,
    kind: 'PriorityLevelConfiguration',
    plural: 'prioritylevelconfigurations',
    namespaced: false,
    status: true,
    traits: { generation: 'spec', statusMetadata: ['labels', 'annotations', 'finalizers', 'ownerReferences'] },
    columns: [
      nameColumn,
      column<PriorityLevel>('Type', ({ spec }) => spec?.type ?? ''),
      column<PriorityLevel>(
        'NominalConcurrencyShares',
        ({ spec }) => spec?.limited?.nominalConcurrencyShares ?? '<none>',
      ),
      column<PriorityLevel>('Queues', (level) => queuing(level)?.queues ?? '<none>'),
      column<PriorityLevel>('HandSize', (level) => queuing(level)?.handSize ?? '<none>'),
      column<PriorityLevel>('QueueLengthLimit', (level) => queuing(level)?.queueLengthLimit ?? '<none>'),
      ageColumn,
    ],
    behaviour: {
      defaults: (object) => setDefaults(object as PriorityLevel),
      validate: (object) => validateLevel(object as PriorityLevel),
    },
  });
