import type { Part } from './calls.js';
import { types } from './declared.js';

/** Variables of an expression; those of the schema have a path, others a size. */
export type Scope = ReadonlyMap<string, Part>;

/** A part of which nothing is known, and that costs nothing. */
export const nothing: Part = { cost: 0, size: undefined, type: types.dyn, path: [] };
