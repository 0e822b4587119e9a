import type { KubeObject, TableColumn } from '../core/types.js';
import { ageColumn, column, nameColumn, orNone } from './columns.js';
import { humanDuration } from './human-duration.js';
import type { ContainerStatus, Pod } from './shapes.js';

const isSidecar = (pod: Pod, name: string): boolean =>
  pod.spec.initContainers?.find((container) => container.name === name)?.restartPolicy === 'Always';

interface Summary {
  ready: number;
  total: number;
  reason: string;
  restarts: number;
  /** When a container last ended, ms; 0 = never. */
  lastEnd: number;
}

function stateReason(status: ContainerStatus): string | undefined {
  const { waiting, terminated } = status.state ?? {};
  if (waiting?.reason) return waiting.reason;
  if (!terminated) return undefined;
  if (terminated.reason) return terminated.reason;
  return terminated.signal ? `Signal:${terminated.signal}` : `ExitCode:${terminated.exitCode}`;
}

/** Reason of the init container that holds the Pod up, if one does. */
function initReason(pod: Pod, summary: Summary): string | undefined {
  const list = pod.spec.initContainers ?? [];
  const statuses = pod.status.initContainerStatuses ?? [];
  for (const [i, status] of statuses.entries()) {
    summary.restarts += status.restartCount ?? 0;
    const { terminated, waiting } = status.state ?? {};
    if (terminated?.exitCode === 0) continue;
    if (isSidecar(pod, status.name) && status.started) {
      if (status.ready) summary.ready++;
      continue;
    }
    if (terminated) return `Init:${stateReason(status)}`;
    if (waiting?.reason && waiting.reason !== 'PodInitializing') return `Init:${waiting.reason}`;
    return `Init:${i}/${list.length}`;
  }
  return undefined;
}

function summarize(pod: Pod): Summary {
  const status = pod.status ?? {};
  const sidecars = (pod.spec.initContainers ?? []).filter((container) => container.restartPolicy === 'Always').length;
  const summary: Summary = {
    ready: 0,
    total: (pod.spec.containers?.length ?? 0) + sidecars,
    reason: status.reason || status.phase || '',
    restarts: 0,
    lastEnd: 0,
  };
  if (status.conditions?.some((c) => c.type === 'PodScheduled' && c.reason === 'SchedulingGated'))
    summary.reason = 'SchedulingGated';
  const held = initReason(pod, summary);
  if (held) summary.reason = held;
  else {
    let running = false;
    for (const container of [...(status.containerStatuses ?? [])].reverse()) {
      summary.restarts += container.restartCount ?? 0;
      summary.lastEnd = Math.max(summary.lastEnd, Date.parse(container.lastState?.terminated?.finishedAt ?? '') || 0);
      const reason = stateReason(container);
      if (reason) summary.reason = reason;
      else if (container.ready && container.state?.running) {
        running = true;
        summary.ready++;
      }
    }
    if (summary.reason === 'Completed' && running) {
      summary.reason = status.conditions?.some((c) => c.type === 'Ready' && c.status === 'True')
        ? 'Running'
        : 'NotReady';
    }
  }
  const ended = status.phase === 'Succeeded' || status.phase === 'Failed';
  if (pod.metadata.deletionTimestamp && status.reason === 'NodeLost') summary.reason = 'Unknown';
  else if (pod.metadata.deletionTimestamp && !ended) summary.reason = 'Terminating';
  return summary;
}

// One row asks for three cells of the same object, one after the other.
let last: { pod: KubeObject; summary: Summary } | undefined;
function summaryOf(pod: Pod): Summary {
  if (last?.pod !== pod) last = { pod, summary: summarize(pod) };
  return last.summary;
}

function readinessGates(pod: Pod): string {
  const gates = pod.spec.readinessGates ?? [];
  if (!gates.length) return '<none>';
  const met = gates.filter((gate) =>
    pod.status.conditions?.some((c) => c.type === gate.conditionType && c.status === 'True'),
  );
  return `${met.length}/${gates.length}`;
}

export const podColumns: readonly TableColumn[] = [
  nameColumn,
  column<Pod>('Ready', (pod) => `${summaryOf(pod).ready}/${summaryOf(pod).total}`),
  column<Pod>('Status', (pod) => summaryOf(pod).reason),
  column<Pod>('Restarts', (pod, now) => {
    const { restarts, lastEnd } = summaryOf(pod);
    return restarts && lastEnd ? `${restarts} (${humanDuration(now - lastEnd)} ago)` : `${restarts}`;
  }),
  ageColumn,
  column<Pod>('IP', (pod) => orNone(pod.status?.podIPs?.[0]?.ip ?? pod.status?.podIP), { wide: true }),
  column<Pod>('Node', (pod) => orNone(pod.spec.nodeName), { wide: true }),
  column<Pod>('Nominated Node', (pod) => orNone(pod.status?.nominatedNodeName), { wide: true }),
  column<Pod>('Readiness Gates', readinessGates, { wide: true }),
];
