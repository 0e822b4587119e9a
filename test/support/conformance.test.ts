import { execFile } from 'node:child_process';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { temporaryFolder } from './leftovers.js';
import { inRepository } from './paths.js';

interface Result {
  id: string;
  title: string;
  result: 'passed' | 'failed' | 'skipped';
  message?: string;
}

const { judge, readIds } = (await import(inRepository('test/conformance/judge.mjs'))) as {
  judge: (results: Result[], mayFail: Set<string>) => { lines: string[]; wrong: number };
  readIds: (text: string) => Set<string>;
};

const passed: Result = { id: 'CK-1', title: 'one', result: 'passed' };
const failed: Result = { id: 'CK-3', title: 'three', result: 'failed', message: 'expected 1 / got 2' };

describe('the conformance run', function () {
  this.timeout(60_000);

  it('counts what passed', () => {
    expect(judge([passed], new Set())).to.deep.equal({ lines: ['conformance: 1 passed of 1'], wrong: 0 });
  });

  it('fails on a check that is not listed, and shows its message', () => {
    const { lines, wrong } = judge([passed, failed], new Set(['CK-5']));
    expect(wrong).to.equal(1);
    expect(lines).to.deep.equal(['FAIL CK-3 three\n    expected 1 / got 2', 'conformance: 1 passed of 2']);
  });

  it('lets a listed check fail', () => {
    const { lines, wrong } = judge([failed], readIds('# comment\nCK-3  webhooks are not called yet\n\n'));
    expect(wrong).to.equal(0);
    expect(lines[0]).to.match(/^not yet: CK-3/);
  });

  it('fails on a listed check that passes, so that the list only gets shorter', () => {
    const { lines, wrong } = judge([passed], new Set(['CK-1']));
    expect(wrong).to.equal(1);
    expect(lines[0]).to.equal('FAIL CK-1 passes now: take it off test/conformance/not-passing.txt');
  });

  it('says so and succeeds where there is no suite', async () => {
    const folder = await temporaryFolder('no-suite');
    const env = { ...process.env, KUBEWRIGHT_CONFORMANCE_DIR: folder };
    const output = await new Promise<string>((resolve, reject) => {
      execFile(process.execPath, [inRepository('test/conformance/run.mjs')], { env }, (error, stdout) =>
        error ? reject(error) : resolve(stdout),
      );
    });
    expect(output).to.contain(`not run, there is no suite in ${folder}`);
  });
});
