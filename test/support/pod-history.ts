import { Api, type ApiEvent, type ApiObject } from './api.js';
import { until } from './until.js';

interface Entry {
  readonly revision: number;
  readonly type: ApiEvent['type'];
  readonly object: ApiObject;
}

const podsOf = (namespace: string): string => `/api/v1/namespaces/${namespace}/pods`;
const podSetsOf = (namespace: string): string => `/apis/app.example.com/v1alpha1/namespaces/${namespace}/podsets`;

/**
 * Everything that happens to the Pods and PodSets of one namespace, from watches of the server itself: what
 * an operator did between two looks at a listing is here too.
 */
export class PodHistory {
  readonly #api: Api;
  readonly #end = new AbortController();
  readonly #pods: Entry[] = [];
  readonly #podSets: Entry[] = [];
  readonly #faults: unknown[] = [];

  readonly #outages: boolean;

  private constructor(api: Api, outages: boolean) {
    this.#api = api;
    this.#outages = outages;
  }

  /**
   * Opens the watches; the PodSet CRD must exist. With `outages` a watch that breaks is opened again where it broke (a
   * stopped server stores nothing meanwhile); without, a broken watch is a fault of the test. Default namespace:
   * `default`.
   */
  static async start(
    kubeconfigPath: string,
    options: { outages?: boolean; namespace?: string } = {},
  ): Promise<PodHistory> {
    const { outages = false, namespace = 'default' } = options;
    const history = new PodHistory(await Api.of(kubeconfigPath), outages);
    await history.#follow(podsOf(namespace), history.#pods);
    await history.#follow(podSetsOf(namespace), history.#podSets);
    return history;
  }

  /** The PodSet as it was stored last; undefined when it is gone, or never was. */
  get podSet(): ApiObject | undefined {
    const last = this.#podSets.at(-1);
    return last?.type === 'DELETED' ? undefined : last?.object;
  }

  /** Names of all Pods that ever were, in order of creation. */
  get created(): string[] {
    return this.#pods.filter(({ type }) => type === 'ADDED').map(({ object }) => object.metadata.name);
  }

  /** Pods that exist and are not being deleted, oldest first; equally old ones by name. */
  get alive(): ApiObject[] {
    const alive = new Map<string, ApiObject>();
    for (const { type, object } of this.#pods) {
      if (type === 'DELETED' || object.metadata.deletionTimestamp) alive.delete(object.metadata.uid);
      else alive.set(object.metadata.uid, object);
    }
    return [...alive.values()].toSorted((a, b) => (ageKey(a) < ageKey(b) ? -1 : 1));
  }

  /** One line for each moment at which a Pod was made although there were as many as wanted. Must be empty. */
  get excess(): string[] {
    const lines: string[] = [];
    const alive = new Set<string>();
    const podSets = new Set(this.#podSets);
    let wanted = 0;
    // Revisions are counted over all kinds, so they give the one order in which the server stored all this.
    for (const entry of [...this.#pods, ...this.#podSets].toSorted((a, b) => a.revision - b.revision)) {
      const { type, object, revision } = entry;
      const isLeaving = type === 'DELETED' || object.metadata.deletionTimestamp !== undefined;
      if (podSets.has(entry)) wanted = isLeaving ? 0 : object['spec'].replicas;
      else if (isLeaving) alive.delete(object.metadata.uid);
      else alive.add(object.metadata.uid);
      if (type === 'ADDED' && !podSets.has(entry) && alive.size > wanted) {
        lines.push(`revision ${revision}: ${object.metadata.name} is number ${alive.size}, wanted ${wanted}`);
      }
    }
    return lines;
  }

  /** True once a watch broke: the history is incomplete from there on. */
  get isBroken(): boolean {
    return this.#faults.length > 0;
  }

  /** Ends the watches; rejects if one of them broke before. */
  async stop(): Promise<void> {
    this.#end.abort();
    this.#api.close();
    if (this.#faults.length > 0)
      throw new AggregateError(this.#faults, `watch of the test broke: ${String(this.#faults[0])}`);
  }

  async #follow(path: string, entries: Entry[]): Promise<void> {
    const known = new Map<string, ApiObject>();
    const add = ({ type, object }: ApiEvent): void => {
      if (type === 'BOOKMARK') return;
      if (type === 'ERROR') throw new Expired(JSON.stringify(object));
      if (type === 'DELETED') known.delete(object.metadata.uid);
      else known.set(object.metadata.uid, object);
      entries.push({ revision: Number(object.metadata.resourceVersion), type, object });
    };
    /** What changed since the last look, as events; a server that lost its history with its process needs this. */
    const look = async (): Promise<string> => {
      // A real server needs a moment between a CRD's Established condition and its first answer.
      const { items, metadata } = await until(`${path} can be listed`, () =>
        this.#api.ok<{ items: ApiObject[]; metadata: { resourceVersion: string } }>('GET', path),
      );
      const now = new Set(items.map((object) => object.metadata.uid));
      for (const object of known.values())
        if (!now.has(object.metadata.uid))
          add({ type: 'DELETED', object: atRevision(object, metadata.resourceVersion) });
      for (const object of items) {
        const before = known.get(object.metadata.uid);
        if (before?.metadata.resourceVersion !== object.metadata.resourceVersion)
          add({ type: before ? 'MODIFIED' : 'ADDED', object });
      }
      return metadata.resourceVersion;
    };
    const keepOpen = async (start: string): Promise<void> => {
      for (let from = start; !this.#end.signal.aborted;) {
        try {
          await this.#api.watch(path, { resourceVersion: from, signal: this.#end.signal, onEvent: add });
        } catch (error) {
          if (this.#end.signal.aborted) return;
          if (!this.#outages) throw error;
          from = error instanceof Expired ? await look() : String(entries.at(-1)?.revision ?? from);
          await until('the server answers again', async () => (await this.#api.send('GET', '/readyz')).status === 200);
        }
      }
    };
    keepOpen(await look()).catch((error: unknown) => this.#end.signal.aborted || this.#faults.push(error));
  }
}

/** The server no longer has what happened after the revision that was asked for. */
class Expired extends Error {}

const atRevision = (object: ApiObject, resourceVersion: string): ApiObject => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion },
});

const ageKey = ({ metadata }: ApiObject): string => `${metadata.creationTimestamp} ${metadata.name}`;
