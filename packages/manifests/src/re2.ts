/** A pattern as RE2 reads it, or what it cannot read. */
export type Re2 = { readonly pattern: string } | { readonly problem: string };

/** Parts of a JavaScript pattern that RE2 has no word for. */
const FORBIDDEN: readonly (readonly [RegExp, string])[] = [
  [/^\(\?[=!]/, 'look-ahead'],
  [/^\(\?<[=!]/, 'look-behind'],
  [/^\\[1-9]/, 'back-reference'],
  [/^\\k</, 'back-reference'],
  [/^\\c[A-Za-z]/, 'control escape'],
];

/** Rewrites a JavaScript regular expression for the API server (CRD-12). */
export function toRe2(expression: RegExp): Re2 {
  const { source, flags } = expression;
  for (const flag of flags) if (flag === 'y' || flag === 'v') return { problem: `flag "${flag}" has no counterpart` };
  let out = '';
  let inClass = false;
  for (let at = 0; at < source.length;) {
    const rest = source.slice(at);
    const bad = inClass ? undefined : FORBIDDEN.find(([pattern]) => pattern.test(rest));
    if (bad) return { problem: `column ${at + 1} is a ${bad[1]}, which RE2 does not have` };
    const [taken, written] = piece(rest, inClass, flags.includes('u'));
    if (written === undefined) return { problem: `column ${at + 1} (${taken}) cannot be said in RE2` };
    if (!inClass && rest[0] === '[') inClass = true;
    else if (inClass && rest[0] === ']') inClass = false;
    out += written;
    at += taken.length;
  }
  const modes = flags.replace(/[^ims]/g, '');
  return { pattern: modes === '' ? out : `(?${modes})${out}` };
}

/** The next piece of the source and how it is written; undefined when it cannot be. */
function piece(rest: string, inClass: boolean, unicode: boolean): readonly [string, string | undefined] {
  const unit = /^\\u([0-9a-fA-F]{4})|^\\u\{([0-9a-fA-F]+)\}/.exec(rest);
  if (unit) return [unit[0], `\\x{${(unit[1] ?? unit[2] ?? '').toUpperCase()}}`];
  const property = /^\\[pP]\{(?:(?:Script|sc|General_Category|gc)=)?(\w+)\}/.exec(rest);
  if (property) return [property[0], unicode ? `\\${rest[1]}{${property[1]}}` : undefined];
  if (rest.startsWith('\\/')) return ['\\/', '/'];
  if (rest[0] === '\\') return [rest.slice(0, 2), rest.slice(0, 2)];
  if (!inClass && rest.startsWith('[^]')) return ['[^]', '[\\s\\S]'];
  if (!inClass && rest.startsWith('(?<')) return ['(?<', '(?P<'];
  const repeat = inClass ? null : /^\{(\d+)(?:,(\d*))?\}/.exec(rest);
  if (repeat) return [repeat[0], Math.max(Number(repeat[1]), Number(repeat[2] ?? 0)) > 1000 ? undefined : repeat[0]];
  return [rest[0] ?? '', rest[0] ?? ''];
}
