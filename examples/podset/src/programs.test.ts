import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

describe('the programs of the example', function () {
  this.timeout(20_000);
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kubewright-podset-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const run = (program: string, args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> =>
    new Promise((resolve) => {
      const file = fileURLToPath(new URL(program, import.meta.url));
      const clean = { PATH: process.env['PATH'] ?? '', HOME: folder, ...env };
      const child = execFile(
        process.execPath,
        [file, ...args],
        { cwd: folder, env: clean },
        (_error, stdout, stderr) => {
          resolve({ code: child.exitCode, stdout, stderr });
        },
      );
    });

  it('demo.js --once converges, scales, deletes and ends', async () => {
    const { code, stdout, stderr } = await run('./demo.js', ['--once']);
    expect(stderr).to.equal('');
    expect(code).to.equal(0);
    const told = [
      /ready at https:\/\/127\.0\.0\.1:\d+/,
      /CRD podsets\.app\.example\.com is installed/,
      /example-podset wants 3; Pods: 3 running$/m,
      /Converged after \d+\.\d\d s/,
      /example-podset wants 5; Pods: 5 running$/m,
      /All is gone\./,
      /Everything is stopped\./,
    ];
    for (const text of told) expect(stdout).to.match(text);
    expect(existsSync(join(folder, '.kubewright/kubeconfig'))).to.equal(false);
  });

  it('main.js without a cluster says where it looked, and fails', async () => {
    const { code, stderr } = await run('./main.js', []);
    expect(code).to.equal(1);
    expect(stderr).to.contain('KUBECONFIG').and.to.contain('.kube/config');
  });

  it('main.js names a kubeconfig that is not there', async () => {
    const { code, stderr } = await run('./main.js', ['--kubeconfig', join(folder, 'absent')]);
    expect(code).to.equal(1);
    expect(stderr).to.contain(join(folder, 'absent'));
  });
});
