import type { KubeObject } from '../core/types.js';

/** Encoded pieces are kept up to this size together, in bytes. */
const KEPT = 32 * 1024 * 1024;

interface Piece {
  readonly objects: readonly KubeObject[];
  readonly bytes: Buffer;
}

/**
 * Pieces of lists as the bytes they are served in. Stored objects are frozen, so a piece of the same objects has the same
 * bytes: several clients that list a collection share them.
 */
export class ListPieces {
  /** By their first object, the longest unused first. */
  readonly #pieces = new Map<KubeObject, Piece>();
  readonly #limit: number;
  #size = 0;

  constructor(limit: number = KEPT) {
    this.#limit = limit;
  }

  /** The JSON of `objects`, not empty, with commas between them; `item` says how each is shown, always in the same way. */
  encode(objects: readonly KubeObject[], item: (object: KubeObject) => unknown): Buffer {
    const first = objects[0] as KubeObject;
    const kept = this.#pieces.get(first);
    if (kept) {
      this.#drop(first, kept);
      if (same(kept.objects, objects)) {
        this.#keep(first, kept);
        return kept.bytes;
      }
    }
    const bytes = Buffer.from(objects.map((object) => JSON.stringify(item(object))).join(','));
    this.#keep(first, { objects, bytes });
    return bytes;
  }

  #keep(first: KubeObject, piece: Piece): void {
    this.#pieces.set(first, piece);
    this.#size += piece.bytes.length;
    for (const [oldest, { bytes }] of this.#pieces) {
      if (this.#size <= this.#limit) return;
      this.#pieces.delete(oldest);
      this.#size -= bytes.length;
    }
  }

  #drop(first: KubeObject, piece: Piece): void {
    this.#pieces.delete(first);
    this.#size -= piece.bytes.length;
  }
}

function same(a: readonly KubeObject[], b: readonly KubeObject[]): boolean {
  return a.length === b.length && a.every((object, index) => object === b[index]);
}
