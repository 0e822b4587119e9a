import { badRequest, conflict, failure } from '../core/errors.js';
import type {
  Clock,
  DeleteOptions,
  JsonObject,
  KubeObject,
  ObjectService,
  Principal,
  ResourceDef,
  Target,
} from '../core/types.js';
import type { Exchange } from './exchange.js';
import { deleteOptions, writeOptions } from './query.js';
import { target } from './rest.js';
import type { Endpoint } from './rest.js';
import type { Handler } from './router.js';
import { readReview } from './review-body.js';

const EVICTION = { group: 'policy', version: 'v1', kind: 'Eviction' };
const BINDING = { group: '', version: 'v1', kind: 'Binding' };
/** Annotation of a Pod whose value `logs` prints instead of the usual line (SI-7). */
const LOG_ANNOTATION = 'embedded/log';

/** Says why a Pod may not be evicted now; undefined = it may. */
export type EvictionGuard = (pod: KubeObject) => Promise<Error | undefined>;

/** Subresources of Pods that are no part of the object (KI-3, SI-7): `pods/name` → handler. */
export function podSubresources(objects: ObjectService, clock: Clock, guard: EvictionGuard): [string, Handler][] {
  const streams = ['attach', 'exec', 'portforward', 'proxy'].map((name): [string, Handler] => [
    `pods/${name}`,
    noStream(objects, name),
  ]);
  return [
    ...streams,
    ['nodes/proxy', noStream(objects, 'proxy')],
    ['services/proxy', noStream(objects, 'proxy')],
    ['pods/log', logs(objects)],
    ['pods/eviction', evict(objects, guard)],
    ['pods/binding', (x, at) => bind(x, { objects, clock, pod: { ...target(x, at), subresource: undefined } })],
  ];
}

/** `POST …/namespaces/x/bindings`, the older form of `pods/x/binding`. */
export function bindings(objects: ObjectService, clock: Clock): [string, Handler] {
  return [
    'bindings',
    (x) => {
      const resource = objects.registry.byResource('', 'pods') as ResourceDef;
      return bind(x, { objects, clock, pod: { resource, version: 'v1', namespace: x.info.namespace } });
    },
  ];
}

const noStream =
  (objects: ObjectService, name: string): Handler =>
  async (x, at) => {
    await objects.get({ ...target(x, at), subresource: undefined }, { principal: x.principal });
    const why = `${name} needs a running container: the embedded server runs none (use a real cluster for it)`;
    throw failure(501, 'NotImplemented', why);
  };

function logs(objects: ObjectService): Handler {
  return async (x, at) => {
    const pod = await objects.get({ ...target(x, at), subresource: undefined }, { principal: x.principal });
    const asked = x.query.get('container');
    const containers = containersOf(pod);
    const where = `${pod.metadata.name ?? ''}`;
    if (asked && !containers.includes(asked)) throw badRequest(`container ${asked} is not valid for pod ${where}`);
    if (!asked && containers.length > 1) {
      throw badRequest(`a container name must be specified for pod ${where}, choose one of: [${containers.join(' ')}]`);
    }
    const line =
      pod.metadata.annotations?.[LOG_ANNOTATION] ??
      'no container ran: this Pod lives in an embedded API server, which only keeps records';
    await x.send(200, `${line}\n`, { 'Content-Type': 'text/plain' });
  };
}

function containersOf(pod: KubeObject): string[] {
  const spec = (pod['spec'] ?? {}) as { containers?: { name: string }[]; initContainers?: { name: string }[] };
  return [...(spec.initContainers ?? []).map((c) => c.name), ...(spec.containers ?? []).map((c) => c.name)];
}

const success = (x: Exchange): Promise<void> =>
  x.json(201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 });

/** An eviction is a DELETE that a PodDisruptionBudget may hold up (ER-16). */
function evict(objects: ObjectService, guard: EvictionGuard): Handler {
  return async (x, at: Endpoint) => {
    const eviction = await readReview(x, EVICTION);
    if (eviction.metadata.name && eviction.metadata.name !== x.info.name) {
      throw badRequest('name in URL does not match name in Eviction object');
    }
    const pod = { ...target(x, at), subresource: undefined };
    const live = await objects.get(pod, { principal: x.principal });
    const refused = await guard(live);
    if (refused) throw refused;
    const { dryRun = false } = writeOptions(x, 'CreateOptions');
    const asked: DeleteOptions = deleteOptions(x, (eviction['deleteOptions'] ?? {}) as JsonObject);
    await objects.delete(pod, { ...asked, dryRun: dryRun || (asked.dryRun ?? false) });
    await success(x);
  };
}

interface BindRequest {
  readonly objects: ObjectService;
  readonly clock: Clock;
  /** Without a name it is taken from the body. */
  readonly pod: Target;
}

/** Puts a Pod on a node, once. */
async function bind(x: Exchange, { objects, clock, pod }: BindRequest): Promise<void> {
  const binding = await readReview(x, BINDING);
  const node = (binding['target'] ?? {}) as { kind?: string; name?: string };
  const name = pod.name ?? binding.metadata.name ?? '';
  if (!node.name) throw failure(500, '', 'target.name: Required value');
  const options = writeOptions(x, 'CreateOptions');
  const where: Target = { ...pod, name };
  const live = await objects.get(where, { principal: x.principal });
  const { nodeName } = (live['spec'] ?? {}) as { nodeName?: string };
  const resource = { ...pod.resource, plural: 'pods/binding' };
  if (nodeName) throw conflict(resource, name, `pod ${name} is already assigned to node "${nodeName}"`);
  if (live.metadata.deletionTimestamp)
    throw conflict(resource, name, `pod ${name} is being deleted, cannot be assigned to a host`);
  const { labels, annotations } = binding.metadata;
  const metadata = {
    resourceVersion: live.metadata.resourceVersion ?? '',
    ...(labels ? { labels } : {}),
    ...(annotations ? { annotations } : {}),
  };
  const patch = { metadata, spec: { nodeName: node.name } };
  await objects.patch({ ...where, subresource: 'binding' }, { type: 'merge', body: { value: patch } }, options);
  if (!options.dryRun) await markScheduled(objects, { pod: where, principal: x.principal, now: clock.now() });
  await success(x);
}

async function markScheduled(
  objects: ObjectService,
  at: { pod: Target; principal: Principal; now: number },
): Promise<void> {
  const lastTransitionTime = new Date(at.now).toISOString().replace(/\.\d+/, '');
  const condition = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime };
  const body = { value: { status: { conditions: [condition] } } };
  await objects.patch(
    { ...at.pod, subresource: 'status' },
    { type: 'strategic', body },
    { principal: at.principal, fieldManager: 'kube-scheduler' },
  );
}
