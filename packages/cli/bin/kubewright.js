#!/usr/bin/env node
// Plain and old-fashioned on purpose: it has to run on the Node versions it refuses.
import { existsSync } from 'node:fs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `KW_NODE_VERSION: kubewright needs Node >= 22.19, found ${process.versions.node} at ${process.execPath}.\n` +
      'fix: npm install --save-dev node@22, then run through npm scripts\n',
  );
  process.exitCode = 6;
} else if (!existsSync(new URL('../dist/main.js', import.meta.url))) {
  process.stderr.write('KW_NOT_BUILT: this checkout of kubewright is not compiled yet.\nfix: npm run build\n');
  process.exitCode = 3;
} else {
  const { main } = await import('../dist/main.js');
  process.exitCode = await main(process.argv.slice(2));
}
