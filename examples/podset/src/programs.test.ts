import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
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
    expect(readdirSync(join(folder, '.kubewright'))).to.deep.equal([]);
  });

  it('demo.js ends when nobody reads its output any more, and takes its kubeconfig away', async () => {
    const demo = fileURLToPath(new URL('./demo.js', import.meta.url));
    const child = spawn(process.execPath, [demo], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.once('data', () => child.stdout.destroy());
    let stderr = '';
    child.stderr.on('data', (chunk) => (stderr += String(chunk)));
    const [code] = (await once(child, 'close')) as [number];
    expect(stderr).to.equal('');
    expect(code).to.equal(0);
    expect(readdirSync(join(folder, '.kubewright'))).to.deep.equal([]);
  });

  it('demo.js says in one line why it cannot write its kubeconfig, and ends', async () => {
    writeFileSync(join(folder, 'taken'), '');
    const { code, stderr } = await run('./demo.js', ['--kubeconfig', 'taken/kubeconfig']);
    expect(code).to.equal(1);
    expect(stderr)
      .to.contain(join(folder, 'taken'))
      .and.to.match(/^[^\n]+\n$/);
  });

  it('CLI-17 demo.js --once, interrupted, cleans up and ends with 130', async () => {
    const demo = fileURLToPath(new URL('./demo.js', import.meta.url));
    const child = spawn(process.execPath, [demo, '--once'], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.once('data', () => child.kill('SIGINT'));
    const [code] = (await once(child, 'close')) as [number];
    expect(code).to.equal(130);
    expect(readdirSync(join(folder, '.kubewright'))).to.deep.equal([]);
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
