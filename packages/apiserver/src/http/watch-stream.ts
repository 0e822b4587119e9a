import type {
  Clock,
  JsonObject,
  KubeObject,
  ResourceVersion,
  Status,
  WatchEvent,
  WatchHandle,
  WatchSink,
} from '../core/types.js';
import type { Exchange } from './exchange.js';
import { partial, table } from './table.js';
import type { IncludeObject } from './table.js';

/** More unsent bytes than this end the connection (WA-6). */
const UNSENT_LIMIT = 16 * 1024 * 1024;

/** How the events of one watch are written. */
export interface WatchForm {
  readonly as: 'Table' | 'PartialObjectMetadata' | undefined;
  readonly metaVersion: 'v1' | 'v1beta1';
  readonly include: IncludeObject;
  readonly version: ResourceVersion;
}

/**
 * Encodes each event once per representation and hands the same bytes to all watchers (WA-8), framed as one chunk of the
 * chunked coding. The store calls all watchers of a revision one after the other, so remembering the last event of each
 * representation is enough.
 */
export class WatchEncoder {
  readonly #clock: Clock;
  readonly #last = new Map<string, { object: object; bytes: Buffer }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  encode(event: WatchEvent, form: WatchForm, first: boolean): Buffer {
    const key = form.as === undefined ? `${event.type} ${form.version.name}` : this.#key(event, form, first);
    const last = this.#last.get(key);
    if (last && last.object === event.object) return last.bytes;
    const body = this.#body(event, form, first);
    const bytes = chunk(`{"type":"${event.type}","object":${JSON.stringify(body)}}\n`);
    this.#last.set(key, { object: event.object, bytes });
    return bytes;
  }

  /** Ages in a Table are those of now; a second later the row is written again. */
  #key(event: WatchEvent, form: WatchForm, first: boolean): string {
    const second = form.as === 'Table' ? Math.floor(this.#clock.now() / 1000) : 0;
    const resource = form.as === 'Table' ? form.include : '';
    return `${event.type} ${form.as} ${form.metaVersion} ${resource} ${first} ${second % 2}`;
  }

  #body(event: WatchEvent, form: WatchForm, first: boolean): unknown {
    const object = event.object;
    if (event.type === 'ERROR' || form.as === undefined) return object;
    if (form.as === 'PartialObjectMetadata') return partial(object as KubeObject, form.metaVersion);
    const metadata: JsonObject = { resourceVersion: (object as KubeObject).metadata.resourceVersion ?? '' };
    return table([object as KubeObject], form.version, {
      metadata: event.type === 'BOOKMARK' ? bookmark(object, metadata) : metadata,
      include: form.include,
      metaVersion: form.metaVersion,
      now: this.#clock.now(),
      definitions: first,
    });
  }
}

/** A bookmark keeps its annotations, so that a Table watch sees the end of the initial events too. */
function bookmark(object: KubeObject | Status, metadata: JsonObject): JsonObject {
  const annotations = (object as KubeObject).metadata.annotations;
  return annotations ? { ...metadata, annotations } : metadata;
}

const LINE_END = '\r\n';
const LAST_CHUNK = '0\r\n\r\n';

/** `text` as one chunk: size, line end, text, line end. */
function chunk(text: string): Buffer {
  const size = Buffer.byteLength(text);
  const head = size.toString(16) + LINE_END;
  const bytes = Buffer.allocUnsafe(head.length + size + LINE_END.length);
  bytes.write(head, 0, 'latin1');
  bytes.write(text, head.length, 'utf8');
  bytes.write(LINE_END, head.length + size, 'latin1');
  return bytes;
}

/** A chunk without its frame, for clients of HTTP/1.0. */
const unframed = (bytes: Buffer): Buffer => bytes.subarray(bytes.indexOf(10) + 1, -LINE_END.length);

/** Bytes of replayed events that are written in one piece. */
const PIECE = 128 * 1024;

/**
 * Writes the events of one watch to its connection (WA-1). Events that are replayed when the watch opens are written as fast
 * as the client reads and count as nothing unsent; later ones wait behind them, encoded, and do count (WA-6).
 */
export class WatchStream implements WatchSink {
  readonly #exchange: Exchange;
  readonly #encoder: WatchEncoder;
  readonly #form: WatchForm;
  #handle: WatchHandle | undefined;
  #first = true;
  /** The chunked coding is written by us: one write an event and no copy of it for each watcher. */
  #chunked = false;
  #ended = false;
  #started = false;
  /** Events that came while the watch was opened, and how many of them are written. */
  #replay: WatchEvent[] = [];
  #replayed = 0;
  #behind: Buffer[] = [];
  #behindBytes = 0;

  constructor(exchange: Exchange, encoder: WatchEncoder, form: WatchForm) {
    this.#exchange = exchange;
    this.#encoder = encoder;
    this.#form = form;
  }

  /** Sends the head once the watch is open; from here on events flow. */
  start(handle: WatchHandle): void {
    const { response } = this.#exchange;
    this.#handle = handle;
    this.#exchange.head(200, { 'Content-Type': 'application/json' });
    response.flushHeaders();
    this.#chunked = response.chunkedEncoding;
    response.chunkedEncoding = false;
    response.once('close', () => this.#stop());
    this.#exchange.endStream = () => this.end();
    this.#started = true;
    this.#pump();
  }

  event(event: WatchEvent): void {
    const { response } = this.#exchange;
    if (!this.#started) {
      this.#replay.push(event);
      return;
    }
    if (response.destroyed) return;
    const bytes = this.#encode(event);
    if (this.#replay.length > 0) {
      this.#behind.push(bytes);
      this.#behindBytes += bytes.length;
    } else response.write(bytes);
    if (response.writableLength + this.#behindBytes > UNSENT_LIMIT) response.destroy();
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#started && this.#replay.length === 0) this.#finish();
  }

  #encode(event: WatchEvent): Buffer {
    const bytes = this.#encoder.encode(event, this.#form, this.#first);
    if (event.type !== 'ERROR') this.#first = false;
    return this.#chunked ? bytes : unframed(bytes);
  }

  /** Writes replayed events, then what came meanwhile; pauses while the client does not read. */
  #pump(): void {
    const { response } = this.#exchange;
    while (this.#replayed < this.#replay.length) {
      if (response.destroyed) return;
      const piece: Buffer[] = [];
      for (let size = 0; size < PIECE && this.#replayed < this.#replay.length; this.#replayed++) {
        const bytes = this.#encode(this.#replay[this.#replayed] as WatchEvent);
        piece.push(bytes);
        size += bytes.length;
      }
      if (!response.write(Buffer.concat(piece)) && this.#replayed < this.#replay.length) {
        response.once('drain', () => this.#pump());
        return;
      }
    }
    this.#replay = [];
    for (const bytes of this.#behind) response.write(bytes);
    this.#behind = [];
    this.#behindBytes = 0;
    if (this.#ended) this.#finish();
  }

  #finish(): void {
    this.#stop();
    this.#exchange.response.end(this.#chunked ? LAST_CHUNK : undefined);
  }

  #stop(): void {
    this.#handle?.close();
    this.#handle = undefined;
  }
}
