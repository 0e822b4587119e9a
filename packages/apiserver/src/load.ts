import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { StaticUser } from './auth/authenticate.js';
import type { JsonValue, KubeObject } from './core/types.js';

const MANIFEST = /\.(ya?ml|json)$/;

/** The objects of manifest files and of the manifests in folders, in order; lists are taken apart (OP-9). */
export async function loadManifests(paths: readonly string[]): Promise<KubeObject[]> {
  const objects: KubeObject[] = [];
  for (const file of paths.flatMap(manifestsIn)) {
    for (const document of await documentsOf(file)) collect(document, file, objects);
  }
  return objects;
}

function manifestsIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  const entries = readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    if (entry.isDirectory()) return manifestsIn(join(path, entry.name));
    return MANIFEST.test(entry.name) ? [join(path, entry.name)] : [];
  });
}

async function documentsOf(file: string): Promise<JsonValue[]> {
  const text = readFileSync(file, 'utf8');
  if (/^\s*[[{]/.test(text)) {
    try {
      return [JSON.parse(text) as JsonValue];
    } catch (error) {
      throw new Error(`${file} is not valid JSON: ${(error as Error).message}`, { cause: error });
    }
  }
  const { readYaml } = await import('./codec/yaml.js');
  return text.split(/^---(?=\s|$)/m).flatMap((part) => {
    const { value, syntax } = readYaml(part);
    if (syntax) throw new Error(`${file} is not valid YAML: ${syntax}`);
    return value === null ? [] : [value];
  });
}

function collect(document: JsonValue, file: string, into: KubeObject[]): void {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new Error(`${file} holds something that is no Kubernetes object`);
  }
  const { apiVersion, kind, items } = document;
  if (typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items)) {
    for (const item of items) collect(item, file, into);
    return;
  }
  if (typeof apiVersion !== 'string' || typeof kind !== 'string')
    throw new Error(`${file}: an object has no apiVersion or no kind`);
  into.push(document as unknown as KubeObject);
}

/** Reads a file of `token,user,uid,"group1,group2"` lines, the format of kube-apiserver's --token-auth-file (OP-4). */
export function loadUsers(file: string): StaticUser[] {
  const users: StaticUser[] = [];
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    const text = line.trim();
    if (text === '' || text.startsWith('#')) continue;
    const found = /^([^,]+),([^,]+),([^,]*)(?:,(?:"([^"]*)"|(.*)))?$/.exec(text);
    if (!found) throw new Error(`${file}, line ${index + 1}: expected token,user,uid,"group1,group2"`);
    const [, token = '', name = '', uid, quoted, plain] = found.map((part) => part?.trim());
    const groups = (quoted ?? plain ?? '').split(',').map((group) => group.trim());
    users.push({ token, name, ...(uid ? { uid } : {}), groups: groups.filter((group) => group !== '') });
  }
  return users;
}
