import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { Program } from './program.js';
import { until } from './until.js';

const node = (script: string): Program => new Program({ name: 'sample', file: process.execPath, args: ['-e', script] });
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('a program of a test', function () {
  this.timeout(60_000);
  it('is awaited by what it prints', async () => {
    const program = node("console.log('port 17'); setInterval(() => {}, 1000)");
    expect((await program.printed(/port (\d+)/, 30_000))[1]).to.equal('17');
    expect(await program.stop()).to.equal(null);
  });

  it('that ends too early is a fault that shows its last output', async () => {
    const fault = await node("console.error('no space left'); process.exitCode = 3")
      .printed(/ready/, 30_000)
      .catch(String);
    expect(fault).to.match(/^Error: sample ended before it printed \/ready\/; its last output:\nno space left/);
  });

  it('that does not exist is a fault that names it', async () => {
    const program = new Program({ name: 'sample', file: '/does/not/exist' });
    expect(await program.ended).to.equal(-1);
    expect(program.fault('failed').message).to.contain('/does/not/exist');
  });

  it('that was forgotten does not keep the test process alive', async () => {
    const script = `
      const { Program } = await import('${new URL('program.js', import.meta.url).href}');
      const child = new Program({ name: 'child', file: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] });
      process.stdout.write(String(child.pid));`;
    const pid = await new Promise<string>((resolve) => {
      execFile(process.execPath, ['--input-type=module', '-e', script], (_error, stdout) => resolve(stdout));
    });
    await until('the child is dead', async () => !isAlive(Number(pid)));
  });

  it('dies with the test process even when that is killed, and its folder goes too', async () => {
    const here = (file: string): string => new URL(file, import.meta.url).href;
    const script = `
      const { Program } = await import('${here('program.js')}');
      const { temporaryFolder } = await import('${here('leftovers.js')}');
      const folder = await temporaryFolder('sample');
      const child = new Program({ name: 'child', file: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] });
      process.stdout.write(child.pid + ' ' + folder, () => process.kill(process.pid, 'SIGKILL'));`;
    const output = await new Promise<string>((resolve) => {
      execFile(process.execPath, ['--input-type=module', '-e', script], (_error, stdout) => resolve(stdout));
    });
    const [pid, folder = ''] = output.split(' ');
    expect(folder).to.contain('kubewright-sample-');
    await until('the child is dead', async () => !isAlive(Number(pid)));
    await until('the folder is removed', async () => !existsSync(folder));
  });
});
