import { assemble } from './assemble.js';
import { ControllableClock } from './core/clock.js';
import { isStatusError } from './core/errors.js';
import type { StatusError } from './core/errors.js';
import { seededRandom } from './core/random.js';
import { parseApiVersion } from './core/registry.js';
import type {
  CallOptions,
  DeleteOptions,
  DeleteResult,
  JsonValue,
  KubeObject,
  ListOptions,
  ListResult,
  ObjectMeta,
  PatchType,
  Status,
  Target,
  WatchEvent,
  WatchHandle,
  WatchOptions,
} from './core/types.js';
import type { ObjectSemantics, SemanticsOptions } from './semantics.js';

/** What tests write of an object. */
export type Draft = { [key: string]: unknown; metadata?: ObjectMeta };

/** A watch that remembers what it saw: `TYPE name`. */
export interface Seen {
  readonly events: string[];
  readonly raw: WatchEvent[];
  ended: boolean;
  handle: WatchHandle;
}

const USER: CallOptions = { principal: { name: 'tester', groups: ['system:masters'] }, fieldManager: 'tests' };

/** An object core with all kinds, a clock that stands still, and the namespace `t`. */
export class World {
  readonly clock: ControllableClock = new ControllableClock();
  readonly semantics: ObjectSemantics;
  readonly warnings: string[] = [];

  constructor(options: SemanticsOptions = {}) {
    this.clock.freeze(Date.parse('2026-01-01T00:00:00Z'));
    this.semantics = assemble({ clock: this.clock, random: seededRandom(1), ...options }).semantics;
  }

  static async open(options?: SemanticsOptions): Promise<World> {
    const world = new World(options);
    await world.create('v1', 'Namespace', { metadata: { name: 't' } });
    return world;
  }

  close(): void {
    this.semantics.close();
  }

  get call(): CallOptions {
    return { ...USER, warn: (text) => this.warnings.push(text) };
  }

  target(
    apiVersion: string,
    kind: string,
    rest: { name?: string; subresource?: string; namespace?: string } = {},
  ): Target {
    const { group, version } = parseApiVersion(apiVersion);
    const resource = this.semantics.registry.byKind(group, kind);
    if (!resource) throw new Error(`no kind ${apiVersion} ${kind}`);
    return { resource, version, ...(resource.namespaced ? { namespace: 't' } : {}), ...rest };
  }

  async create(apiVersion: string, kind: string, object: Draft, more: Partial<CallOptions> = {}): Promise<KubeObject> {
    const where = object.metadata?.namespace === undefined ? {} : { namespace: object.metadata.namespace };
    const body = { value: { apiVersion, kind, ...object } as unknown as JsonValue };
    return (await this.semantics.objects.create(this.target(apiVersion, kind, where), body, { ...this.call, ...more }))
      .object;
  }

  get(apiVersion: string, kind: string, name: string): Promise<KubeObject> {
    return this.semantics.objects.get(this.target(apiVersion, kind, { name }), this.call);
  }

  async put(object: KubeObject, subresource?: string, more: Partial<CallOptions> = {}): Promise<KubeObject> {
    const { name = '' } = object.metadata;
    const target = this.target(object.apiVersion, object.kind, { name, ...(subresource ? { subresource } : {}) });
    const result = await this.semantics.objects.update(
      target,
      { value: object as unknown as JsonValue },
      { ...this.call, ...more },
    );
    return result.object;
  }

  async patch(
    object: Pick<KubeObject, 'apiVersion' | 'kind' | 'metadata'>,
    body: unknown,
    how: { type?: PatchType; subresource?: string; call?: Partial<CallOptions> } = {},
  ): Promise<KubeObject> {
    const { type = 'merge', subresource, call } = how;
    const { name = '' } = object.metadata;
    const target = this.target(object.apiVersion, object.kind, { name, ...(subresource ? { subresource } : {}) });
    const request = { type, body: { value: body as JsonValue } };
    return (await this.semantics.objects.patch(target, request, { ...this.call, ...call })).object;
  }

  delete(object: KubeObject, options: Partial<DeleteOptions> = {}): Promise<DeleteResult> {
    const { name = '' } = object.metadata;
    return this.semantics.objects.delete(this.target(object.apiVersion, object.kind, { name }), {
      ...this.call,
      ...options,
    });
  }

  list(apiVersion: string, kind: string, options: Partial<ListOptions> = {}): Promise<ListResult> {
    return this.semantics.objects.list(this.target(apiVersion, kind), { ...this.call, ...options });
  }

  async watch(apiVersion: string, kind: string, options: Partial<WatchOptions> = {}): Promise<Seen> {
    const seen: Omit<Seen, 'handle'> & { handle?: WatchHandle } = { events: [], raw: [], ended: false };
    seen.handle = await this.semantics.objects.watch(
      this.target(apiVersion, kind),
      { ...this.call, ...options },
      {
        event(event) {
          seen.raw.push(event);
          seen.events.push(`${event.type} ${nameOf(event)}`);
        },
        end() {
          seen.ended = true;
        },
      },
    );
    return seen as Seen;
  }

  /** A ConfigMap in `t`. */
  configMap(name: string, more: Draft = {}): Promise<KubeObject> {
    return this.create('v1', 'ConfigMap', { data: { a: '1' }, ...more, metadata: { name, ...more.metadata } });
  }

  /** Defines `widgets.demo.example.com` and answers once it is served. */
  async defineWidgets(version: Draft = {}): Promise<void> {
    const schema = {
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { size: { type: 'integer', default: 3 }, note: { type: 'string' } } },
        status: { type: 'object', properties: { phase: { type: 'string' }, replicas: { type: 'integer' } } },
      },
    };
    const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.replicas' };
    await this.create('apiextensions.k8s.io/v1', 'CustomResourceDefinition', {
      metadata: { name: 'widgets.demo.example.com' },
      spec: {
        group: 'demo.example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', kind: 'Widget' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: schema },
            subresources: { status: {}, scale },
            ...version,
          },
        ],
      },
    });
    await this.semantics.settle();
  }

  widget(name: string, more: Draft = {}): Promise<KubeObject> {
    return this.create('demo.example.com/v1', 'Widget', { ...more, metadata: { name, ...more.metadata } });
  }
}

function nameOf(event: WatchEvent): string {
  if (event.type === 'BOOKMARK') return (event.object as KubeObject).metadata.annotations ? 'marked' : '';
  if (event.type === 'ERROR') return String((event.object as Status).code);
  return (event.object as KubeObject).metadata.name ?? '';
}

/** The Status an operation fails with. */
export async function failureOf(operation: Promise<unknown>): Promise<Status> {
  try {
    await operation;
  } catch (error) {
    if (isStatusError(error)) return (error as StatusError).status;
    throw error;
  }
  throw new Error('the operation succeeded');
}
