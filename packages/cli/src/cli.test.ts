import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { describe, it } from 'mocha';

const bin = fileURLToPath(new URL('../bin/kubewright.js', import.meta.url));

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const run = (args: readonly string[], nodeArgs: readonly string[] = []): Promise<Outcome> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, [...nodeArgs, bin, ...args], (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr });
    });
  });

describe('the kubewright command', () => {
  it('CLI-1 answers on stdout', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect(await run(['--version'])).to.deep.equal({ code: 0, stdout: `${version}\n`, stderr: '' });
    const help = await run(['--help']);
    expect(help).to.include({ code: 0, stderr: '' });
    expect(help.stdout)
      .to.match(/^ {2}apiserver /m)
      .and.to.match(/^ {2}version /m);
  });

  it('CLI-1 a reader that closes the pipe early is no fault', async () => {
    const child = spawn(process.execPath, [bin, 'version'], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (chunk) => (stderr += String(chunk)));
    const [code] = (await once(child, 'close')) as [number];
    expect(stderr).to.equal('');
    expect(code).to.equal(0);
  });

  it('CLI-3 a cause is told once', async () => {
    const { code, stderr } = await run(['apiserver', '--port', '0', '--load', '/absent.yaml']);
    expect(code).to.equal(1);
    expect(stderr).to.match(/^KW_APISERVER: .*\/absent\.yaml/);
    expect(stderr.match(/absent\.yaml/g)).to.have.length(1);
  });

  it('version lists CLI, Node and what the project has', async () => {
    const { stdout, code } = await run(['version']);
    expect(code).to.equal(0);
    expect(stdout)
      .to.match(/^@kubewright\/cli +\d/m)
      .and.to.match(new RegExp(`^node +${process.versions.node}$`, 'm'));
    expect(stdout).to.match(/^typescript +7/m);
  });

  it('CLI-6 a mistyped command or option gets the nearest one, one usage line, exit 2', async () => {
    expect(await run(['apiservr'])).to.deep.equal({
      code: 2,
      stdout: '',
      stderr: 'Unknown command "apiservr". Did you mean "apiserver"?\nusage: kubewright [options] [command]\n',
    });
    expect(await run(['apiserver', '--prot', '0'])).to.deep.include({
      code: 2,
      stderr: 'Unknown option "--prot". Did you mean "--port"?\nusage: kubewright apiserver [options]\n',
    });
    expect((await run(['deploy-everything'])).stderr).to.match(/^Unknown command "deploy-everything"\.\n/);
  });

  it('CLI-2 wrong values are wrong usage', async () => {
    for (const args of [
      ['--port', '70000'],
      ['--port', 'x'],
      ['--auth', 'maybe'],
      ['--pod-grace', 'soon'],
    ]) {
      const { code, stderr } = await run(['apiserver', ...args]);
      expect(code, args.join(' ')).to.equal(2);
      expect(stderr, args.join(' ')).to.contain(args[1]);
    }
  });

  it('shows the help on stderr when nothing is asked', async () => {
    const { code, stdout, stderr } = await run([]);
    expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
    expect(stderr).to.match(/^Usage: kubewright/);
  });

  it('CLI-16 help and version load nothing of the API server', async () => {
    const listLoaded = `data:text/javascript,import {registerHooks} from 'node:module';registerHooks({load(u,c,n){process.stderr.write(u+'\\n');return n(u,c)}})`;
    for (const flag of ['--help', '--version']) {
      const { stderr } = await run([flag], ['--import', listLoaded]);
      expect(stderr).to.contain('/packages/cli/dist/main.js');
      expect(stderr).not.to.match(/packages\/apiserver|class-validator|client-node/);
    }
  });

  it('CLI-15 refuses an old Node before anything is loaded', async () => {
    const old = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.1.0'})`;
    const { code, stderr, stdout } = await run(['version'], ['--import', old]);
    expect({ code, stdout }).to.deep.equal({ code: 6, stdout: '' });
    expect(stderr).to.match(
      /^KW_NODE_VERSION: kubewright needs Node >= 22\.19, found 20\.1\.0 at .+\.\nfix: npm install/,
    );
  });
});
