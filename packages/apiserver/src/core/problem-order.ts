import type { JsonValue } from './types.js';

/** Which place each step of a path takes among its siblings; shorter when the path leads nowhere. */
function placesOf(path: string, root: JsonValue): number[] {
  const places: number[] = [];
  let rest = path;
  let node: JsonValue | undefined = root;
  while (rest !== '' && node !== null && typeof node === 'object') {
    if (Array.isArray(node)) {
      const index = /^\[(\d+)\]\.?/.exec(rest);
      if (!index) break;
      places.push(Number(index[1]));
      node = node[Number(index[1])];
      rest = rest.slice(index[0].length);
      continue;
    }
    const keys: string[] = Object.keys(node);
    const place = keys.findIndex((key) => rest.startsWith(key) && /^($|[.[])/.test(rest.slice(key.length)));
    const key = keys[place];
    if (key === undefined) break;
    places.push(place);
    node = node[key];
    rest = rest.slice(key.length).replace(/^\./, '');
  }
  return places;
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return (a[i] ?? 0) - (b[i] ?? 0);
  return 0;
}

/** `unknown field "a.b"` and `duplicate field "a.c"` in the order in which their fields stand in the document. */
export function inOrder(problems: readonly string[], document: JsonValue): string[] {
  const placed = problems.map((text) => ({ text, at: placesOf(/"(.*)"$/.exec(text)?.[1] ?? '', document) }));
  return placed.sort((a, b) => compare(a.at, b.at)).map(({ text }) => text);
}
