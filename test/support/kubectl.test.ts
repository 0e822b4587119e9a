import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { findKubectls } from './kubectl.js';
import { temporaryFolder } from './leftovers.js';

describe('the kubectl programs of a machine', function () {
  this.timeout(60_000);
  it('KC-20 are found by release in the named folder, and the absent ones are named', async () => {
    const folder = await temporaryFolder('kubectls');
    await writeFile(path.join(folder, 'kubectl.1.33'), '');
    const { found, absent } = await findKubectls({
      KUBEWRIGHT_KUBECTL_DIR: folder,
      KUBEWRIGHT_CACHE: folder,
      PATH: '',
    });
    expect(found).to.deep.equal([{ file: path.join(folder, 'kubectl.1.33'), minor: 33 }]);
    expect(absent).to.deep.equal(['kubectl.1.29']);
  });

  it('KC-20 include the one on the path where no wanted release is installed', async () => {
    const folder = await temporaryFolder('kubectls');
    const file = path.join(folder, 'kubectl');
    await writeFile(file, `#!${process.execPath}\nconsole.log('{"clientVersion":{"minor":"31+"}}')\n`, { mode: 0o755 });
    const { found, absent } = await findKubectls({ KUBEWRIGHT_CACHE: folder, PATH: folder });
    expect(found).to.deep.equal([{ file, minor: 31 }]);
    expect(absent).to.deep.equal(['kubectl.1.29', 'kubectl.1.33']);
  });
});
