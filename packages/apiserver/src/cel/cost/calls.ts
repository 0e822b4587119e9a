import type { Declared } from './declared.js';
import { types } from './declared.js';
import { most, plus, plusSize, share, times, timesSize, unknownSize, type Size } from './size.js';

/** What is known of a part of an expression. */
export interface Part {
  /** The most it costs. */
  readonly cost: number;
  readonly size: Size | undefined;
  readonly type: Declared;
  /** The way from a variable to this value; empty when it is no part of a variable. */
  readonly path: readonly string[];
  /** Sizes of the keys and values of a list or map that the expression makes. */
  readonly entries?: Entries | undefined;
  /** Of a literal. */
  readonly literal?: unknown;
}

export interface Entries {
  readonly list: boolean;
  readonly key: Size;
  readonly value: Size;
}

/** Cost of a call without that of its arguments, and what it answers. */
export interface Call {
  readonly cost: number;
  readonly type: Declared;
  readonly size?: Size | undefined;
}

/** Share of a text's length that it costs to go through it, and of a pattern's length that it costs to match. */
const walkShare = 0.1;
const patternShare = 0.25;
const formatPattern = 128;

export const sizeOf = (part: Part): Size => part.size ?? unknownSize;

const walk = (part: Part, factor = 1): number => share(sizeOf(part).max, walkShare * factor);

/** Comparing two values ends with the shorter one. */
export const comparing = (a: Part, b: Part): number => share(Math.min(sizeOf(a).max, sizeOf(b).max), walkShare);

const matching = (text: Part, pattern: Part): number =>
  times(share(plus(sizeOf(text).max, 1), walkShare), share(sizeOf(pattern).max, patternShare));

type Items = (list: Part) => Size;

type Estimate = (args: readonly Part[], target: Part | undefined, items: Items) => Call | undefined;

const flat =
  (type: Declared): Estimate =>
  () => ({ cost: 1, type });

/** Reads the first argument, whatever it makes of it. */
const parsing =
  (type: Declared, factor = 1): Estimate =>
  ([text]) =>
    text && { cost: walk(text, factor), type };

const transformed: Estimate = (_, target) => target && { cost: walk(target), type: types.string, size: sizeOf(target) };

/** Goes through a list, comparing its items, or through a text. */
const scanning =
  (type?: Declared): Estimate =>
  (_, target, items) => {
    if (!target) return undefined;
    const { element } = target.type;
    const answer = type ?? element ?? types.dyn;
    if (!element) return { cost: walk(target), type: answer };
    const textual = element.kind === 'string' || element.kind === 'bytes';
    const each = textual ? plus(1, share(items(target).max, walkShare)) : 1;
    return { cost: times(sizeOf(target).max, each), type: answer };
  };

const replaced: Estimate = ([from, to], target) => {
  if (!target || !from || !to) return undefined;
  const [text, old, fresh] = [sizeOf(target), sizeOf(from), sizeOf(to)];
  const grown =
    old.min === 0
      ? plus(times(plus(text.max, 1), fresh.max), text.max)
      : fresh.max <= old.min
        ? text.max
        : times(Math.ceil(text.max / old.min), fresh.max);
  const shrunk =
    old.max === 0
      ? plus(times(plus(text.min, 1), fresh.min), text.min)
      : old.max <= fresh.min
        ? text.min
        : times(Math.ceil(text.min / old.max), fresh.min);
  return { cost: walk(target, 2), type: types.string, size: { min: shrunk, max: grown } };
};

const split: Estimate = (args, target) => {
  if (!target) return undefined;
  const limit = args[1]?.literal;
  const max = typeof limit === 'bigint' ? (limit < 0n ? most : Number(limit)) : sizeOf(target).max;
  return { cost: walk(target, 2), type: types.strings, size: { min: 0, max } };
};

const joined: Estimate = ([separator], target, items) => {
  if (!target) return undefined;
  const count = sizeOf(target);
  let size: Size = target.type.element ? timesSize(count, items(target)) : { min: 0, max: 0 };
  if (separator) {
    const between = { min: Math.max(0, count.min - 1), max: Math.max(0, count.max - 1) };
    size = plusSize(size, timesSize(sizeOf(separator), between));
  }
  return { cost: share(size.max, walkShare), type: types.string, size };
};

const found =
  (type: Declared): Estimate =>
  ([pattern], target) =>
    target && pattern && { cost: matching(target, pattern), type, size: { min: 0, max: sizeOf(target).max } };

const sets =
  (passes: number): Estimate =>
  ([a, b]) =>
    a && b && { cost: plus(share(times(sizeOf(a).max, sizeOf(b).max), passes), 1), type: types.bool };

/** An address has 4 or 16 bytes. */
const contains =
  (bytes: number): Estimate =>
  ([other]) =>
    other && { cost: plus(bytes, other.type.kind === 'opaque' ? 0 : walk(other)), type: types.bool };

const each = (names: string, estimate: Estimate): [string, Estimate][] =>
  names.split(' ').map((name) => [name, estimate]);

const estimates = new Map<string, Estimate>([
  ...each('check', () => ({ cost: 350_000, type: types.opaque })),
  ...each('serviceAccount path group resource subresource namespace name', flat(types.opaque)),
  ...each('allowed errored', flat(types.bool)),
  ...each('reason error', flat(types.string)),
  ...each('isSorted', scanning(types.bool)),
  ...each('includes', scanning(types.bool)),
  ...each('indexOf lastIndexOf', scanning(types.int)),
  ...each('sum max min', scanning()),
  ...each('url', ([text]) => text && { cost: walk(text), type: types.opaque, size: sizeOf(text) }),
  ...each('lowerAscii upperAscii substring trim', transformed),
  ['replace', replaced],
  ['split', split],
  ['join', joined],
  ['find', found(types.string)],
  ['findAll', found(types.strings)],
  ...each('cidr quantity semver', parsing(types.opaque)),
  ...each('isIP isCIDR isQuantity isSemver', parsing(types.bool)),
  [
    'ip',
    (args, target, items) => (target ? { cost: 1, type: types.opaque } : parsing(types.opaque)(args, target, items)),
  ],
  ['ip.isCanonical', parsing(types.bool, 2)],
  ...each('masked', flat(types.opaque)),
  ...each('prefixLength family major minor patch sign asInteger compareTo', flat(types.int)),
  ...each('isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast', flat(types.bool)),
  ['containsIP', contains(share(32, walkShare))],
  ['containsCIDR', contains(share(32, walkShare) + share(16, walkShare) + 1)],
  ...each('isInteger isGreaterThan isLessThan', flat(types.bool)),
  ['asApproximateFloat', flat(types.double)],
  ...each('add sub', flat(types.opaque)),
  ...each('getScheme getHostname getHost getPort getEscapedPath', flat(types.string)),
  ['getQuery', flat(types.dyn)],
  ['validate', ([text]) => text && { cost: share(walk(text), formatPattern * patternShare), type: types.dyn }],
  ['sets.contains', sets(1)],
  ['sets.intersects', sets(1)],
  ['sets.equivalent', sets(2)],
  ...each('startsWith endsWith', ([part]) => part && { cost: walk(part), type: types.bool }),
  ['contains', ([part], target) => part && target && { cost: times(walk(target), walk(part)), type: types.bool }],
  [
    'matches',
    (args, target) => {
      const [text, pattern] = target ? [target, args[0]] : args;
      return text && pattern && { cost: matching(text, pattern), type: types.bool };
    },
  ],
  ['format', (_, target) => target && { cost: walk(target), type: types.string }],
  [
    'string',
    ([value]) => ({
      cost: value?.type.kind === 'bytes' ? walk(value) : 1,
      type: types.string,
      size: value?.type.kind === 'bytes' ? { min: sizeOf(value).min / 4, max: sizeOf(value).max } : undefined,
    }),
  ],
  [
    'bytes',
    ([text]) => text && { cost: walk(text), type: types.bytes, size: timesSize(sizeOf(text), { min: 1, max: 4 }) },
  ],
  ...each('size int uint getSeconds getHours getMinutes getFullYear', flat(types.int)),
  ['double', flat(types.double)],
  ['duration', flat(types.duration)],
  ['timestamp', flat(types.timestamp)],
  ...each('bool hasValue isURL', flat(types.bool)),
]);

/** The cost of a call; functions without a figure of their own cost one. `itemOf`: the size of a list's items. */
export function estimateCall(
  name: string,
  parts: { args: readonly Part[]; target: Part | undefined },
  itemOf: Items,
): Call {
  return estimates.get(name)?.(parts.args, parts.target, itemOf) ?? { cost: 1, type: types.dyn };
}
