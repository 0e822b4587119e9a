/** What sizes and costs are counted up to: more is as much as this. */
export const most: number = 2 ** 64;

/** How many characters, bytes, entries or items a value may have. */
export interface Size {
  readonly min: number;
  readonly max: number;
}

export const unknownSize: Size = { min: 0, max: most };

export const exactly = (size: number): Size => ({ min: size, max: size });

export const plus = (a: number, b: number): number => Math.min(a + b, most);

export const times = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : Math.min(a * b, most));

/** A share of something, rounded up. */
export const share = (a: number, factor: number): number => Math.min(Math.ceil(a * factor), most);

export const plusSize = (a: Size, b: Size): Size => ({ min: plus(a.min, b.min), max: plus(a.max, b.max) });

export const timesSize = (a: Size, b: Size): Size => ({ min: times(a.min, b.min), max: times(a.max, b.max) });

export const eitherSize = (a: Size, b: Size): Size => ({ min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) });
