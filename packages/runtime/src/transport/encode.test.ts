import { expect } from 'chai';
import { describe, it } from 'mocha';
import { encodeBody } from './encode.js';
import { microTime } from './time-format.js';

const LEASE = { group: 'coordination.k8s.io', kind: 'Lease' };

describe('outgoing bodies', () => {
  it('T19 sends the bytes that came: unknown fields, null, emoji, empty maps, key order', () => {
    const text =
      '{"kind":"X","z":null,"a":{"b":[],"c":{}},"x-kubernetes-y":"🌱","n":1.5,"list":[null,{"q":false}],"creationTimestamp":null}';
    expect(encodeBody(JSON.parse(text))).to.equal(text);
  });

  it('T20 writes a Date in whole seconds, in MicroTime members with six digits', () => {
    const at = new Date('2026-01-02T03:04:05.123Z');
    expect(encodeBody({ spec: { renewTime: at, other: at } }, LEASE)).to.equal(
      '{"spec":{"renewTime":"2026-01-02T03:04:05.123000Z","other":"2026-01-02T03:04:05Z"}}',
    );
    expect(encodeBody({ spec: { renewTime: '2026-01-02T03:04:05Z', holder: '2026-01-02T03:04:05Z' } }, LEASE)).to.equal(
      '{"spec":{"renewTime":"2026-01-02T03:04:05.000000Z","holder":"2026-01-02T03:04:05Z"}}',
    );
    for (const group of ['', 'events.k8s.io'])
      expect(encodeBody({ eventTime: at, series: { lastObservedTime: at } }, { group, kind: 'Event' })).to.equal(
        '{"eventTime":"2026-01-02T03:04:05.123000Z","series":{"lastObservedTime":"2026-01-02T03:04:05.123000Z"}}',
      );
  });

  it('T20 rewrites text of any precision and zone', () => {
    expect(microTime('2026-01-02T03:04:05.1234567Z')).to.equal('2026-01-02T03:04:05.123456Z');
    expect(microTime('2026-01-02T03:04:05+02:00')).to.equal('2026-01-02T03:04:05.000000+02:00');
    expect(microTime('soon')).to.equal('soon');
  });

  it('T21 leaves undefined members out and names the path of what JSON cannot say', () => {
    expect(encodeBody({ a: undefined, b: { c: undefined } })).to.equal('{"b":{}}');
    const cycle: Record<string, unknown> = {};
    cycle['self'] = { again: cycle };
    const bad: [value: unknown, path: string][] = [
      [{ spec: { list: [1, Number.NaN] } }, 'spec.list[1] is NaN'],
      [{ a: Infinity }, 'a is Infinity'],
      [{ a: 1n }, 'a is a bigint'],
      [{ a: () => 1 }, 'a is a function'],
      [{ a: Symbol('x') }, 'a is a symbol'],
      [{ a: new Map() }, 'a is a Map'],
      [{ a: [new Set()] }, 'a[0] is a Set'],
      [{ a: [undefined] }, 'a[0] is undefined'],
      [{ a: new Date('no') }, 'a is an invalid Date'],
      [cycle, 'self.again is a cycle'],
    ];
    for (const [value, text] of bad)
      expect(() => encodeBody(value), text)
        .to.throw(text)
        .with.property('code', 'KW_JSON_VALUE');
  });

  it('T22 names the path of a whole number that reading has rounded', () => {
    expect(() => encodeBody({ spec: { big: 2 ** 53 } }))
      .to.throw('spec.big')
      .with.property('code', 'KW_JSON_UNSAFE_INTEGER');
    expect(() => encodeBody({ big: [-(2 ** 60)] })).to.throw('big[0]');
    expect(encodeBody({ a: 2 ** 53 - 1, b: 2 ** 64, c: 1e300 })).to.equal(
      '{"a":9007199254740991,"b":18446744073709552000,"c":1e+300}',
    );
  });

  it('T23 keeps a key named __proto__ plain data', () => {
    const body = JSON.parse('{"data":{"__proto__":{"polluted":true}},"at":"x"}') as { at: unknown };
    expect(encodeBody(body)).to.contain('"__proto__":{"polluted":true}');
    body.at = new Date(0);
    expect(encodeBody(body)).to.contain('"__proto__":{"polluted":true}');
    expect({}).to.not.have.property('polluted');
  });
});
