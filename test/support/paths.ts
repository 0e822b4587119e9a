import { fileURLToPath } from 'node:url';

/** Absolute path of a file of this repository; compiled tests lie in `test/dist/<folder>`. */
export const inRepository = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
