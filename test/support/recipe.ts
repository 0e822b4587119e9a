import { inRepository } from './paths.js';

/** Paths of programs of the real control plane by name, and the names of those that are nowhere. */
interface Located {
  readonly found: Readonly<Record<string, string>>;
  readonly missing: string[];
}

/** What tests use of `test/real/*.mjs`, which are plain JavaScript: they run before anything is compiled. */
export interface Recipe {
  readonly cacheFolder: (env: NodeJS.ProcessEnv) => string;
  readonly kubernetesVersion: string;
  readonly locatePrograms: (env?: NodeJS.ProcessEnv) => Located;
  readonly modules: readonly { version: string; makes: Record<string, string | undefined> }[];
  readonly howToGet: (missing: readonly string[]) => string;
  readonly withLock: <T>(file: string, onWait: () => void, work: () => Promise<T>) => Promise<T>;
}

/** Loads the recipe from the checkout. */
export async function loadRecipe(): Promise<Recipe> {
  const parts = ['programs', 'build', 'lock'].map((name) => import(inRepository(`test/real/${name}.mjs`)));
  return Object.assign({}, ...(await Promise.all(parts))) as Recipe;
}
