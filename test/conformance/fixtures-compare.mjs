// Compares answers with recorded ones; each function answers the differences as lines of text, none when they are alike.
import { isDeepStrictEqual } from 'node:util';

const shown = (value) => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length > 1500 ? `${text.slice(0, 1500)}…` : text;
};

/** One value. */
export const compare = (what, got, expected) =>
  isDeepStrictEqual(got, expected)
    ? []
    : [`${what}: expected ${shown(expected)}`, `${' '.repeat(what.length)}       got ${shown(got)}`];

/** Two lists whose order does not matter: what is missing and what is too many. */
export function compareSets(what, got = [], expected = []) {
  const texts = (list) => list.map((item) => JSON.stringify(item));
  const without = (list, other) => {
    const left = texts(other);
    return texts(list).filter((text) => {
      const at = left.indexOf(text);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
  };
  return [
    ...without(expected, got).map((text) => `${what}: missing ${shown(text)}`),
    ...without(got, expected).map((text) => `${what}: too many ${shown(text)}`),
  ];
}

/** A refusal: the Status beside `{ code, reason, message, causes, raw }`. */
export function compareRefusal(answer, expected) {
  if (answer.code !== expected.code)
    return compare('code', `${answer.code} ${answer.text.slice(0, 1500)}`, expected.code);
  if (expected.raw !== undefined) return compare('text', answer.text, expected.raw);
  const { reason, message, details } = answer.body ?? {};
  if (expected.varies_between_runs?.includes('causes')) {
    // Which of several equally expensive rules are named is random on the real server.
    const texts = (list = []) => list.map((cause) => cause.message);
    return [
      ...compare('reason', reason, expected.reason),
      ...compareSets('causes', texts(details?.causes), texts(expected.causes)),
    ];
  }
  const differences = [
    ...compare('reason', reason, expected.reason),
    ...compareSets('causes', details?.causes ?? [], expected.causes ?? []),
  ];
  // The order of several errors is random on the real server, so is that of their texts in the message.
  const many = (expected.causes?.length ?? 0) > 1;
  const form = (text = '') =>
    many ? [text.slice(0, text.indexOf('[') + 1), text.split('').toSorted().join('')] : text;
  if (differences.length === 0 && !isDeepStrictEqual(form(message), form(expected.message)))
    differences.push(...compare('message', message, expected.message));
  return differences;
}

/** Warning headers by their texts. */
export function compareWarnings(answer, expected = []) {
  const texts = answer.warnings.map((header) =>
    JSON.parse(/^299 - (".*")$/s.exec(header)?.[1] ?? JSON.stringify(header)),
  );
  return compareSets('warnings', texts, expected);
}

/** An object without what the server makes up. */
export function comparable({ metadata = {}, ...rest }) {
  const { uid: _uid, resourceVersion: _rv, creationTimestamp: _time, managedFields: _fields, ...kept } = metadata;
  return { ...rest, metadata: kept };
}

/** Differences of two JSON values as `{ added, removed, changed }` by JSON pointer. */
export function pointerDiff(from, to) {
  const diff = {};
  const note = (kind, pointer, value) => ((diff[kind] ??= {})[pointer] = value);
  const walk = (a, b, pointer) => {
    const maps = [a, b].every((value) => typeof value === 'object' && value !== null);
    if (!maps || Array.isArray(a) !== Array.isArray(b)) {
      if (!isDeepStrictEqual(a, b)) note('changed', pointer, b);
      return;
    }
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const at = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (!Object.hasOwn(b, key)) note('removed', at, a[key]);
      else if (!Object.hasOwn(a, key)) note('added', at, b[key]);
      else walk(a[key], b[key], at);
    }
  };
  walk(from, to, '');
  return diff;
}
