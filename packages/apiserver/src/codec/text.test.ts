import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { scanJson } from './json-scan.js';
import { parseJson, parseYaml } from './text.js';

describe('JSON and YAML text', () => {
  it('QP-12 finds keys given twice, wherever they stand', () => {
    const text = '{"spec":{"x":1,"x":2,"items":[{"a":1},{"a":1,"a":{"b":1,"b":2}}]}}';
    expect(parseJson(text)).to.deep.equal({
      value: { spec: { x: 2, items: [{ a: 1 }, { a: { b: 2 } }] } },
      problems: [
        'duplicate field "spec.x"',
        'duplicate field "spec.items[1].a"',
        'duplicate field "spec.items[1].a.b"',
      ],
    });
  });

  it('QP-12 is not misled by colons and quotes inside strings', () => {
    for (const value of ['"a":1', 'a\\', '\\"', '":', '{"a":1,"a":2}', '\\\\":']) {
      const text = JSON.stringify({ k: value, [value]: [value, { [value]: ':' }] });
      expect(parseJson(text)).to.deep.equal({ value: JSON.parse(text) });
    }
  });

  it('QP-12 any JSON text parses to what JSON.parse says, without complaint', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 2), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent);
        fc.pre(!/\d{16}/.test(text));
        const parsed = parseJson(text);
        expect(parsed.problems).to.equal(undefined);
        expect(parsed.value).to.deep.equal(JSON.parse(text));
      }),
    );
  });

  it('ER-11 the careful scanner accepts what JSON.parse accepts and refuses what it refuses', () => {
    const texts = fc.oneof(
      fc.json(),
      fc.string({ unit: fc.constantFrom(...'{}[],:"\\0123.-eE+ truefalsn\n'.split('')) }),
      fc.tuple(fc.json(), fc.nat()).map(([text, at]) => text.slice(0, at % (text.length + 1))),
    );
    fc.assert(
      fc.property(texts, (text) => {
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        expect(scanJson(text).error === undefined).to.equal(valid);
      }),
      { numRuns: 1000 },
    );
  });

  it('ER-11 says what is wrong in the words of the Go decoder', () => {
    const cases: [string, string][] = [
      ['', 'unexpected end of JSON input'],
      ['{"a":', 'unexpected end of JSON input'],
      ['{a}', "invalid character 'a' looking for beginning of object key string"],
      ['{"a" 1}', "invalid character '1' after object key"],
      ['{"a":1 "b":2}', `invalid character '"' after object key:value pair`],
      ['[1 2]', "invalid character '2' after array element"],
      ['{} x', "invalid character 'x' after top-level value"],
      ['tru3', "invalid character '3' in literal true (expecting 'e')"],
      ['"\n"', String.raw`invalid character '\n' in string literal`],
      ['"\\q"', "invalid character 'q' in string escape code"],
      ['-x', "invalid character 'x' in numeric literal"],
    ];
    for (const [text, message] of cases) expect(parseJson(text).syntax, text).to.equal(message);
  });

  it('DE-18 refuses integers beyond 2^53−1 and names their path; fractions and exponents pass', () => {
    expect(() => parseJson('{"spec":{"n":[1,9007199254740993]}}')).to.throw(
      /^spec\.n\[1\]: Invalid value: 9007199254740993: /,
    );
    expect(() => parseJson('{"n":-9007199254740992}')).to.throw(/^n: Invalid value/);
    expect(
      parseJson('{"n":9007199254740991,"f":0.12345678901234567890,"e":1e300,"s":"90071992547409931"}').problems,
    ).to.equal(undefined);
  });

  it('CN-5 reads YAML 1.1 like the Go decoder', async () => {
    const text = 'on: yes\nnum: 010\nhex: 0x1f\ndate: 2020-01-02\nt: 2020-01-02T03:04:05Z\nnull: ~\ns: "yes"\n';
    const { value } = await parseYaml(text);
    expect(value).to.deep.equal({
      true: true,
      num: 8,
      hex: 31,
      date: '2020-01-02',
      t: '2020-01-02T03:04:05Z',
      null: null,
      s: 'yes',
    });
  });

  it('CN-5 follows anchors and merges', async () => {
    const { value } = await parseYaml('a: &x {p: 1, q: 2}\nb: *x\nc:\n  <<: *x\n  q: 3\n');
    expect(value).to.deep.equal({ a: { p: 1, q: 2 }, b: { p: 1, q: 2 }, c: { p: 1, q: 3 } });
  });

  it('CN-5 says line and key of a repetition; a boolean key without quotes', async () => {
    expect((await parseYaml('a: 1\nb:\n  c: 1\n  c: 2\n')).problems).to.deep.equal([
      'line 4: key "c" already set in map',
    ]);
    expect((await parseYaml('on: 1\nyes: 2\n')).problems).to.deep.equal(['line 2: key true already set in map']);
    expect((await parseYaml('{"a":1,\n"a":2}')).problems).to.deep.equal(['line 2: key "a" already set in map']);
  });

  it('CN-5 says the line of an error, and refuses integers as JSON does', async () => {
    const cases: [string, string][] = [
      ['a: [', 'yaml: line 1: did not find expected node content'],
      ['a: [1\nb: 2\n', "yaml: line 2: did not find expected ',' or ']'"],
      ['a: b: c', 'yaml: line 1: mapping values are not allowed in this context'],
      ['a: "x', 'yaml: line 1: found unexpected end of stream'],
      ['a:\n\t- b\n', 'yaml: line 2: found character that cannot start any token'],
      ['a: b\nc\n', "yaml: line 2: could not find expected ':'"],
      ['a: *x', "yaml: unknown anchor 'x' referenced"],
    ];
    for (const [text, message] of cases) expect((await parseYaml(text)).syntax, text).to.equal(message);
    const refused = await parseYaml('a: {b: 9007199254740993}').catch((error: Error) => error.message);
    expect(refused).to.match(/^a\.b: Invalid value: 9007199254740993/);
  });

  it('CN-5 takes quoted text whose further lines are not indented', async () => {
    const { value, syntax } = await parseYaml("a:\n  b: 'it''s\n  one\n  text'\n  c: \"x\n  y\"\n");
    expect(syntax).to.equal(undefined);
    expect(value).to.deep.equal({ a: { b: "it's one text", c: 'x y' } });
  });

  it('DE-18 bounds in the schema of a definition are floating point numbers of any size', async () => {
    const schema = '{"openAPIV3Schema":{"properties":{"n":{"maximum":9223372036854775807}}}}';
    const text = `{"spec":{"versions":[{"schema":${schema}}]}}`;
    expect(parseJson(text).syntax).to.equal(undefined);
    expect((await parseYaml(`# YAML\n${text}`)).syntax).to.equal(undefined);
    expect(() => parseJson('{"spec":{"maximum":9223372036854775807}}')).to.throw(
      'not supported by the embedded server',
    );
  });

  it('ER-11 what is nested too deep is refused in any format, and takes no stack', async function () {
    this.timeout(10_000);
    const deep = (depth: number): string => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect(parseJson(deep(400)).syntax).to.equal(undefined);
    expect(parseJson(deep(600)).syntax).to.equal('exceeded max depth');
    expect(parseJson(deep(100_000)).syntax).to.equal('exceeded max depth');
    expect(parseJson(`{"a":${'['.repeat(100_000)}`).syntax).to.equal('exceeded max depth');
    expect((await parseYaml(deep(600))).syntax).to.equal('yaml: exceeded max depth');
    expect((await parseYaml(`a: ${'['.repeat(600)}${']'.repeat(600)}`)).syntax).to.equal('yaml: exceeded max depth');
    expect((await parseYaml(`a: ${'['.repeat(5000)}`)).syntax).to.equal('yaml: exceeded max depth');
    expect((await parseYaml('a: &a [*a]')).syntax).to.equal('yaml: exceeded max depth');
  });

  it('CN-5 aliases mean the anchor before them; aliases of aliases cannot fill the memory', async () => {
    expect((await parseYaml('a: &x 1\nb: *x\nc: &y {k: *x}\nd: *y\ne: &x 2\nf: *x')).value).to.deep.equal({
      a: 1,
      b: 1,
      c: { k: 1 },
      d: { k: 1 },
      e: 2,
      f: 2,
    });
    const levels = Array.from(
      { length: 12 },
      (_, i) =>
        `l${i}: &l${i} [${Array(9)
          .fill(i ? `*l${i - 1}` : 'x')
          .join()}]`,
    );
    expect((await parseYaml(levels.join('\n'))).syntax).to.equal('yaml: document contains excessive aliasing');
  });

  it('QP-12 a body full of repeated keys is read in one go', () => {
    const text = `{"a":1${',\n"a":1'.repeat(200_000)}}`;
    expect(parseJson(text).problems).to.have.length(200_000);
    expect(scanJson(text).duplicates.at(-1)?.line).to.equal(200_001);
  });
});
