/** `30s`, or `1500ms` where that is not whole. */
export const secondsText = (ms: number): string => (ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`);
