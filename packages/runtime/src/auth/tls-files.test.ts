import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { KeptLogger } from '../cache/scripted-transport.test.js';
import { VirtualClock } from '../testing/virtual-clock.js';
import { until } from '../transport/http-harness.test.js';
import { clientCert, clientKey, serverCert, serverKey, testCa } from '../transport/tls-material.test.js';
import { TlsFiles } from './tls-files.js';

describe('TLS files', () => {
  let folder: string;
  let clock: VirtualClock;
  let logger: KeptLogger;
  let files: TlsFiles;
  const write = (name: 'ca' | 'cert' | 'key', text: string): Promise<void> => writeFile(join(folder, name), text);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubewright-tls-'));
    clock = new VirtualClock();
    logger = new KeptLogger();
    await Promise.all([write('ca', testCa), write('cert', clientCert), write('key', clientKey)]);
    const paths = { ca: join(folder, 'ca'), cert: join(folder, 'cert'), key: join(folder, 'key') };
    const material = { ca: testCa, cert: clientCert, key: clientKey, serverName: 'api.test' };
    files = new TlsFiles({ clock, logger, paths, material });
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('T10 looks at the files every 60 s, behind the request, and hands out new material that loads', async () => {
    const first = files.current;
    await Promise.all([write('cert', serverCert), write('key', serverKey)]);
    await clock.advance('59s');
    expect(files.current).to.equal(first);
    await clock.advance('1s');
    expect(files.current).to.equal(first);
    await until(() => files.current !== first, 'new material');
    expect(files.current).to.deep.equal({ ca: testCa, cert: serverCert, key: serverKey, serverName: 'api.test' });
    expect(logger.of('info')).to.have.length(1);
  });

  it('T10 keeps the old material while the new one is half-written, warns once, and looks again in 5 s', async () => {
    const first = files.current;
    await write('cert', serverCert);
    await clock.advance('60s');
    void files.current;
    await until(() => logger.of('warn').length === 1, 'a warning');
    expect(logger.of('warn')[0]).to.contain('does not fit');
    expect(files.current).to.equal(first);
    await write('ca', 'half a certifi');
    await clock.advance('5s');
    await files.handshakeFailed();
    expect(files.current).to.equal(first);
    await Promise.all([write('key', serverKey), write('ca', testCa)]);
    await clock.advance('5s');
    void files.current;
    await until(() => files.current !== first, 'new material');
    expect(logger.of('warn')).to.have.length(1);
  });

  it('T10 looks after a failed handshake, every 5 s at most', async () => {
    const first = files.current;
    await Promise.all([write('cert', serverCert), write('key', serverKey)]);
    await clock.advance('4s');
    await files.handshakeFailed();
    expect(files.current).to.equal(first);
    await clock.advance('1s');
    await files.handshakeFailed();
    expect(files.current).to.not.equal(first);
  });
});
