import { authErrors } from './errors.js';
import type { Kubeconfig } from './kubeconfig.js';

/** The lists of a kubeconfig, and what an entry of each holds beside its name. */
const LISTS = [
  ['clusters', 'cluster'],
  ['users', 'user'],
  ['contexts', 'context'],
] as const;

/** Throws where a kubeconfig has another form than it is read in; values stay out of the message, as they are secrets. */
export function checkKubeconfigShape(parsed: unknown, where: string): asserts parsed is Kubeconfig {
  if (!isMap(parsed))
    throw authErrors.config(where, 'is no kubeconfig; fix: write a map with clusters, users, contexts');
  const { kind } = parsed;
  if (typeof kind === 'string' && kind !== 'Config')
    throw authErrors.config(where, `holds an object of kind ${kind}, not a kubeconfig (kind Config)`);
  for (const [list, part] of LISTS) {
    const entries = parsed[list] ?? [];
    if (!Array.isArray(entries)) throw authErrors.config(where, `${list} is no list; fix: write "- name: …" entries`);
    for (const [index, entry] of (entries as readonly unknown[]).entries()) {
      const path = `${list}[${index}]`;
      if (!isMap(entry) || typeof entry['name'] !== 'string')
        throw authErrors.config(where, `${path} has no name; fix: give it name and ${part}`);
      const value = entry[part];
      if (value !== undefined && value !== null && !isMap(value))
        throw authErrors.config(where, `${path}.${part} is no map`);
    }
  }
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
