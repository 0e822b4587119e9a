import { expect } from 'chai';
import { describe, it } from 'mocha';
import { formatCheck } from './formats.js';
import { compilePattern } from './patterns.js';

describe('formats', () => {
  const rows: [string, string[], string[]][] = [
    ['ipv4', ['10.0.0.1'], ['10.0.0', '::1']],
    ['ipv6', ['::1', 'fe80::1'], ['10.0.0.1', 'fe80::1%eth0']],
    ['cidr', ['10.0.0.0/8', '::/0'], ['10.0.0.0', '10.0.0.0/33', 'fe80::1%eth0/64']],
    ['mac', ['00:00:5e:00:53:01', '00-00-5e-00-53-01'], ['00:00:5e:00:53', 'zz:00:5e:00:53:01']],
    ['uuid', ['123e4567-e89b-12d3-a456-426614174000'], ['123e4567']],
    ['uuid4', ['123e4567-e89b-42d3-a456-426614174000'], ['123e4567-e89b-12d3-a456-426614174000']],
    ['date', ['2024-02-29'], ['2023-02-29', '2024-1-1']],
    ['date-time', ['2024-02-29T12:00:00Z', '2024-02-29T12:00:00.5+01:00'], ['2024-02-29', '2024-02-29T25:00:00Z']],
    ['duration', ['1h30m', '22 ns', '3 days', '0'], ['1x', '', 'h']],
    ['byte', ['', 'YQ=='], ['YQ=', 'ä']],
    ['hostname', ['example.com'], ['-a', 'a..b']],
    ['email', ['a@b.de'], ['a', '@b']],
    ['uri', ['https://a.b/c?d', '/path'], ['a b', '']],
    ['isbn', ['0321751043', '978-0321751041'], ['0321751044']],
    ['creditcard', ['4111 1111 1111 1111'], ['4111 1111 1111 1112']],
    ['hexcolor', ['#fff', 'FFFFFF'], ['#ff']],
    ['rgbcolor', ['rgb(1, 2, 255)'], ['rgb(1,2,256)']],
    ['ssn', ['111-11-1111'], ['111']],
    ['bsonobjectid', ['507f1f77bcf86cd799439011'], ['507f']],
    ['k8s-short-name', ['a-b'], ['a.b', 'A']],
    ['k8s-long-name', ['a-b.c'], ['a..b']],
  ];
  for (const [format, good, bad] of rows) {
    it(`VA-3 ${format}`, () => {
      const check = formatCheck(format);
      expect(good.filter((text) => !check?.(text))).to.deep.equal([]);
      expect(bad.filter((text) => check?.(text))).to.deep.equal([]);
    });
  }

  it('VA-3 knows no other formats', () => {
    expect(formatCheck('shoe-size')).to.equal(undefined);
    expect(formatCheck('toString')).to.equal(undefined);
  });
});

describe('patterns', () => {
  const test = (pattern: string, text: string): boolean => {
    const compiled = compilePattern(pattern);
    if (typeof compiled === 'string') throw new Error(compiled);
    return compiled.test(text);
  };

  it('have the syntax of RE2', () => {
    expect(test('(?i)^abc$', 'ABC')).to.equal(true);
    expect(test('^[[:alpha:]]+$', 'ab')).to.equal(true);
    expect(test('^[^%[:cntrl:]]+$', 'a%')).to.equal(false);
    expect(test('^\\pL+$', 'ä')).to.equal(true);
    expect(test('a.b', 'a\rb')).to.equal(true);
    expect(test('^\\s$', '\u00a0')).to.equal(false);
    expect(test('^[]a]+$', ']a')).to.equal(true);
    expect(test('^a\\z', 'a')).to.equal(true);
  });

  it('that RE2 does not know are refused with a reason', () => {
    expect(compilePattern('(?=a)')).to.be.a('string');
    expect(compilePattern('(a)\\1')).to.be.a('string');
    expect(compilePattern('a(')).to.be.a('string');
  });
});
