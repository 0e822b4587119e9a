import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { isStatusError } from '../core/errors.js';
import { deepFreeze } from '../core/json.js';
import type { JsonObject, JsonValue } from '../core/types.js';
import { jsonPatch } from './json-patch.js';

const apply = (document: JsonObject, ...operations: JsonValue[]): JsonObject =>
  jsonPatch(deepFreeze(document), operations);

function refusal(run: () => unknown): { code: number; message: string | undefined; details: unknown } {
  try {
    run();
  } catch (error) {
    if (isStatusError(error)) return { code: error.code, message: error.status.message, details: error.status.details };
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('JSON patch', () => {
  it('PT-1 adds, replaces, removes, moves, copies and tests', () => {
    const document = { a: 1, list: [1, 2], map: { 'x/y~z': 1 } };
    expect(
      apply(document, { op: 'add', path: '/b', value: 2 }, { op: 'add', path: '/list/1', value: 9 }),
    ).to.deep.equal({ ...document, b: 2, list: [1, 9, 2] });
    expect(apply(document, { op: 'replace', path: '/map/x~1y~0z', value: 2 })).to.deep.equal({
      ...document,
      map: { 'x/y~z': 2 },
    });
    expect(apply(document, { op: 'replace', path: '/new', value: 2 })).to.deep.equal({ ...document, new: 2 });
    expect(apply(document, { op: 'copy', from: '/none', path: '/new' })).to.deep.equal({ ...document, new: null });
    expect(apply(document, { op: 'remove', path: '/list/0' })).to.deep.equal({ ...document, list: [2] });
    expect(apply(document, { op: 'move', from: '/a', path: '/map/a' })).to.deep.equal({
      list: [1, 2],
      map: { 'x/y~z': 1, a: 1 },
    });
    expect(
      apply(document, { op: 'copy', from: '/list', path: '/copy' }, { op: 'add', path: '/copy/-', value: 3 }),
    ).to.deep.equal({ ...document, copy: [1, 2, 3] });
    expect(
      apply(document, { op: 'test', path: '/list', value: [1, 2] }, { op: 'test', path: '/missing', value: null }),
    ).to.deep.equal(document);
  });

  it('PT-1 counts negative indexes from the end of the list as it is then', () => {
    const operations = [
      { op: 'add', path: '/l/-', value: 3 },
      { op: 'remove', path: '/l/-2' },
      { op: 'replace', path: '/l/-1', value: 9 },
    ];
    expect(apply({ l: [1, 2] }, ...operations)).to.deep.equal({ l: [1, 9] });
  });

  const failing: [string, JsonValue][] = [
    ['an unknown operation', { op: 'bad', path: '/a' }],
    ['a missing member', { op: 'remove', path: '/zz' }],
    ['a missing parent', { op: 'add', path: '/x/y', value: 1 }],
    ['a failing test', { op: 'test', path: '/a', value: 2 }],
    ['an index beyond the end', { op: 'add', path: '/l/3', value: 1 }],
    ['an index that is none', { op: 'replace', path: '/l/x', value: 1 }],
    ['a path without a slash', { op: 'add', path: 'a', value: 1 }],
    ['adding the whole document', { op: 'add', path: '', value: {} }],
    ['a document that is no object', { op: 'replace', path: '', value: 1 }],
  ];
  for (const [what, operation] of failing) {
    it(`ER-12 ${what} is refused without a reason`, () => {
      const message = 'the server rejected our request due to an error in our request';
      expect(refusal(() => apply({ a: 1, l: [1, 2] }, operation))).to.deep.equal({ code: 422, message, details: {} });
    });
  }

  it('ER-12 what is no list of operations cannot be decoded', () => {
    expect(refusal(() => jsonPatch({}, { op: 'add' })).message).to.equal(
      'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    );
    expect(
      refusal(() =>
        jsonPatch(
          {},
          Array.from({ length: 10_001 }, () => ({})),
        ),
      ).code,
    ).to.equal(413);
  });

  it('PT-1 adding and then removing a member changes nothing', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), fc.jsonValue(), (document, key, value) => {
        fc.pre(!Object.hasOwn(document, key));
        const path = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
        const added = apply(document as JsonObject, { op: 'add', path, value: value as JsonValue });
        expect(Object.hasOwn(added, key)).to.equal(true);
        expect(apply(added, { op: 'remove', path })).to.deep.equal({ ...document });
      }),
    );
  });
});
