import { cacheDefaults } from './defaults.js';

/** A text kept as bytes; where they are changes when slabs are compacted. */
export class SlabText {
  /** Set by the allocator alone. */
  slab: Slab;
  offset: number;
  readonly length: number;

  constructor(slab: Slab, offset: number, length: number) {
    this.slab = slab;
    this.offset = offset;
    this.length = length;
  }

  /** Readable also after it was freed, as long as somebody holds it. */
  toString(): string {
    return this.slab.buffer.toString('utf8', this.offset, this.offset + this.length);
  }
}

/** One block of memory outside of the JavaScript heap. */
interface Slab {
  readonly buffer: Buffer;
  used: number;
  live: number;
  texts: Set<SlabText>;
}

/**
 * Keeps many short texts in few large blocks: a buffer each would cost some hundred bytes and the collector's time. A
 * block that is half empty is emptied into the newest one; the collector takes it when nobody reads from it any more.
 */
export class Slabs {
  private current: Slab = makeSlab(0);
  private total = 0;
  private readonly inUse = new Set<Slab>();

  /** Bytes of the texts that are in use. */
  get bytes(): number {
    return this.total;
  }

  /** Bytes of the blocks that hold them. */
  get reserved(): number {
    let sum = 0;
    for (const { buffer } of this.inUse) sum += buffer.length;
    return sum;
  }

  put(text: string): SlabText {
    const length = Buffer.byteLength(text);
    const slab = this.room(length);
    const kept = new SlabText(slab, slab.used, length);
    slab.buffer.write(text, slab.used, 'utf8');
    this.place(kept, slab);
    return kept;
  }

  free(text: SlabText): void {
    const { slab } = text;
    if (!slab.texts.delete(text)) return;
    slab.live -= text.length;
    this.total -= text.length;
    if (slab !== this.current && slab.live * 2 < slab.buffer.length) this.empty(slab);
  }

  private empty(slab: Slab): void {
    for (const text of slab.texts) {
      const target = this.room(text.length);
      slab.buffer.copy(target.buffer, target.used, text.offset, text.offset + text.length);
      text.slab = target;
      text.offset = target.used;
      this.total -= text.length;
      this.place(text, target);
    }
    slab.texts = new Set();
    slab.live = 0;
    this.inUse.delete(slab);
  }

  private place(text: SlabText, slab: Slab): void {
    slab.texts.add(text);
    this.inUse.add(slab);
    slab.used += text.length;
    slab.live += text.length;
    this.total += text.length;
  }

  private room(length: number): Slab {
    const size = cacheDefaults.slabBytes;
    // A large text gets a block of its own, so that it wastes no room in others.
    if (length * 4 > size) return makeSlab(length);
    if (this.current.used + length > this.current.buffer.length) this.current = makeSlab(size);
    return this.current;
  }
}

function makeSlab(size: number): Slab {
  return { buffer: Buffer.allocUnsafeSlow(size), used: 0, live: 0, texts: new Set() };
}
