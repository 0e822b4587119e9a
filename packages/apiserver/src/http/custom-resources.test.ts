import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { startTestServer } from './harness.test.js';
import type { TestServer } from './harness.test.js';

const W = '/apis/demo.example.com/v1/namespaces/t/widgets';
const JSON_BODY = { 'Content-Type': 'application/json' };
const widget = (name: string, spec: object = {}) => ({
  apiVersion: 'demo.example.com/v1',
  kind: 'Widget',
  metadata: { name },
  spec,
});

describe('Routes of custom resources', () => {
  let t: TestServer;
  before(async () => {
    t = await startTestServer();
    await t.defineWidgets();
  });
  after(() => t.close());

  it('TR-4, TR-6 unknown places answer plain text', async () => {
    for (const path of [
      '/apis/demo.example.com/v9/widgets',
      '/apis/demo.example.com/v1/nopes',
      '/apis/demo.example.com/v1/widgets/a',
    ]) {
      expect((await t.get(path)).text, path).to.equal('404 page not found\n');
    }
    expect((await t.post('/apis/demo.example.com/v1/widgets', widget('a'))).text).to.equal('404 page not found\n');
    expect((await t.get('/apis/demo.example.com/v1/widgets')).code).to.equal(200);
  });

  it('TR-8 POST to a name creates; the collection takes no PUT', async () => {
    const made = await t.post(`${W}/ignored`, widget('posted'));
    expect([made.code, made.json.metadata.name]).to.deep.equal([201, 'posted']);
    for (const method of ['PUT', 'PATCH']) {
      const { code, json } = await t.request(method, W, {
        body: {},
        headers: { 'Content-Type': 'application/merge-patch+json' },
      });
      expect([code, json.message]).to.deep.equal([400, 'name must be provided']);
    }
  });

  it('TR-8, ER-13 refuses methods that a subresource lacks', async () => {
    const post = await t.post(`${W}/posted/status`, widget('posted'));
    expect([post.code, post.json.message]).to.deep.equal([
      405,
      'create is not supported on resources of kind "widgets.demo.example.com"',
    ]);
    expect(post.json.details).to.deep.equal({ group: 'demo.example.com', kind: 'widgets' });
    expect((await t.request('DELETE', `${W}/posted/scale`)).json.message).to.match(/^delete is not supported/);
    expect((await t.request('OPTIONS', W)).json.message).to.equal(
      ' is not supported on resources of kind "widgets.demo.example.com"',
    );
    const undeclared = await t.get(`${W}/posted/nope`);
    expect([undeclared.code, undeclared.json.message]).to.deep.equal([
      404,
      'widgets.demo.example.com "posted" not found',
    ]);
  });

  it('CN-1 takes no protobuf', async () => {
    const { code, json } = await t.request('POST', W, {
      body: 'k8s\0',
      headers: { 'Content-Type': 'application/vnd.kubernetes.protobuf' },
    });
    expect([code, json.reason]).to.deep.equal([415, 'UnsupportedMediaType']);
  });

  it('ER-11 wants a kind in the body', async () => {
    const body = JSON.stringify({ apiVersion: 'demo.example.com/v1', metadata: { name: 'a' } });
    const { json } = await t.post(W, body);
    expect(json.message).to.equal(
      `the object provided is unrecognized (must be of type Widget): Object 'Kind' is missing in '${body}' (${body.slice(0, 30)} ...)`,
    );
  });

  it('ME-9 reads and writes the scale, without a Content-Type too', async () => {
    await t.post(W, widget('scaled'));
    const scale = (await t.get(`${W}/scaled/scale`)).json;
    expect(scale).to.deep.include({ kind: 'Scale', apiVersion: 'autoscaling/v1', spec: { replicas: 3 } });
    const put = await t.request('PUT', `${W}/scaled/scale`, { body: { ...scale, spec: { replicas: 5 } } });
    expect(put.json.spec).to.deep.equal({ replicas: 5 });
    expect((await t.get(`${W}/scaled`)).json.spec).to.deep.equal({ size: 5 });
    const table = await t.get(`${W}/scaled/scale`, { Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
    expect(table.json.columnDefinitions.map((c: { name: string }) => c.name)).to.deep.equal([
      'Name',
      'Desired',
      'Available',
      'Age',
    ]);
    expect(table.json.rows[0].cells.slice(0, 3)).to.deep.equal(['scaled', 5, 0]);
  });

  it('TV-2 prints the columns of the definition', async () => {
    await t.post(W, widget('printed', { size: 7 }));
    const { json } = await t.get(`${W}/printed`, { Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
    expect(json.columnDefinitions.map((c: { name: string }) => c.name)).to.deep.equal(['Name', 'Size']);
    expect(json.rows[0].cells).to.deep.equal(['printed', 7]);
  });

  it('items of a custom list carry their kind', async () => {
    const { json } = await t.get(W);
    expect(json).to.include({ kind: 'WidgetList', apiVersion: 'demo.example.com/v1' });
    expect(json.items[0]).to.include({ kind: 'Widget', apiVersion: 'demo.example.com/v1' });
  });

  it('CN-2 says which patches it takes', async () => {
    const { code } = await t.request('PATCH', `${W}/posted`, {
      body: {},
      headers: { 'Content-Type': 'application/strategic-merge-patch+json' },
    });
    expect(code).to.equal(415);
  });

  it('SA-12 tells an apply body that cannot be read', async () => {
    const apply = async (body: string) =>
      (
        await t.request('PATCH', `${W}/applied?fieldManager=m`, {
          body,
          headers: { 'Content-Type': 'application/apply-patch+yaml' },
        })
      ).json.message;
    expect(await apply('a: [')).to.equal('error encoding patch: yaml: line 1: did not find expected node content');
    expect(await apply('{"a"')).to.match(/^error decoding patch: error converting YAML to JSON: yaml: line 1: /);
    expect(await apply('[]')).to.equal(
      'error decoding patch: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}',
    );
  });

  it('SA-11 an apply with a repeated key warns, or is refused under Strict', async () => {
    const body =
      '{"apiVersion":"demo.example.com/v1","kind":"Widget","metadata":{"name":"twice"},"spec":{"size":1,"size":2}}';
    const headers = { 'Content-Type': 'application/apply-patch+yaml' };
    const strict = await t.request('PATCH', `${W}/twice?fieldManager=m&fieldValidation=Strict`, { body, headers });
    expect([strict.code, strict.json.message]).to.deep.equal([
      400,
      'error strict decoding patch: error converting YAML to JSON: yaml: unmarshal errors:\n  line 1: key "size" already set in map',
    ]);
    const warned = await t.request('PATCH', `${W}/twice?fieldManager=m`, { body, headers });
    expect([warned.code, warned.json.spec, warned.warnings]).to.deep.equal([
      201,
      { size: 2 },
      [String.raw`299 - "line 1: key \"size\" already set in map"`],
    ]);
    expect((await t.request('POST', W, { body: '{', headers: JSON_BODY })).code).to.equal(400);
  });

  it('QP-12 a key twice in YAML is refused under Strict with its line', async () => {
    const body =
      'apiVersion: demo.example.com/v1\nkind: Widget\nmetadata: {name: twin}\nspec:\n  size: 1\n  size: 2\n  zz: 1\n';
    const { json } = await t.request('POST', `${W}?fieldValidation=Strict`, {
      body,
      headers: { 'Content-Type': 'application/yaml' },
    });
    expect(json.message).to.equal(
      'Widget in version "v1" cannot be handled as a Widget: strict decoding error: yaml: unmarshal errors:\n  line 6: key "size" already set in map, unknown field "spec.zz"',
    );
  });
});
