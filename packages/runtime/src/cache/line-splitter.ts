import { cacheDefaults } from './defaults.js';

const NEWLINE = 10;

/** Splits a byte stream at `\n`, so that characters and lines may break anywhere between chunks (R10). */
export class LineSplitter {
  private parts: Buffer[] = [];
  private partBytes = 0;

  constructor(private readonly maxBytes: number = cacheDefaults.lineBytes) {}

  /** The lines that the chunk completes, empty ones left out. Throws RangeError for a line that is too long. */
  push(chunk: Uint8Array): string[] {
    const buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const lines: string[] = [];
    let start = 0;
    for (let end = buffer.indexOf(NEWLINE); end >= 0; end = buffer.indexOf(NEWLINE, start)) {
      const line =
        this.parts.length === 0 ? buffer.toString('utf8', start, end) : this.join(buffer.subarray(start, end));
      if (line.length > 0 && line !== '\r') lines.push(line);
      start = end + 1;
    }
    if (start < buffer.length) this.keep(buffer.subarray(start));
    return lines;
  }

  private keep(part: Buffer): void {
    this.parts.push(part);
    this.partBytes += part.length;
    if (this.partBytes > this.maxBytes)
      throw new RangeError(`a line of the watch is longer than ${this.maxBytes} bytes`);
  }

  private join(last: Buffer): string {
    this.parts.push(last);
    const line = Buffer.concat(this.parts).toString('utf8');
    this.parts = [];
    this.partBytes = 0;
    return line;
  }
}
