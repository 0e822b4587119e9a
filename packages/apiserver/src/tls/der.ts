/** The part of DER that X.509 certificates need (TL-3). */

export function tlv(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const n = body.length;
  if (n < 0x80) return Buffer.concat([Buffer.from([tag, n]), body]);
  const length: number[] = [];
  for (let rest = n; rest > 0; rest = Math.floor(rest / 256)) length.unshift(rest % 256);
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length, ...length]), body]);
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => tlv(0x30, ...parts);
export const set = (...parts: readonly Uint8Array[]): Buffer => tlv(0x31, ...parts);
export const utf8 = (text: string): Buffer => tlv(0x0c, Buffer.from(text));
export const octets = (...parts: readonly Uint8Array[]): Buffer => tlv(0x04, ...parts);
export const boolean = (value: boolean): Buffer => tlv(0x01, Buffer.from([value ? 0xff : 0]));
/** `unused`: number of unused bits in the last byte. */
export const bits = (bytes: Uint8Array, unused = 0): Buffer => tlv(0x03, Buffer.from([unused]), bytes);
/** Context-specific tag that wraps whole values. */
export const explicit = (tag: number, ...parts: readonly Uint8Array[]): Buffer => tlv(0xa0 | tag, ...parts);
/** Context-specific tag in place of the type of a primitive value. */
export const implicit = (tag: number, value: Uint8Array): Buffer => tlv(0x80 | tag, value);

/** An unsigned integer in the shortest positive form. */
export function integer(bytes: Uint8Array): Buffer {
  let at = 0;
  while (at < bytes.length - 1 && bytes[at] === 0) at++;
  const short = bytes.subarray(at);
  return tlv(0x02, (short[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), short]) : short);
}

export function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const arc of rest) {
    const digits = [arc % 128];
    for (let more = Math.floor(arc / 128); more > 0; more = Math.floor(more / 128)) digits.unshift((more % 128) | 0x80);
    bytes.push(...digits);
  }
  return tlv(0x06, Buffer.from(bytes));
}

/** UTCTime up to 2049, GeneralizedTime after, as RFC 5280 wants it. */
export function time(ms: number): Buffer {
  const text = new Date(ms).toISOString().replace(/[-:T]/g, '').slice(0, 14);
  return text < '2050' ? tlv(0x17, Buffer.from(`${text.slice(2)}Z`)) : tlv(0x18, Buffer.from(`${text}Z`));
}
