import { KubewrightError } from '@kubewright/api';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { createPinoLogger, type LogLevel, setLogLevel } from './pino-logger.js';

interface Line {
  readonly level: string;
  readonly message: string;
  readonly time: string;
  readonly [key: string]: unknown;
}

function logged(write: (logger: ReturnType<typeof createPinoLogger>) => void, level: LogLevel = 'trace'): Line[] {
  const lines: string[] = [];
  write(createPinoLogger({ level, base: { operator: 'x' }, destination: { write: (line) => lines.push(line) } }));
  return lines.map((line) => JSON.parse(line) as Line);
}

describe('the built-in logger', () => {
  it('writes one JSON line per entry with level, time, message and the fields of its parents', () => {
    const [line, plain] = logged((logger) => {
      logger.child({ controller: 'podset' }).info({ attempt: 1 }, 'reconciled');
      logger.warn('hello');
    });
    expect(line).to.include({ level: 'info', message: 'reconciled', operator: 'x', controller: 'podset', attempt: 1 });
    expect(line?.time).to.match(/^\d{4}-\d\d-\d\dT/);
    expect(plain).to.include({ level: 'warn', message: 'hello' });
  });

  it('leaves out what is below its level', () => {
    expect(logged((logger) => logger.info('no'), 'warn')).to.deep.equal([]);
    expect(logged((logger) => logger.error('no'), 'silent')).to.deep.equal([]);
  });

  it('C26 changes its level at run time, for loggers made before as well', () => {
    const lines = logged((logger) => {
      const child = logger.child({ controller: 'podset' });
      child.debug('no');
      expect(setLogLevel(logger, 'debug')).to.equal(true);
      child.debug('yes');
      expect(setLogLevel(child, 'silent')).to.equal(true);
      logger.error('no');
    }, 'info');
    expect(lines.map(({ message }) => message)).to.deep.equal(['yes']);
    const own = { trace() {}, debug() {}, info() {}, warn() {}, error() {}, child: () => own };
    expect(setLogLevel(own, 'debug')).to.equal(false);
  });

  it('M18 errors have code and message, and a stack at error level only', () => {
    const err = new KubewrightError('KW_X', 'it broke', { details: [{ code: 'KW_Y', message: 'detail' }] });
    const [error, warning, bare] = logged((logger) => {
      logger.error({ err }, 'failed');
      logger.warn({ err }, 'failed');
      logger.error(new Error('plain'), 'failed');
    });
    expect(error?.['err']).to.include({ code: 'KW_X', message: 'it broke' }).and.have.property('stack');
    expect(warning?.['err']).to.deep.equal({ code: 'KW_X', message: 'it broke' });
    expect(bare?.['err']).to.include({ message: 'plain' });
  });

  it('takes secrets out', () => {
    const canary = 'canary-7261';
    const secret = { kind: 'Secret', metadata: { namespace: 'a', name: 'b' }, data: { key: canary } };
    const lines = logged((logger) => {
      logger.info({ object: secret, token: canary, Authorization: canary, password: { raw: canary } }, 'x');
      logger.child({ apiToken: 1, secret: canary, object: secret }).info('y');
    });
    expect(JSON.stringify(lines)).not.to.contain(canary);
    expect(lines[0]).to.deep.include({ object: { kind: 'Secret', namespace: 'a', name: 'b' }, token: '[redacted]' });
  });
});
