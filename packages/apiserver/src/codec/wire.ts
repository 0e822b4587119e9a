/** Reads the protobuf wire format from a piece of a buffer. Numbers beyond 2^53 lose their last bits. */
export class WireReader {
  readonly #bytes: Buffer;
  readonly #end: number;
  #at: number;

  constructor(bytes: Buffer, from = 0, end: number = bytes.length) {
    this.#bytes = bytes;
    this.#at = from;
    this.#end = end;
  }

  get done(): boolean {
    return this.#at >= this.#end;
  }

  /** Field number and wire type of the next field. */
  tag(): { field: number; wire: number } {
    const tag = this.unsigned();
    return { field: Math.floor(tag / 8), wire: tag % 8 };
  }

  unsigned(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.#byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
  }

  /** int32 and int64: negative numbers are written as ten bytes of two's complement. */
  signed(): number {
    let low = 0n;
    let shift = 0n;
    const start = this.#at;
    for (;;) {
      const byte = this.#byte();
      if (this.#at - start < 8 && byte < 0x80) {
        this.#at = start;
        return this.unsigned();
      }
      low |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return Number(BigInt.asIntN(64, low));
      shift += 7n;
    }
  }

  zigzag(): number {
    const value = this.unsigned();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  fixed32(): number {
    this.#at += 4;
    return this.#bytes.readUInt32LE(this.#at - 4);
  }

  fixed64(): number {
    this.#at += 8;
    return Number(this.#bytes.readBigInt64LE(this.#at - 8));
  }

  float(): number {
    this.#at += 4;
    return this.#bytes.readFloatLE(this.#at - 4);
  }

  double(): number {
    this.#at += 8;
    return this.#bytes.readDoubleLE(this.#at - 8);
  }

  bytes(): Buffer {
    const [from, to] = this.#block();
    return this.#bytes.subarray(from, to);
  }

  string(): string {
    const [from, to] = this.#block();
    return this.#bytes.toString('utf8', from, to);
  }

  /** The content of an embedded message. */
  message(): WireReader {
    const [from, to] = this.#block();
    return new WireReader(this.#bytes, from, to);
  }

  skip(wire: number): void {
    if (wire === 0) this.unsigned();
    else if (wire === 1) this.#at += 8;
    else if (wire === 2) this.#block();
    else if (wire === 5) this.#at += 4;
    else throw new Error(`illegal wireType ${wire}`);
    if (this.#at > this.#end) throw new Error('unexpected EOF');
  }

  #block(): [number, number] {
    const length = this.unsigned();
    const from = this.#at;
    this.#at += length;
    if (this.#at > this.#end) throw new Error('unexpected EOF');
    return [from, this.#at];
  }

  #byte(): number {
    if (this.#at >= this.#end) throw new Error('unexpected EOF');
    return this.#bytes[this.#at++] as number;
  }
}
