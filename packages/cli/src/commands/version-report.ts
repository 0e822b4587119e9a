import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cliVersion } from '../version.js';

/** Packages of a project whose versions matter together. */
const PACKAGES = ['kubewright', '@kubewright/testing', 'typescript', 'class-validator', 'reflect-metadata'];

/** Versions as lines of `name  version`; packages of the project at `folder` that are not installed are left out. */
export function versionReport(folder: string): string {
  const project = createRequire(join(folder, 'package.json'));
  const rows: [string, string][] = [
    ['@kubewright/cli', cliVersion()],
    ['node', process.versions.node],
  ];
  for (const name of PACKAGES) {
    const version = installedVersion(project, name);
    if (version !== undefined) rows.push([name, version]);
  }
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, version]) => `${name.padEnd(width)}  ${version}\n`).join('');
}

/** Looks in the folders that Node would look in, since many packages do not export their package.json. */
function installedVersion(project: NodeJS.Require, name: string): string | undefined {
  for (const folder of project.resolve.paths(name) ?? []) {
    try {
      const text = readFileSync(join(folder, name, 'package.json'), 'utf8');
      return (JSON.parse(text) as { version: string }).version;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}
