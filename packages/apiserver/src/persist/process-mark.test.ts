import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { isRunning, processMark } from './process-mark.js';

describe('process marks', () => {
  it('OP-8 this process runs, with and without its time of start', () => {
    expect(isRunning(processMark())).to.equal(true);
    expect(isRunning(String(process.pid))).to.equal(true);
  });

  it('OP-8 a process that has ended does not run, nor does what is no mark', async () => {
    const child = spawn(process.execPath, ['--eval', '']);
    const mark = processMark(child.pid);
    await once(child, 'exit');
    for (const ended of [mark, '', 'x', '-1', '0']) expect(isRunning(ended), ended).to.equal(false);
  });

  it('OP-8 a later process with the same id is another one, where the system tells when it began', function () {
    const tellsStart = processMark().includes(' ');
    expect(isRunning(`${process.pid} 1`)).to.equal(!tellsStart);
  });
});
