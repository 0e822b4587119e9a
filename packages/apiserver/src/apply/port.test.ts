import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { isStatusError } from '../core/errors.js';
import { deepFreeze, jsonEqual } from '../core/json.js';
import type { ApplyInput, JsonObject, KubeObject, ManagedFieldsEntry, Schema } from '../core/types.js';
import { typingOf } from '../schema/typing.js';
import { applyPort } from './port.js';

const text: Schema = { type: 'string' };
const root: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer' },
        mode: text,
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['port', 'protocol'],
          items: {
            type: 'object',
            properties: { port: { type: 'integer' }, protocol: { ...text, default: 'TCP' }, name: text },
          },
        },
        tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
        args: { type: 'array', items: text },
        params: { type: 'object', additionalProperties: text },
        selector: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: text },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
    status: { type: 'object', properties: { phase: text } },
  },
};
const typing = typingOf({ root, resolve: (node) => node });
const apiVersion = 'demo.example.com/v1';
const t1 = '2026-01-01T00:00:00Z';
const t2 = '2026-01-02T00:00:00Z';

const object = (spec?: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion,
  kind: 'Widget',
  metadata: { name: 'w', ...metadata },
  ...(spec ? { spec } : {}),
});
const kube = (spec?: JsonObject, metadata?: JsonObject): KubeObject => object(spec, metadata) as unknown as KubeObject;

function apply(
  live: KubeObject | undefined,
  manager: string,
  spec: JsonObject,
  more: Partial<ApplyInput> = {},
): KubeObject {
  const gvk = { group: 'demo.example.com', version: 'v1', kind: 'Widget' };
  const base = {
    force: false,
    subresource: undefined,
    apiVersion,
    typing,
    time: t1,
    gvk,
    reset: ['status'],
    custom: true,
  };
  return applyPort.apply({ ...base, live: live && deepFreeze(live), patch: object(spec), manager, ...more });
}

function update(
  old: KubeObject | undefined,
  next: KubeObject,
  manager: string,
  more: { subresource?: string; time?: string } = {},
): KubeObject {
  const { subresource, time = t1 } = more;
  const reset = subresource ? ['metadata', 'spec'] : ['status'];
  const managedFields = applyPort.track({
    old,
    next,
    manager,
    operation: 'Update',
    subresource,
    apiVersion,
    typing,
    time,
    reset,
    custom: true,
  });
  const { managedFields: _, ...metadata } = next.metadata;
  return { ...next, metadata: managedFields ? { ...metadata, managedFields } : metadata };
}

const entry = (o: KubeObject, manager: string): ManagedFieldsEntry | undefined =>
  o.metadata.managedFields?.find((m) => m.manager === manager);
const fields = (o: KubeObject, manager: string): unknown => entry(o, manager)?.fieldsV1;

function refusal(run: () => unknown): { code: number; message: string | undefined; fields: (string | undefined)[] } {
  try {
    run();
  } catch (error) {
    if (!isStatusError(error)) throw error;
    return {
      code: error.code,
      message: error.status.message,
      fields: error.status.details?.causes?.map((c) => c.field) ?? [],
    };
  }
  throw new Error('nothing was refused');
}

describe('managed fields', () => {
  it('SA-2 record leaves, list items, and the containers a create adds', () => {
    const created = update(
      undefined,
      kube({ size: 3, ports: [{ port: 80, protocol: 'TCP' }], selector: { a: 'b' } }, { labels: { l: 'v' } }),
      'm',
    );
    expect(created.metadata.managedFields).to.deep.equal([
      {
        manager: 'm',
        operation: 'Update',
        apiVersion,
        time: t1,
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:metadata': { 'f:labels': { '.': {}, 'f:l': {} } },
          'f:spec': {
            '.': {},
            'f:ports': { '.': {}, 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {}, 'f:protocol': {} } },
            'f:selector': {},
            'f:size': {},
          },
        },
      },
    ]);
  });

  it('SA-6 changed fields change hands, the rest stays', () => {
    const created = update(undefined, kube({ size: 3, mode: 'a' }), 'one');
    const changed = update(created, { ...created, spec: { size: 4, mode: 'a' } }, 'two', { time: t2 });
    expect(fields(changed, 'one')).to.deep.equal({ 'f:spec': { '.': {}, 'f:mode': {} } });
    expect(fields(changed, 'two')).to.deep.equal({ 'f:spec': { 'f:size': {} } });
    expect(entry(changed, 'one')?.time).to.equal(t1);
    expect(entry(changed, 'two')?.time).to.equal(t2);
  });

  it('SA-6 removed fields leave all managers', () => {
    const created = update(undefined, kube({ size: 3, mode: 'a' }), 'one');
    const changed = update(created, { ...created, spec: { size: 3 } }, 'two');
    expect(changed.metadata.managedFields?.map((m) => m.manager)).to.deep.equal(['one']);
    expect(fields(changed, 'one')).to.deep.equal({ 'f:spec': { '.': {}, 'f:size': {} } });
  });

  it('SA-1 a subresource is another identity, and owns only its part', () => {
    const created = update(undefined, kube({ size: 3 }), 'one');
    const changed = update(created, { ...created, status: { phase: 'x' } }, 'one', { subresource: 'status' });
    const status = changed.metadata.managedFields?.find((m) => m.subresource === 'status');
    expect(status?.fieldsV1).to.deep.equal({ 'f:status': { '.': {}, 'f:phase': {} } });
  });

  it('SA-6 an object without managed fields gets none from updates', () => {
    expect(update(kube({ size: 3 }), kube({ size: 4 }), 'one').metadata.managedFields).to.equal(undefined);
  });

  it('SA-6 one empty entry resets, absence keeps', () => {
    const created = update(undefined, kube({ size: 3 }), 'one');
    expect(update(created, kube({ size: 4 }, { managedFields: [{}] }), 'two').metadata.managedFields).to.equal(
      undefined,
    );
    expect(update(created, kube({ size: 3 }), 'two').metadata.managedFields).to.deep.equal(
      created.metadata.managedFields,
    );
  });

  it('SA-6 more than ten update managers collapse into one', () => {
    let live = update(undefined, kube({ params: { p0: 'x' } }), 'm0');
    for (let i = 1; i <= 12; i++) {
      const spec = { params: { ...(live.spec as { params: Record<string, string> }).params, [`p${i}`]: 'x' } };
      live = update(live, { ...live, spec }, `m${i}`, { time: `2026-01-01T00:00:${String(i).padStart(2, '0')}Z` });
    }
    const managers = live.metadata.managedFields?.map((m) => m.manager) ?? [];
    expect(managers).to.have.length(10);
    expect(managers).to.include('ancient-changes');
    expect(
      (fields(live, 'ancient-changes') as { 'f:spec': { 'f:params': object } })['f:spec']['f:params'],
    ).to.include.keys('f:p0', 'f:p1');
  });
});

describe('server-side apply', () => {
  it('SA-5 records exactly what was applied', () => {
    const applied = apply(undefined, 'one', {
      mode: 'a',
      ports: [{ port: 80 }],
      tags: ['t'],
      args: ['x'],
      params: { p: 'q' },
      free: { a: { b: 1 } },
    });
    expect(fields(applied, 'one')).to.deep.equal({
      'f:spec': {
        'f:args': {},
        'f:free': { 'f:a': { '.': {}, 'f:b': {} } },
        'f:mode': {},
        'f:params': { 'f:p': {} },
        'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} } },
        'f:tags': { 'v:"t"': {} },
      },
    });
  });

  it('SA-5 merges keyed lists, sets and maps and replaces atomic values', () => {
    const first = apply(undefined, 'one', { ports: [{ port: 80, name: 'web' }], tags: ['x'], params: { p: '1' } });
    const second = apply(first, 'two', {
      ports: [{ port: 81 }],
      tags: ['y'],
      params: { q: '2' },
      selector: { a: 'b' },
    });
    expect(second.spec).to.deep.equal({
      ports: [{ port: 80, name: 'web' }, { port: 81 }],
      tags: ['x', 'y'],
      params: { p: '1', q: '2' },
      selector: { a: 'b' },
    });
  });

  it('SA-5 keeps the order of the applied list for the items both have', () => {
    const first = apply(undefined, 'one', { tags: ['a', 'b', 'c'] });
    expect(apply(first, 'two', { tags: ['c', 'a', 'd'] }).spec).to.deep.equal({ tags: ['b', 'c', 'a', 'd'] });
  });

  it('SA-5 removes what its manager gave up, unless another owns it', () => {
    const first = apply(undefined, 'one', { mode: 'a', size: 1, params: { p: '1' }, ports: [{ port: 80 }] });
    const second = apply(first, 'two', { mode: 'a' });
    const third = apply(second, 'one', { params: { q: '2' } });
    expect(third.spec).to.deep.equal({ mode: 'a', params: { q: '2' } });
    expect(fields(third, 'one')).to.deep.equal({ 'f:spec': { 'f:params': { 'f:q': {} } } });
  });

  it('SA-5 equal values are owned together without a conflict', () => {
    const second = apply(apply(undefined, 'one', { mode: 'a', size: 4 }), 'two', { mode: 'a' });
    expect(fields(second, 'one')).to.deep.equal({ 'f:spec': { 'f:mode': {}, 'f:size': {} } });
    expect(fields(second, 'two')).to.deep.equal({ 'f:spec': { 'f:mode': {} } });
  });

  it('SA-8 names the owner and the field of one conflict', () => {
    const first = apply(undefined, 'one', { ports: [{ port: 80, name: 'web' }] });
    expect(refusal(() => apply(first, 'two', { ports: [{ port: 80, name: 'other' }] }))).to.deep.equal({
      code: 409,
      message: 'Apply failed with 1 conflict: conflict with "one": .spec.ports[port=80,protocol="TCP"].name',
      fields: ['.spec.ports[port=80,protocol="TCP"].name'],
    });
  });

  it('SA-8 groups several conflicts by owner, with the version of updates', () => {
    const live = update(
      apply(undefined, 'b', { mode: 'a', size: 1 }),
      kube({ mode: 'a', size: 1, params: { p: '1' } }),
      'a',
    );
    expect(refusal(() => apply(live, 'c', { mode: 'x', size: 2, params: { p: '2' } })).message).to.equal(
      `Apply failed with 3 conflicts: conflicts with "a" using ${apiVersion}:\n- .spec.params.p\nconflicts with "b":\n- .spec.mode\n- .spec.size`,
    );
  });

  it('SA-5 force takes the fields', () => {
    const forced = apply(apply(undefined, 'one', { mode: 'a', size: 1 }), 'two', { mode: 'b' }, { force: true });
    expect(forced.spec).to.deep.equal({ mode: 'b', size: 1 });
    expect(fields(forced, 'one')).to.deep.equal({ 'f:spec': { 'f:size': {} } });
  });

  it('SA-5 applying the same again changes nothing, not even the time', () => {
    const first = apply(undefined, 'one', { mode: 'a' });
    expect(apply(first, 'one', { mode: 'a' }, { time: t2 })).to.deep.equal(first);
  });

  it('SA-6 the first apply credits what is there to before-first-apply', () => {
    const applied = apply(kube({ mode: 'a', size: 1 }), 'one', { size: 1 });
    expect(entry(applied, 'before-first-apply')?.operation).to.equal('Update');
    expect(refusal(() => apply(applied, 'one', { mode: 'b' })).message).to.contain(
      'conflict with "before-first-apply" using',
    );
  });

  it('SA-7 kubectl takes over what client-side apply owned', () => {
    const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
    const last = JSON.stringify(object({ mode: 'a' }));
    const live = update(
      undefined,
      kube({ mode: 'a', size: 1 }, { annotations: { [annotation]: last } }),
      'kubectl-client-side-apply',
    );
    const applied = apply(live, 'kubectl', { mode: 'b' });
    expect(applied.spec).to.deep.equal({ mode: 'b', size: 1 });
    expect(JSON.parse(applied.metadata.annotations?.[annotation] ?? '')).to.deep.equal(object({ mode: 'b' }));
    expect(refusal(() => apply(live, 'kubectl', { size: 2 })).fields).to.deep.equal(['.spec.size']);
    expect(refusal(() => apply(live, 'other', { mode: 'b' })).code).to.equal(409);
  });

  it('SA-4 refuses another type and managed fields in the patch', () => {
    expect(
      refusal(() => apply(undefined, 'one', {}, { patch: { ...object(), apiVersion: 'demo.example.com/v2' } })).message,
    ).to.equal('invalid object type: demo.example.com/v2, Kind=Widget');
    expect(refusal(() => apply(undefined, 'one', {}, { patch: object({}, { managedFields: [] }) })).message).to.equal(
      'metadata.managedFields must be nil',
    );
  });

  const misfits: [JsonObject, string][] = [
    [{ sized: 1 }, '.spec.sized: field not declared in schema'],
    [{ size: 'x' }, '.spec.size: expected numeric (int or float), got string'],
    [{ mode: 1 }, '.spec.mode: expected string, got &value.valueUnstructured{Value:1}'],
    [
      { ports: [{ port: 80 }, { port: 80, protocol: 'TCP' }] },
      '.spec.ports: duplicate entries for key [port=80,protocol="TCP"]',
    ],
    [{ tags: 'x' }, '.spec.tags: expected list, got &{x}'],
  ];
  for (const [spec, why] of misfits) {
    it(`SA-11 ${why}`, () => {
      const found = refusal(() => apply(undefined, 'one', spec));
      expect(found.code).to.equal(500);
      expect(found.message).to.equal(`failed to create typed patch object (/w; ${apiVersion}, Kind=Widget): ${why}`);
    });
  }
});

describe('properties of server-side apply', () => {
  const word = fc.constantFrom('a', 'b', 'c');
  // Containers are never empty: an empty one is a leaf that says something about what others put into it.
  const spec = (names: readonly string[]): fc.Arbitrary<JsonObject> =>
    fc.record(
      {
        params: fc.dictionary(fc.constantFrom(...names), word, { minKeys: 1 }),
        tags: fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 }),
        ports: fc.uniqueArray(
          fc.record({
            port: fc.constantFrom(...names.map((_, i) => i + names.length * (names[0] === 'x' ? 2 : 1))),
            name: word,
          }),
          { minLength: 1, selector: (p) => p.port },
        ),
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<JsonObject>;
  const mine = spec(['p', 'q', 'r']);
  const theirs = spec(['x', 'y', 'z']);

  it('SA-10 applying twice is applying once', () => {
    fc.assert(
      fc.property(mine, theirs, (a, b) => {
        const live = apply(apply(undefined, 'one', a), 'two', b);
        expect(jsonEqual(apply(live, 'two', b, { time: t2 }), live)).to.equal(true);
      }),
    );
  });

  it('SA-10 what a manager applies and drops again leaves no trace', () => {
    fc.assert(
      fc.property(mine, theirs, (a, b) => {
        const before = apply(undefined, 'one', { mode: 'a', ...a });
        const after = apply(apply(before, 'two', b), 'two', {});
        expect(jsonEqual(after.spec, before.spec)).to.equal(true);
        expect(jsonEqual(fields(after, 'one'), fields(before, 'one'))).to.equal(true);
      }),
    );
  });

  it('SA-10 managers of different fields commute', () => {
    const sorted = (o: KubeObject): unknown => {
      const {
        params,
        tags = [],
        ports = [],
      } = o.spec as { params?: object; tags?: string[]; ports?: { port: number }[] };
      return { params, tags: [...tags].sort(), ports: [...ports].sort((a, b) => a.port - b.port) };
    };
    fc.assert(
      fc.property(mine, theirs, (a, b) => {
        const ab = apply(apply(undefined, 'one', { mode: 'a', ...a }), 'two', { mode: 'a', ...b });
        const ba = apply(apply(undefined, 'two', { mode: 'a', ...b }), 'one', { mode: 'a', ...a });
        expect(jsonEqual(sorted(ab), sorted(ba))).to.equal(true);
        expect(jsonEqual(fields(ab, 'one'), fields(ba, 'one'))).to.equal(true);
      }),
    );
  });
});
