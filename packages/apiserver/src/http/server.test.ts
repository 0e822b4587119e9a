import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { openAuthenticator } from '../auth/authenticate.js';
import { allowAll } from '../auth/ports.js';
import { createObjectService } from '../semantics.js';
import { startTestServer } from './harness.test.js';
import type { TestServer } from './harness.test.js';
import { HttpServer } from './server.js';

const M = '/api/v1/namespaces/t/configmaps';
const JSON_BODY = { 'Content-Type': 'application/json' };
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

describe('HTTP server', () => {
  let t: TestServer;
  before(async () => {
    t = await startTestServer();
  });
  after(() => t.close());

  const map = (name: string, data = { a: '1' }) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });

  it('TR-2 creates, reads, updates, patches, lists and deletes an object', async () => {
    const created = await t.post(M, map('crud'));
    expect(created.code).to.equal(201);
    expect(created.json.metadata.uid).to.be.a('string');
    const read = await t.get(`${M}/crud`);
    expect(read.json).to.deep.equal(created.json);
    const updated = await t.request('PUT', `${M}/crud`, { body: { ...read.json, data: { a: '2' } } });
    expect(updated.json.data).to.deep.equal({ a: '2' });
    const patched = await t.request('PATCH', `${M}/crud`, {
      body: { data: { b: '3' } },
      headers: { 'Content-Type': 'application/merge-patch+json' },
    });
    expect(patched.json.data).to.deep.equal({ a: '2', b: '3' });
    const list = await t.get(`${M}?fieldSelector=metadata.name%3Dcrud`);
    expect(list.json).to.include({ kind: 'ConfigMapList', apiVersion: 'v1' });
    expect(list.json.items).to.have.length(1);
    expect(list.json.items[0]).to.not.have.property('kind');
    const deleted = await t.request('DELETE', `${M}/crud`);
    expect(deleted.json).to.deep.include({ kind: 'Status', status: 'Success' });
    expect(deleted.json.details).to.deep.equal({ name: 'crud', kind: 'configmaps', uid: created.json.metadata.uid });
    expect((await t.get(`${M}/crud`)).code).to.equal(404);
  });

  it('TR-2 answers HEAD like GET without a body', async () => {
    const head = await t.request('HEAD', M);
    expect(head.code).to.equal(200);
    expect(head.text).to.equal('');
  });

  it('TR-5 every answer carries an audit id, forbids caching and names its type', async () => {
    for (const path of [M, `${M}/nope`, '/version']) {
      const { headers } = await t.get(path);
      expect(headers['audit-id'], path).to.match(/^[0-9a-f-]{36}$/);
      expect(headers['cache-control'], path).to.equal('no-cache, private');
      expect(headers['content-type'], path).to.equal('application/json');
    }
  });

  it('TR-5 refuses a body over 3 MiB, announced or not', async () => {
    const body = JSON.stringify(map('big', { a: 'x'.repeat(3 * 1024 * 1024) }));
    for (const headers of [{}, { 'Transfer-Encoding': 'chunked' }]) {
      const { code, json } = await t.post(M, body, headers);
      expect(code).to.equal(413);
      expect(json.message).to.equal('Request entity too large: limit is 3145728');
    }
  });

  it('TR-5 compresses large bodies for those who ask', async () => {
    await t.create('ConfigMap', { name: 'large', namespace: 't' }, { data: { a: 'y'.repeat(200_000) } });
    expect((await t.get(`${M}/large`)).headers['content-encoding']).to.equal(undefined);
    const packed = await t.get(`${M}/large`, { 'Accept-Encoding': 'gzip' });
    expect(packed.headers['content-encoding']).to.equal('gzip');
    expect(Number(packed.headers['content-length'])).to.be.lessThan(10_000);
  });

  it('TR-6 says in plain text that nobody serves a group, in a Status that a known group lacks something', async () => {
    const page = await t.get('/apis/nobody.example.com/v1/things');
    expect([page.code, page.text, page.headers['content-type']]).to.deep.equal([
      404,
      '404 page not found\n',
      'text/plain; charset=utf-8',
    ]);
    for (const path of [
      '/apis/apps/v9/deployments',
      '/api/v2/pods',
      '/api/v1/namespaces/t/nopes',
      `${M}/a/nope`,
      '/api/v1/configmaps/a',
    ]) {
      const { code, json } = await t.get(path);
      expect(code, path).to.equal(404);
      expect(json, path).to.include({
        message: 'the server could not find the requested resource',
        reason: 'NotFound',
      });
      expect(json.details, path).to.deep.equal({});
    }
  });

  it('TR-6 refuses the wrong method on a known path', async () => {
    for (const [method, path] of [
      ['PUT', M],
      ['POST', `${M}/a`],
      ['POST', '/api/v1/configmaps'],
      ['DELETE', '/api/v1/namespaces'],
      ['OPTIONS', M],
      ['POST', '/version'],
    ] as const) {
      const { code, json } = await t.request(method, path, { body: {}, headers: JSON_BODY });
      expect(code, `${method} ${path}`).to.equal(405);
      expect(json).to.include({
        message: 'the server does not allow this method on the requested resource',
        reason: 'MethodNotAllowed',
      });
    }
  });

  it('TR-7 keeps serving after a request that made it fail', async () => {
    expect((await t.post(M, '{"apiVersion":"v1","kind":')).code).to.equal(400);
    expect((await t.get(M)).code).to.equal(200);
  });

  it('ER-11 quotes a body that cannot be read', async () => {
    const message = async (body: string, headers = {}) => (await t.post(M, body, headers)).json.message;
    const head =
      "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: ";
    expect(await message('{"apiVersion":"v1","kind":')).to.equal(
      `${head}unexpected end of JSON input ({"apiVersion":"v1","kind":)`,
    );
    expect(await message('{"apiVersion":"v1","kind":"ConfigMap","metadata":')).to.equal(
      `${head}unexpected end of JSON input ({"apiVersion":"v1","kind":"Con ...)`,
    );
    expect(await message('a: b')).to.equal(`${head}invalid character 'a' looking for beginning of value (613a2062)`);
    expect(await message('')).to.equal(`${head}unexpected end of JSON input (<empty>)`);
    expect(await message('a: [', { 'Content-Type': 'application/yaml' })).to.match(/: yaml: line 1: .* \(613a205b\)$/);
  });

  it('QP-12 warns of unknown and repeated fields, refuses them when told to, or says nothing', async () => {
    const body = (name: string) => `{"metadata":{"name":"${name}"},"data":{"a":"1","a":"2"},"extra":1}`;
    const warned = await t.post(M, body('warn'));
    expect(warned.code).to.equal(201);
    expect(warned.warnings).to.have.members([
      '299 - "duplicate field \\"data.a\\""',
      '299 - "unknown field \\"extra\\""',
    ]);
    const strict = await t.post(`${M}?fieldValidation=Strict`, body('strict'));
    expect(strict.code).to.equal(400);
    expect(strict.json.message).to.match(/strict decoding error: .*duplicate field "data.a"/);
    const ignored = await t.post(`${M}?fieldValidation=Ignore`, body('ignore'));
    expect([ignored.code, ignored.warnings]).to.deep.equal([201, []]);
  });

  it('QP-10, QP-11, QP-12 name every bad write parameter at once', async () => {
    const { code, json } = await t.post(`${M}?dryRun=x&fieldValidation=q&fieldManager=%01`, map('x'));
    expect(code).to.equal(422);
    expect(json.details.causes.map((c: { field: string }) => c.field)).to.deep.equal([
      'fieldManager',
      'dryRun',
      'fieldValidation',
    ]);
    expect(json.message).to.match(/^CreateOptions\.meta\.k8s\.io "" is invalid: \[/);
  });

  it('TR-7 refuses a time limit that is no duration', async () => {
    const { code, json } = await t.get('/version?timeout=soon');
    expect([code, json.message]).to.deep.equal([
      400,
      'invalid timeout specified in the request URL - time: invalid duration "soon"',
    ]);
    for (const good of ['0s', '3m', '1m30.5s', ''])
      expect((await t.get(`/version?timeout=${good}`)).code).to.equal(200);
  });

  it('QP-5 refuses numbers that are none', async () => {
    for (const query of ['limit=x', 'timeoutSeconds=x']) {
      const { code, json } = await t.get(`${M}?${query}`);
      expect([code, json.message]).to.deep.equal([400, 'strconv.ParseInt: parsing "x": invalid syntax']);
    }
  });

  it('QP-13 takes force for apply only', async () => {
    const headers = { 'Content-Type': 'application/merge-patch+json' };
    const { code, json } = await t.request('PATCH', `${M}/a?force=true`, { body: {}, headers });
    expect([code, json.details.causes[0].message]).to.deep.equal([
      422,
      'Forbidden: may not be specified for non-apply patch',
    ]);
  });

  it('QP-14 checks what a DELETE asks for', async () => {
    await t.create('ConfigMap', { name: 'del', namespace: 't' });
    const wrong = await t.request('DELETE', `${M}/del`, {
      body: { propagationPolicy: 'Orphan', orphanDependents: true },
      headers: JSON_BODY,
    });
    expect([wrong.code, wrong.json.details.causes[0].field]).to.deep.equal([422, 'propagationPolicy']);
    const unknown = await t.request('DELETE', `${M}/del?propagationPolicy=Foo`);
    expect(unknown.json.message).to.contain(
      'Unsupported value: "Foo": supported values: "Foreground", "Background", "Orphan", "nil"',
    );
    const uid = await t.request('DELETE', `${M}/del`, {
      body: { preconditions: { uid: 'other' } },
      headers: JSON_BODY,
    });
    expect(uid.code).to.equal(409);
    const type = await t.request('DELETE', `${M}/del`, { body: { gracePeriodSeconds: 'x' }, headers: JSON_BODY });
    expect(type.json.message).to.equal(
      'json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64',
    );
    expect((await t.get(`${M}/del`)).code).to.equal(200);
  });

  it('QP-16 indents for people', async () => {
    expect((await t.get('/version', { 'User-Agent': 'curl/8' })).text).to.contain('\n  "major"');
    expect((await t.get('/version?pretty=true')).text).to.contain('\n  "major"');
    expect((await t.get('/version?pretty=false', { 'User-Agent': 'curl/8' })).text).to.not.contain('\n  ');
    expect((await t.get(`${M}/x?export=true`)).json.message).to.equal(
      'the export parameter, deprecated since v1.14, is no longer supported',
    );
  });

  it('CN-3 answers YAML, or only the metadata, on request', async () => {
    await t.create('ConfigMap', { name: 'form', namespace: 't' }, { data: { on: 'yes' } });
    const yaml = await t.get(`${M}/form`, { Accept: 'application/yaml' });
    expect(yaml.headers['content-type']).to.equal('application/yaml');
    expect(yaml.text).to.match(/^apiVersion: v1\n|\napiVersion: v1\n/);
    expect(yaml.text).to.contain('"on": "yes"');
    const part = await t.get(`${M}/form`, { Accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' });
    expect(Object.keys(part.json)).to.deep.equal(['kind', 'apiVersion', 'metadata']);
    expect(part.json).to.include({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' });
    const list = await t.get(M, { Accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' });
    expect(list.json.message).to.equal(
      'you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)',
    );
  });

  it('CN-5 reads YAML 1.1 bodies and says the line of a repeated key', async () => {
    const body = 'metadata:\n  name: yaml\ndata:\n  a: "1"\n  a: "2"\n';
    const { code, json, warnings } = await t.post(M, body, { 'Content-Type': 'application/yaml' });
    expect([code, json.data]).to.deep.equal([201, { a: '2' }]);
    expect(warnings).to.deep.equal([String.raw`299 - "line 5: key \"a\" already set in map"`]);
    const bool = await t.post(M, 'metadata:\n  name: bool\ndata:\n  a: on\n', { 'Content-Type': 'application/yaml' });
    expect(bool.json.message).to.contain(
      'json: cannot unmarshal bool into Go struct field ConfigMap.data of type string',
    );
  });

  it('DE-18 refuses integers that a double cannot hold', async () => {
    const { code, json } = await t.post(M, '{"metadata":{"name":"n","generation":9007199254740993}}');
    expect(code).to.equal(400);
    expect(json.message).to.match(/^metadata\.generation: Invalid value: 9007199254740993: /);
  });

  it('TV-1 prints a list as a Table, with the object only as asked', async () => {
    await t.create('ConfigMap', { name: 'row', namespace: 't' }, { data: { a: '1', b: '2' } });
    const query = `${M}?fieldSelector=metadata.name%3Drow`;
    const { json } = await t.get(query, { Accept: TABLE });
    expect(json).to.include({ kind: 'Table', apiVersion: 'meta.k8s.io/v1' });
    expect(json.columnDefinitions.map((c: { name: string }) => c.name)).to.deep.equal(['Name', 'Data', 'Age']);
    expect(json.columnDefinitions[0]).to.include({ format: 'name', priority: 0 });
    expect(json.rows[0].cells.slice(0, 2)).to.deep.equal(['row', 2]);
    expect(json.rows[0].object).to.deep.include({ kind: 'PartialObjectMetadata' });
    expect((await t.get(`${query}&includeObject=None`, { Accept: TABLE })).json.rows[0].object).to.equal(null);
    expect((await t.get(`${query}&includeObject=Object`, { Accept: TABLE })).json.rows[0].object.data).to.deep.equal({
      a: '1',
      b: '2',
    });
    const wrong = await t.get(`${query}&includeObject=x`, { Accept: TABLE });
    expect(wrong.json.message).to.match(/^Unable to convert to Table as requested: includeObject: Invalid value: "x"/);
    expect((await t.get(`${query}&includeObject=x`)).code).to.equal(200);
  });

  it('PF-7 streams a long list as one valid document', async () => {
    await t.create('Namespace', { name: 'many' });
    for (let i = 0; i < 600; i++) await t.create('ConfigMap', { name: `c${i}`, namespace: 'many' });
    const { json, headers } = await t.get('/api/v1/namespaces/many/configmaps');
    expect(headers['transfer-encoding']).to.equal('chunked');
    expect(new Set(json.items.map((o: { metadata: { name: string } }) => o.metadata.name)).size).to.equal(600);
  });

  it('ER-30 a collection is deleted whole and answered as a list', async () => {
    await t.create('Namespace', { name: 'wipe' });
    for (const name of ['a', 'b']) await t.create('ConfigMap', { name, namespace: 'wipe' });
    const { json } = await t.request('DELETE', '/api/v1/namespaces/wipe/configmaps');
    expect(json.kind).to.equal('ConfigMapList');
    expect(json.items).to.have.length(2);
    expect((await t.get('/api/v1/namespaces/wipe/configmaps')).json.items).to.deep.equal([]);
  });
});

describe('HTTP server without TLS', () => {
  it('DE-2 answers plain HTTP', async () => {
    const semantics = createObjectService();
    const { objects, clock } = semantics;
    const special = { subresources: new Map(), creates: new Map() };
    const server = new HttpServer({ objects, clock, authenticator: openAuthenticator, authorizer: allowAll, special });
    const { port } = await server.listen(0, '127.0.0.1');
    const response = await fetch(`http://127.0.0.1:${port}/readyz`);
    expect([response.status, await response.text()]).to.deep.equal([200, 'ok']);
    await server.close();
    semantics.close();
  });

  it('OP-1 says when the port is taken', async () => {
    const semantics = createObjectService();
    const { objects, clock } = semantics;
    const special = { subresources: new Map(), creates: new Map() };
    const make = (): HttpServer =>
      new HttpServer({ objects, clock, authenticator: openAuthenticator, authorizer: allowAll, special });
    const [first, second] = [make(), make()];
    const { port } = await first.listen(0, '127.0.0.1');
    const refused = await second.listen(port, '127.0.0.1').catch((error: NodeJS.ErrnoException) => error.code);
    expect(refused).to.equal('EADDRINUSE');
    await first.close();
    semantics.close();
  });
});
