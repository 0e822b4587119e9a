import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { Kubeconfig } from './kubeconfig.js';

describe('the kubeconfig file', () => {
  let folder: string;
  let file: string;
  const of = (port: number): Kubeconfig =>
    new Kubeconfig({ server: `https://127.0.0.1:${port}`, users: [{ name: 'admin', token: 'secret' }] });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kubewright-kubeconfig-'));
    file = join(folder, 'deep/kubeconfig');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('APIS-1 is written whole, for its owner only, and removed at the end', () => {
    of(1).write(file);
    expect(readFileSync(file, 'utf8')).to.equal(of(1).toYaml());
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    of(1).remove(file);
    expect(existsSync(file)).to.equal(false);
  });

  it('stays when another server has put its own there since', () => {
    of(1).write(file);
    of(2).write(file);
    of(1).remove(file);
    expect(readFileSync(file, 'utf8')).to.contain('127.0.0.1:2');
  });

  it('may be gone already', () => {
    expect(() => of(1).remove(file)).not.to.throw();
  });

  it('APIS-1 what cannot be a file of ours is left alone', () => {
    const parent = join(folder, 'file');
    writeFileSync(parent, '');
    expect(() => of(1).remove(join(parent, 'kubeconfig'))).not.to.throw();
    expect(() => of(1).remove(folder)).not.to.throw();
  });
});
