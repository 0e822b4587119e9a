const TOTAL = 4096;
const SHORT = 256;

/** Collects the warnings of one answer (AD-9): no text twice, at most 4 KiB in all, else each is cut to 256 characters. */
export class Warnings {
  readonly #texts = new Set<string>();

  readonly add = (text: string): void => {
    if (text) this.#texts.add(text);
  };

  /** Values for `Warning` header lines. */
  headers(): string[] {
    let texts = [...this.#texts];
    if (texts.reduce((sum, t) => sum + t.length, 0) > TOTAL) texts = texts.map((t) => t.slice(0, SHORT));
    let total = 0;
    const kept = texts.filter((t) => (total += t.length) <= TOTAL);
    return kept.map((t) => `299 - "${printable(t).replace(/["\\]/g, String.raw`\$&`)}"`);
  }
}

/** Header values carry Latin-1 without control characters; UTF-8 bytes are sent as such. */
function printable(text: string): string {
  return Buffer.from(text.replace(/\p{Cc}/gu, ' '), 'utf8').toString('latin1');
}
