import { greaterQuantity, sumQuantities } from '../kinds/quantity.js';
import type { Container, Pod, PodSpec } from '../kinds/shapes.js';

/** Amounts by name of the resource. */
export type Amounts = Record<string, string>;

type List = 'requests' | 'limits';

interface WholePod extends PodSpec {
  /** Amounts of the Pod as a whole, which count instead of those of its containers. */
  resources?: { requests?: Amounts; limits?: Amounts };
  overhead?: Amounts;
}

export function add(into: Amounts, more: Readonly<Amounts>): void {
  for (const [name, amount] of Object.entries(more)) {
    into[name] = name in into ? sumQuantities([into[name] as string, amount]) : amount;
  }
}

function raise(into: Amounts, to: Readonly<Amounts>): void {
  for (const [name, amount] of Object.entries(to)) into[name] = greaterQuantity(into[name] ?? '0', amount);
}

const amountsOf = (container: Container, list: List): Amounts => container.resources?.[list] ?? {};

/** What a Pod asks for at most at one time: all containers, or one that runs before them, with the sidecars of its time. */
function total(spec: WholePod, list: List): Amounts {
  const running: Amounts = {};
  for (const container of spec.containers ?? []) add(running, amountsOf(container, list));
  const sidecars: Amounts = {};
  const starting: Amounts = {};
  for (const container of spec.initContainers ?? []) {
    const now = { ...sidecars };
    add(now, amountsOf(container, list));
    if (container.restartPolicy === 'Always') Object.assign(sidecars, now);
    raise(starting, now);
  }
  add(running, sidecars);
  raise(running, starting);
  Object.assign(running, spec.resources?.[list]);
  if (list === 'requests' && spec.overhead) add(running, spec.overhead);
  return running;
}

const BASIC = ['cpu', 'memory', 'ephemeral-storage'];

/** Names that amounts of requests and limits are counted under. */
function counted(requests: Amounts, limits: Amounts): Amounts {
  const out: Amounts = {};
  for (const [name, amount] of Object.entries(requests)) {
    if (BASIC.includes(name) || name.startsWith('hugepages-')) out[name] = amount;
    if (BASIC.includes(name) || name.startsWith('hugepages-') || name.includes('/')) out[`requests.${name}`] = amount;
  }
  for (const name of BASIC) if (limits[name] !== undefined) out[`limits.${name}`] = limits[name];
  return out;
}

/** What a Pod uses up of a quota; one that has ended only counts as an object. */
export function podUsage(pod: Pod, now: number): Amounts {
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  const over =
    deletionTimestamp !== undefined &&
    deletionGracePeriodSeconds !== undefined &&
    now > Date.parse(deletionTimestamp) + deletionGracePeriodSeconds * 1000;
  if (over || pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded') return {};
  return { pods: '1', ...counted(total(pod.spec, 'requests'), total(pod.spec, 'limits')) };
}

/** Names that every container must state when a quota limits them. */
const MUST_STATE = /^((requests|limits)\.)?(cpu|memory)$/;

/** What is wrong with a Pod whose containers do not state what quotas limit, or undefined. */
export function unstated({ spec }: Pod, names: readonly string[]): string | undefined {
  if (Object.keys((spec as WholePod).resources ?? {}).length) return undefined;
  const wanted = names.filter((name) => MUST_STATE.test(name)).sort();
  const parts: string[] = [];
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  for (const name of wanted) {
    const lacking = containers.filter(
      (container) => !(name in counted(amountsOf(container, 'requests'), amountsOf(container, 'limits'))),
    );
    const unique = [...new Set(lacking.map((container) => container.name))].sort();
    if (unique.length) parts.push(`${name} for: ${unique.join(',')}`);
  }
  return parts.length ? `must specify ${parts.join('; ')}` : undefined;
}

/** Whether no container asks for or limits anything. */
export function isBestEffort({ spec }: Pod): boolean {
  const whole = (spec as WholePod).resources ?? {};
  const resources = [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map((c) => c.resources ?? {});
  return [...resources, whole].every(({ requests, limits }) =>
    [requests, limits].every(
      (list) => !['cpu', 'memory'].some((name) => list?.[name] !== undefined && list[name] !== '0'),
    ),
  );
}
