import type { Fault } from '@kubewright/metadata';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { withEnvironment } from './environment.js';
import type { OperatorOptions } from './options.js';

const resolve = (options: Partial<OperatorOptions>, faults: Fault[] = []): OperatorOptions =>
  withEnvironment({ controllers: [], ...options }, faults);

describe('environment variables and flags', () => {
  it('a flag beats a variable, a variable beats an option', () => {
    const env = { KUBEWRIGHT_LOG_LEVEL: 'debug', KUBEWRIGHT_NAMESPACES: 'a, b', KUBEWRIGHT_HEALTH_PORT: '8081' };
    const options = resolve({
      logLevel: 'error',
      environment: { env, argv: ['--log-level', 'trace', '--health-port=9090'] },
    });
    expect(options).to.deep.include({ logLevel: 'trace', namespaces: ['a', 'b'], health: { port: 9090 } });
    expect(resolve({ logLevel: 'error', environment: { env, argv: [] } }).logLevel).to.equal('debug');
    expect(resolve({ logLevel: 'error', environment: { env: {}, argv: ['--verbose'] } }).logLevel).to.equal('error');
  });

  it('the last of two flags counts, an empty variable does not', () => {
    const argv = ['--log-level=warn', '--log-level=info'];
    expect(resolve({ environment: { env: {}, argv } }).logLevel).to.equal('info');
    expect(
      resolve({ logLevel: 'warn', environment: { env: { KUBEWRIGHT_LOG_LEVEL: '' }, argv: [] } }).logLevel,
    ).to.equal('warn');
  });

  it('keeps the rest of an option that is partly overridden', () => {
    const environment = { env: { KUBEWRIGHT_HEALTH_PORT: '1' }, argv: [] };
    expect(resolve({ health: { port: 8081, host: '::1' }, environment }).health).to.deep.equal({
      port: 1,
      host: '::1',
    });
  });

  it('values that cannot be read are faults that name where they came from', () => {
    const faults: Fault[] = [];
    resolve({ environment: { env: { KUBEWRIGHT_HEALTH_PORT: 'http' }, argv: ['--log-level', 'loud'] } }, faults);
    expect(faults.map((fault) => `${fault.owner} ${fault.found}`)).to.deep.equal([
      '--log-level is "loud"',
      'KUBEWRIGHT_HEALTH_PORT is "http"',
    ]);
  });

  it('is not looked at with environment: false', () => {
    process.env['KUBEWRIGHT_LOG_LEVEL'] = 'trace';
    try {
      expect(resolve({ environment: false }).logLevel).to.equal(undefined);
      expect(resolve({}).logLevel).to.equal('trace');
    } finally {
      delete process.env['KUBEWRIGHT_LOG_LEVEL'];
    }
  });
});
