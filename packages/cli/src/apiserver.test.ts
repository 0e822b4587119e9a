import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';

const bin = fileURLToPath(new URL('../bin/kubewright.js', import.meta.url));

describe('kubewright apiserver', function () {
  this.timeout(20_000);
  let folder: string;
  let child: ChildProcess | undefined;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kubewright-cli-'));
  });
  afterEach(() => {
    child?.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  const start = (...args: string[]): ChildProcess => {
    child = spawn(process.execPath, [bin, 'apiserver', ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    return child;
  };

  /** Output up to the first text that matches. */
  const read = async (stream: NodeJS.ReadableStream | null, wanted: RegExp): Promise<string> => {
    let text = '';
    for await (const chunk of stream ?? []) {
      text += String(chunk);
      if (wanted.test(text)) return text;
    }
    return text;
  };

  it('APIS-1 tells that it is ready and what to export; CLI-17 SIGTERM ends it with 0 and takes the kubeconfig away', async () => {
    const server = start('--port', '0', '--controllers', 'none');
    const output = await read(server.stdout, /^export KUBECONFIG=.*$/m);
    expect(output).to.match(
      /^embedded test server, not a cluster · ready at https:\/\/127\.0\.0\.1:\d+ \(1\.37, memory\) in \d+\.\d s\n/,
    );
    const kubeconfig = join(folder, '.kubewright/kubeconfig');
    expect(output).to.contain(`export KUBECONFIG=${kubeconfig}\n`);
    expect(statSync(kubeconfig).mode & 0o777).to.equal(0o600);
    expect(readFileSync(kubeconfig, 'utf8')).to.contain('certificate-authority-data');
    server.kill('SIGTERM');
    const [code] = (await once(server, 'exit')) as [number];
    expect(code).to.equal(0);
    expect(existsSync(kubeconfig)).to.equal(false);
  });

  it('a taken port is KW_PORT_IN_USE with a free one, exit 1', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as { port: number };
    const server = start('--port', String(port));
    const [stderr, [code]] = await Promise.all([read(server.stderr, /fix: .*\n/), once(server, 'exit')]);
    holder.close();
    expect(code).to.equal(1);
    expect(stderr)
      .to.match(new RegExp(`^KW_PORT_IN_USE: port ${port} is taken\\.\n`))
      .and.to.match(/fix: --port \d+\n$/);
  });
});
