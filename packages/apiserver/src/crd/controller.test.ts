import { expect } from 'chai';
import { describe, it } from 'mocha';
import { isStatusError } from '../core/errors.js';
import type { CallOptions, JsonObject, KubeObject, ResourceDef, Schema, Target } from '../core/types.js';
import { ObjectSemantics } from '../semantics.js';
import { attachCrdController, type CrdController } from './controller.js';
import { webhookConverter, type ConversionClient } from './convert.js';
import { crdResource } from './resource.js';
import type { CrdStatus } from './types.js';

const warnings: string[] = [];
const call: CallOptions = {
  principal: { name: 'u', groups: ['system:masters'] },
  fieldManager: 'test',
  warn: (text) => warnings.push(text),
};
const text: Schema = { type: 'string' };

class World {
  readonly semantics: ObjectSemantics = new ObjectSemantics();
  readonly controller: CrdController;

  constructor(client?: ConversionClient) {
    this.semantics.registry.add(crdResource());
    let uid = 0;
    const uuid = (): string => `uid-${++uid}`;
    this.controller = attachCrdController(
      this.semantics,
      client ? { converterOf: (crd) => webhookConverter(crd, { client, uuid }) } : {},
    );
    warnings.length = 0;
  }

  target(plural: string, name?: string, more: Partial<Target> = {}): Target {
    const group = plural === 'customresourcedefinitions' ? 'apiextensions.k8s.io' : 'demo.example.com';
    const resource = this.semantics.registry.byResource(group, plural);
    if (!resource) throw new Error(`${plural} are not served`);
    return { resource, version: 'v1', name, ...more };
  }

  async define(plural: string, kind: string, spec: JsonObject = {}): Promise<KubeObject> {
    const value = definition(plural, kind, spec);
    await this.semantics.objects.create(this.target('customresourcedefinitions'), { value }, call);
    await this.semantics.settle();
    return this.crd(plural);
  }

  crd(plural: string): Promise<KubeObject> {
    return this.semantics.objects.get(this.target('customresourcedefinitions', `${plural}.demo.example.com`), call);
  }

  async create(plural: string, body: JsonObject, more: Partial<Target> = {}): Promise<KubeObject> {
    const { object } = await this.semantics.objects.create(this.target(plural, undefined, more), { value: body }, call);
    return object;
  }
}

function definition(plural: string, kind: string, spec: JsonObject): JsonObject {
  const schema: Schema = {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { size: { type: 'integer', minimum: 1, default: 3 }, mode: text } },
      status: { type: 'object', properties: { phase: text } },
    },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.demo.example.com` },
    spec: {
      group: 'demo.example.com',
      scope: 'Cluster',
      names: { plural, kind },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: schema as JsonObject },
        },
      ],
      ...spec,
    },
  };
}

const widget = (name: string, rest: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'demo.example.com/v1',
  kind: 'Widget',
  metadata: { name, ...metadata },
  ...rest,
});
const conditions = (crd: KubeObject): string[] =>
  ((crd.status as CrdStatus).conditions ?? []).map(
    (c) => `${c.type} ${c.status} ${c.reason ?? ''}: ${c.message ?? ''}`,
  );

async function refusal(run: () => Promise<unknown>): Promise<{ code: number; message: string }> {
  try {
    await run();
  } catch (error) {
    if (isStatusError(error)) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('definitions', () => {
  it('CR-1 CR-2 fills names, accepts them, and establishes', async () => {
    const crd = await new World().define('widgets', 'Widget');
    expect(crd.metadata.generation).to.equal(1);
    expect(crd.spec).to.deep.include({
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      conversion: { strategy: 'None' },
    });
    expect(crd.status).to.deep.include({
      storedVersions: ['v1'],
      acceptedNames: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    });
    expect(conditions(crd)).to.deep.equal([
      'NamesAccepted True NoConflicts: no conflicts found',
      'Established True InitialNamesAccepted: the initial names have been accepted',
    ]);
  });

  it('DE-15 an object can be made inside the write that establishes', async () => {
    const { semantics, ...world } = new World();
    let served: ResourceDef | undefined;
    semantics.subscribe('customresourcedefinitions.apiextensions.k8s.io', ({ object }) => {
      if (conditions(object).some((c) => c.startsWith('Established True')))
        served ??= semantics.registry.byResource('demo.example.com', 'widgets');
    });
    const crds: Target = {
      resource: semantics.registry.byResource('apiextensions.k8s.io', 'customresourcedefinitions') as ResourceDef,
      version: 'v1',
    };
    await semantics.objects.create(crds, { value: definition('widgets', 'Widget', {}) }, call);
    await semantics.settle();
    expect(served?.kind).to.equal('Widget');
    world.controller.close();
  });

  it('CR-2 a kind that is in use waits until it is free', async () => {
    const world = new World();
    await world.define('widgets', 'Widget');
    const second = await world.define('gadgets', 'Widget', {
      names: { plural: 'gadgets', singular: 'gadget', kind: 'Widget', listKind: 'GadgetList' },
    });
    expect(conditions(second)).to.deep.equal([
      'NamesAccepted False KindConflict: "Widget" is already in use',
      'Established False NotAccepted: not all names are accepted',
    ]);
    expect(world.semantics.registry.byResource('demo.example.com', 'gadgets')).to.equal(undefined);
    await world.semantics.objects.delete(world.target('customresourcedefinitions', 'widgets.demo.example.com'), call);
    await world.semantics.settle();
    expect(conditions(await world.crd('gadgets'))[1]).to.match(/^Established True/);
    expect(world.semantics.registry.byResource('demo.example.com', 'gadgets')?.kind).to.equal('Widget');
  });

  it('CR-5 deletion takes the objects along, and waits for what finalizers hold', async () => {
    const world = new World();
    await world.define('widgets', 'Widget');
    await world.create('widgets', widget('a'));
    await world.create('widgets', widget('held', {}, { finalizers: ['demo.example.com/x'] }));
    const name = 'widgets.demo.example.com';
    const { object } = await world.semantics.objects.delete(world.target('customresourcedefinitions', name), call);
    expect(object.metadata.finalizers).to.deep.equal(['customresourcecleanup.apiextensions.k8s.io']);
    expect(conditions(object)[2]).to.match(/^Terminating True InstanceDeletionPending/);
    await world.semantics.settle();
    expect(conditions(await world.crd('widgets'))[2]).to.match(/^Terminating True InstanceDeletionInProgress/);
    const { items } = await world.semantics.objects.list(world.target('widgets'), call);
    expect(items.map((i) => i.metadata.name)).to.deep.equal(['held']);
    const create = await refusal(() => world.create('widgets', widget('b')));
    expect(create).to.deep.equal({
      code: 403,
      message:
        'widgets.demo.example.com "b" is forbidden: create not allowed while custom resource definition is terminating',
    });
    await world.semantics.objects.patch(
      world.target('widgets', 'held'),
      { type: 'merge', body: { value: { metadata: { finalizers: null } } } },
      call,
    );
    await world.semantics.settle();
    expect(world.semantics.registry.byResource('demo.example.com', 'widgets')).to.equal(undefined);
    expect((await refusal(() => world.crd('widgets'))).code).to.equal(404);
  });

  it('VA-3 warns of formats nobody knows', async () => {
    const schema: JsonObject = {
      type: 'object',
      properties: { spec: { type: 'object', properties: { a: { type: 'string', format: 'shoe-size' } } } },
    };
    await new World().define('widgets', 'Widget', {
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    });
    expect(warnings).to.deep.equal(['unrecognized format "shoe-size"']);
  });
});

describe('custom resources', () => {
  it('CR-6 are pruned, defaulted and validated', async () => {
    const world = new World();
    await world.define('widgets', 'Widget');
    const made = await world.create('widgets', widget('a', { spec: { mode: 'x', foo: 1 }, status: { phase: 'x' } }));
    expect(made).to.deep.include({ spec: { size: 3, mode: 'x' } });
    expect(made.status).to.equal(undefined);
    expect(warnings).to.deep.equal(['unknown field "spec.foo"']);
    expect(await refusal(() => world.create('widgets', widget('b', { spec: { size: 0 } })))).to.deep.equal({
      code: 422,
      message:
        'Widget.demo.example.com "b" is invalid: spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1',
    });
  });

  it('ER-10 ER-11 ER-21 refuse another version, no kind, and another kind', async () => {
    const world = new World();
    await world.define('widgets', 'Widget');
    const version = await refusal(() => world.create('widgets', { ...widget('a'), apiVersion: 'demo.example.com/v2' }));
    expect(version.message).to.equal(
      'the API version in the data (demo.example.com/v2) does not match the expected API version (demo.example.com/v1)',
    );
    const body = { apiVersion: 'demo.example.com/v1', metadata: { name: 'a' } };
    const kindless = await refusal(() => world.create('widgets', body));
    const sent = JSON.stringify(body);
    expect(kindless.message).to.equal(
      `the object provided is unrecognized (must be of type Widget): Object 'Kind' is missing in '${sent}' (${sent.slice(0, 30)} ...)`,
    );
    const other = await refusal(() => world.create('widgets', { ...widget('a'), kind: 'Foo' }));
    expect(other).to.deep.equal({
      code: 422,
      message: 'Foo.demo.example.com "a" is invalid: kind: Invalid value: "Foo": must be Widget',
    });
  });

  it('CR-6 an old object shows a default that was added later', async () => {
    const world = new World();
    await world.define('widgets', 'Widget');
    await world.create('widgets', widget('a', { spec: { mode: 'x' } }));
    const crd = structuredClone(await world.crd('widgets')) as KubeObject & {
      spec: { versions: { schema: { openAPIV3Schema: Schema } }[] };
    };
    const spec = crd.spec.versions[0]?.schema.openAPIV3Schema.properties?.spec as Schema;
    spec.properties = { ...spec.properties, color: { type: 'string', default: 'red' } };
    await world.semantics.objects.update(
      world.target('customresourcedefinitions', crd.metadata.name),
      { value: crd as unknown as JsonObject },
      call,
    );
    await world.semantics.settle();
    const seen = await world.semantics.objects.get(world.target('widgets', 'a'), call);
    expect(seen.spec).to.deep.equal({ size: 3, mode: 'x', color: 'red' });
  });

  const versions = ['v1', 'v2'].map((name) => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: { type: 'object', properties: { [name]: { type: 'string', default: name }, both: { type: 'string' } } },
        },
      },
    },
  }));

  it('VE-1 without a converter only the version changes, and what the other version does not know is lost', async () => {
    const world = new World();
    await world.define('widgets', 'Widget', { versions });
    const body = { ...widget('a', { spec: { both: 'b' } }), apiVersion: 'demo.example.com/v2' };
    const made = await world.create('widgets', body, { version: 'v2' });
    expect(made).to.deep.include({ apiVersion: 'demo.example.com/v2', spec: { both: 'b' } });
    const seen = await world.semantics.objects.get(world.target('widgets', 'a'), call);
    expect(seen).to.deep.include({ apiVersion: 'demo.example.com/v1', spec: { both: 'b', v1: 'v1' } });
  });

  const conversion = {
    strategy: 'Webhook',
    webhook: { clientConfig: { url: 'https://127.0.0.1/convert' }, conversionReviewVersions: ['v1'] },
  };
  type Review = { request: { uid: string; desiredAPIVersion: string; objects: KubeObject[] } };
  const answering = (
    change: (object: KubeObject, review: Review) => unknown,
    response: object = {},
  ): ConversionClient => ({
    call: ({ body }) => {
      const review = body as Review;
      const { uid, desiredAPIVersion, objects } = review.request;
      const convertedObjects = objects.map((o) =>
        change({ ...structuredClone(o), apiVersion: desiredAPIVersion }, review),
      );
      const answer = { uid, result: { status: 'Success' }, convertedObjects, ...response };
      return Promise.resolve({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', response: answer });
    },
  });

  it('VE-2 a webhook converts what is stored and what is read', async () => {
    const client = answering((object) => ({
      ...object,
      spec: { both: `${(object.spec as { both: string }).both}!` },
      metadata: { ...object.metadata, labels: { converted: 'yes' } },
    }));
    const world = new World(client);
    await world.define('widgets', 'Widget', { versions, conversion });
    const made = await world.create(
      'widgets',
      { ...widget('a', { spec: { both: 'b' } }), apiVersion: 'demo.example.com/v2' },
      { version: 'v2' },
    );
    expect(made).to.deep.include({ apiVersion: 'demo.example.com/v2', spec: { both: 'b!!' } });
    const stored = await world.semantics.objects.get(world.target('widgets', 'a'), call);
    expect(stored.spec).to.deep.equal({ both: 'b!', v1: 'v1' });
    expect(stored.metadata.labels).to.deep.equal({ converted: 'yes' });
  });

  const failures: [string, ConversionClient, string][] = [
    [
      'another uid in the answer',
      answering((o) => o, { uid: 'other' }),
      'failed: expected response.uid="uid-1", got "other"',
    ],
    ['a failure', answering((o) => o, { result: { status: 'Failed', message: 'no way' } }), 'failed: no way'],
    ['a missing object', answering((o) => o, { convertedObjects: [] }), 'returned 0 objects, expected 1'],
    [
      'another name',
      answering((o) => ({ ...o, metadata: { ...o.metadata, name: 'b' } })),
      'returned invalid converted object at index 0: must have the same name: a != b',
    ],
    [
      'another version',
      answering((o) => ({ ...o, apiVersion: 'demo.example.com/v3' })),
      'returned invalid converted object at index 0: invalid groupVersion (expected demo.example.com/v1, received demo.example.com/v3)',
    ],
    ['no answer', { call: () => Promise.reject(new Error('connection refused')) }, 'failed: connection refused'],
  ];
  for (const [what, client, why] of failures) {
    it(`VE-2 ${what} is an error that names the webhook`, async () => {
      const world = new World(client);
      await world.define('widgets', 'Widget', { versions, conversion });
      const body = { ...widget('a'), apiVersion: 'demo.example.com/v2' };
      expect(await refusal(() => world.create('widgets', body, { version: 'v2' }))).to.deep.equal({
        code: 500,
        message: `conversion webhook for demo.example.com/v2, Kind=Widget ${why}`,
      });
      expect(world.semantics.stored('widgets.demo.example.com')).to.deep.equal([]);
    });
  }

  it('VE-2 without a way to call webhooks the refusal says so', async () => {
    const world = new World();
    await world.define('widgets', 'Widget', { versions, conversion });
    const found = await refusal(() =>
      world.create('widgets', { ...widget('a'), apiVersion: 'demo.example.com/v2' }, { version: 'v2' }),
    );
    expect(found.message).to.contain(
      'widgets.demo.example.com asks for conversion by a webhook, but this object core has no way to call one',
    );
  });
});
