import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { deepFreeze } from '../core/json.js';
import type { Store, StoreSnapshot } from '../core/store.js';
import type { KubeObject, StoreEvent } from '../core/types.js';
import type { DataDir } from './data-dir.js';

const SNAPSHOT = 'snapshot.jsonl';
const LOG = 'log.jsonl';
/** The log is folded into a new snapshot when it is larger than this, in bytes. */
const LOG_MAX = 64 * 1024 * 1024;

/** One line of the log: an object stored, or (without `o`) removed. Snapshot lines have no revision. */
interface Line {
  r?: number;
  s: string;
  k: string;
  o?: KubeObject;
}

interface Head {
  kubewright: 1;
  revision: number;
}

/**
 * Keeps the store in a data folder: an append-only log of JSON lines and a snapshot (DE-12). A line is written before the
 * answer to its request leaves, so what a client was told survives the process.
 */
export class Journal {
  readonly #dir: DataDir;
  readonly #store: Store;
  readonly #fd: number;
  #pending = '';
  #size: number;
  #stop: (() => void) | undefined;

  constructor(dir: DataDir, store: Store) {
    this.#dir = dir;
    this.#store = store;
    this.#fd = openSync(dir.file(LOG), 'a', 0o600);
    this.#size = fstatSync(this.#fd).size;
  }

  /** What the folder holds; undefined when it is new. */
  read(): StoreSnapshot | undefined {
    const collections = new Map<string, Map<string, KubeObject>>();
    let revision = this.#readSnapshot(collections);
    const known = revision !== undefined || this.#size > 0;
    let from = revision ?? 0;
    for (const { r = 0, s, k, o } of this.#readLog()) {
      if (r <= from) continue;
      from = r;
      set(collections, { s, k, ...(o ? { o } : {}) });
    }
    revision = from;
    return known ? { revision, collections } : undefined;
  }

  /** Writes each stored event from now on. */
  start(): void {
    this.fold();
    this.#stop = this.#store.listen('*', (event) => this.#append(event));
  }

  /** Writes a snapshot of all objects and begins a new log. */
  fold(): void {
    this.#flush();
    const { revision, collections } = this.#store.snapshot();
    const head: Head = { kubewright: 1, revision };
    const lines = [JSON.stringify(head)];
    for (const [s, objects] of collections)
      for (const [k, o] of objects) lines.push(JSON.stringify({ s, k, o } satisfies Line));
    this.#dir.replace(SNAPSHOT, `${lines.join('\n')}\n`);
    ftruncateSync(this.#fd, 0);
    this.#size = 0;
  }

  close(): void {
    if (this.#stop) {
      this.#stop();
      this.fold();
    }
    closeSync(this.#fd);
  }

  #append({ type, revision, storage, key, object }: StoreEvent): void {
    const line: Line = { r: revision, s: storage, k: key, ...(type === 'DELETED' ? {} : { o: object }) };
    if (this.#pending === '') queueMicrotask(() => this.#flush());
    this.#pending += `${JSON.stringify(line)}\n`;
  }

  #flush(): void {
    if (this.#pending === '') return;
    const bytes = Buffer.from(this.#pending);
    this.#pending = '';
    for (let at = 0; at < bytes.length;) at += writeSync(this.#fd, bytes, at);
    this.#size += bytes.length;
    if (this.#size > LOG_MAX) this.fold();
  }

  #readSnapshot(into: Map<string, Map<string, KubeObject>>): number | undefined {
    const file = this.#dir.file(SNAPSHOT);
    if (!existsSync(file)) return undefined;
    const [head = '', ...lines] = readFileSync(file, 'utf8').split('\n');
    const { kubewright, revision } = parseLine(head, file, 1) as Partial<Head>;
    if (kubewright !== 1 || revision === undefined)
      throw new Error(`${file} is no snapshot of this version of the server; move the folder away`);
    for (const [index, line] of lines.entries()) if (line !== '') set(into, parseLine(line, file, index + 2) as Line);
    return revision;
  }

  /** The lines of the log. A last line that was cut off by a crash is dropped: nobody was told of it. */
  #readLog(): Line[] {
    const file = this.#dir.file(LOG);
    const bytes = readFileSync(file);
    const end = bytes.lastIndexOf(10) + 1;
    if (end < bytes.length) {
      ftruncateSync(this.#fd, end);
      this.#size = end;
    }
    const lines = bytes.subarray(0, end).toString('utf8').split('\n');
    return lines.flatMap((line, index) => (line === '' ? [] : [parseLine(line, file, index + 1) as Line]));
  }
}

function parseLine(line: string, file: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new Error(`${file}, line ${number} cannot be read; restore the folder from a copy, or move it away`, {
      cause: error,
    });
  }
}

function set(collections: Map<string, Map<string, KubeObject>>, { s, k, o }: Line): void {
  let objects = collections.get(s);
  if (!objects) collections.set(s, (objects = new Map()));
  if (o) objects.set(k, deepFreeze(o));
  else objects.delete(k);
}
