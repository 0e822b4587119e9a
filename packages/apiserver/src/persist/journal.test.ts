import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ControllableClock } from '../core/clock.js';
import { Store } from '../core/store.js';
import type { KubeObject } from '../core/types.js';
import { DataDir } from './data-dir.js';
import { Journal } from './journal.js';

const object = (name: string, value = 1): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  value,
});
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('persistence', () => {
  let path: string;
  let dir: DataDir;
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), 'kubewright-data-'));
    dir = new DataDir(path);
  });
  afterEach(() => {
    dir.close();
    rmSync(path, { recursive: true, force: true });
  });

  const open = (): { store: Store; journal: Journal } => {
    const store = new Store({ clock: new ControllableClock() });
    return { store, journal: new Journal(dir, store) };
  };
  const content = (journal: Journal): [number, string[]] => {
    const kept = journal.read();
    return [kept?.revision ?? 0, [...(kept?.collections.get('things')?.keys() ?? [])].sort()];
  };

  it('DE-12 a new folder holds nothing', () => {
    const { journal } = open();
    expect(journal.read()).to.equal(undefined);
    journal.close();
  });

  it('DE-12 what was stored is there after a process that ended without a word', async () => {
    const { store, journal } = open();
    journal.start();
    store.put('things', 'a', object('a'));
    store.put('things', 'b', object('b'));
    store.remove('things', 'a');
    await turn();
    // No close: the process is gone.
    expect(content(open().journal)).to.deep.equal([4, ['b']]);
  });

  it('DE-12 a last line that was cut off is dropped, and writing goes on behind what is whole', async () => {
    const { store, journal } = open();
    journal.start();
    store.put('things', 'a', object('a'));
    await turn();
    appendFileSync(join(path, 'log.jsonl'), '{"r":3,"s":"things","k":"half","o":{"meta');
    const second = open();
    const kept = second.journal.read();
    expect([...(kept?.collections.get('things')?.keys() ?? [])]).to.deep.equal(['a']);
    expect(readFileSync(join(path, 'log.jsonl'), 'utf8').endsWith('\n')).to.equal(true);
    if (kept) second.store.restore(kept);
    second.journal.start();
    second.store.put('things', 'c', object('c'));
    await turn();
    expect(content(open().journal)[1]).to.deep.equal(['a', 'c']);
  });

  it('DE-12 damage in the middle stops the start instead of losing objects in silence', () => {
    writeFileSync(
      join(path, 'log.jsonl'),
      '{"r":2,"s":"things","k":"a","o":{}}\nrubbish\n{"r":3,"s":"things","k":"b","o":{}}\n',
    );
    expect(() => open().journal.read()).to.throw(/log\.jsonl, line 2 cannot be read/);
  });

  it('DE-12 a clean end folds the log into the snapshot; revisions go on upwards', async () => {
    const { store, journal } = open();
    journal.start();
    store.put('things', 'a', object('a'));
    await turn();
    journal.close();
    expect(statSync(join(path, 'log.jsonl')).size).to.equal(0);
    const next = open();
    const kept = next.journal.read();
    if (kept) next.store.restore(kept);
    expect(next.store.revision).to.be.greaterThan(2);
    expect(next.store.get('things', 'a')).to.deep.include({ value: 1 });
    next.journal.close();
  });

  it('OP-8 files are for their owner only, and one live server holds the folder', () => {
    dir.writeKeys({ tokens: 'secret' });
    expect(statSync(join(path, 'keys.json')).mode & 0o777).to.equal(0o600);
    expect(dir.readKeys()).to.deep.equal({ tokens: 'secret' });
    expect(() => new DataDir(path)).to.throw(`used by process ${process.pid}`);
    dir.close();
    writeFileSync(join(path, 'lock'), '999999999');
    dir = new DataDir(path);
  });

  it('OP-8 a lock of a killed server whose process id came back is no obstacle', () => {
    dir.close();
    const tellsStart = existsSync('/proc/self/stat');
    // The id of a running process, but another time of start; elsewhere an id that cannot be.
    writeFileSync(join(path, 'lock'), tellsStart ? `${process.pid} 1` : '0');
    dir = new DataDir(path);
    expect(() => new DataDir(path)).to.throw(`is used by process ${process.pid};`);
  });

  it('DE-12 a damaged snapshot or key file is named, with what to do; keys are not told', () => {
    const { journal } = open();
    journal.start();
    journal.close();
    writeFileSync(dir.file('snapshot.jsonl'), '{"kubew');
    expect(() => open().journal.read()).to.throw(/snapshot\.jsonl, line 1 cannot be read; restore the folder/);
    writeFileSync(dir.file('snapshot.jsonl'), '{"kubewright":1,"revision":3}\n{"s":\n');
    expect(() => open().journal.read()).to.throw(/snapshot\.jsonl, line 2 cannot be read/);
    writeFileSync(dir.file('keys.json'), 'SECRET KEY');
    expect(() => dir.readKeys())
      .to.throw(/keys\.json cannot be read as JSON; restore the folder .* or remove this file/)
      .and.not.match(/SECRET/);
  });

  it('OP-8 a data folder that cannot be made is named', () => {
    const file = join(path, 'file');
    writeFileSync(file, '');
    expect(() => new DataDir(file)).to.throw(`the data folder ${file} cannot be made: `);
  });
});
