import { KubewrightError } from '@kubewright/api';

const NEEDED = [22, 19] as const;

/**
 * Refuses a Node that is too old, before anything is loaded that would fail on it in words nobody understands
 * (`KW_NODE_VERSION`).
 */
export function requireNodeVersion(found: string = process.versions.node): void {
  const [major = 0, minor = 0] = found.split('.').map(Number);
  if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return;
  throw new KubewrightError(
    'KW_NODE_VERSION',
    `kubewright needs Node >= ${NEEDED.join('.')}, found ${found} at ${process.execPath}`,
    {
      fix: 'install a newer Node, or start through npm or npx in a project that has the package "node" (npm install --save-dev node@24)',
    },
  );
}
