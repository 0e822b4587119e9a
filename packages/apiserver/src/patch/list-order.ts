import type { JsonValue } from '../core/types.js';

/**
 * The order of a merged list: items the patch names stand in the order of the patch; the others keep the order of the server.
 * The two are woven so that an item of the server comes first only where the server had it in front of the patch's item;
 * hence new items stand in front.
 */
export function inServerOrder(
  merged: readonly JsonValue[],
  by: { server: readonly JsonValue[]; patch: readonly JsonValue[]; same: (a: JsonValue, b: JsonValue) => boolean },
): JsonValue[] {
  const place = (list: readonly JsonValue[], item: JsonValue): number => list.findIndex((v) => by.same(v, item));
  const named = merged
    .filter((item) => place(by.patch, item) >= 0)
    .sort((a, b) => place(by.patch, a) - place(by.patch, b));
  const others = merged
    .filter((item) => place(by.patch, item) < 0)
    .sort((a, b) => place(by.server, a) - place(by.server, b));
  const out: JsonValue[] = [];
  let [i, j] = [0, 0];
  while (i < others.length && j < named.length) {
    const [other, mine] = [others[i] as JsonValue, named[j] as JsonValue];
    const [a, b] = [place(by.server, other), place(by.server, mine)];
    if (a >= 0 && b >= 0 && a < b) out.push(others[i++] as JsonValue);
    else out.push(named[j++] as JsonValue);
  }
  return [...out, ...others.slice(i), ...named.slice(j)];
}
