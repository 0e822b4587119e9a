import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { startTestServer } from './harness.test.js';
import type { AnyJson, TestServer } from './harness.test.js';
import { compareVersions } from './version-order.js';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const BETA = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';
const CRD = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.demo.example.com';

describe('Discovery and OpenAPI', () => {
  let t: TestServer;
  before(async () => {
    t = await startTestServer();
    await t.defineWidgets();
  });
  after(() => t.close());

  it('DI-1, DI-4, DI-5 serves the older form', async () => {
    const core = (await t.get('/api')).json;
    expect(core).to.deep.include({ kind: 'APIVersions', versions: ['v1'] });
    expect(core.serverAddressByClientCIDRs).to.deep.equal([
      { clientCIDR: '0.0.0.0/0', serverAddress: `127.0.0.1:${t.port}` },
    ]);
    const { groups } = (await t.get('/apis')).json;
    const names = groups.map((g: { name: string }) => g.name);
    expect(names[0]).to.equal('apps');
    expect(names.at(-1)).to.equal('demo.example.com');
    expect(groups.at(-1)).to.deep.equal({
      name: 'demo.example.com',
      versions: ['v1', 'v1beta1'].map((version) => ({ groupVersion: `demo.example.com/${version}`, version })),
      preferredVersion: { groupVersion: 'demo.example.com/v1', version: 'v1' },
    });
    expect((await t.get('/apis/apps')).json).to.include({ kind: 'APIGroup', name: 'apps' });
    expect((await t.get('/apis/nope')).text).to.equal('404 page not found\n');
    expect((await t.get('/apis/apps/v9')).code).to.equal(404);
  });

  it('DI-5 lists resources with their subresources, verbs in the order of a real server', async () => {
    const { resources } = (await t.get('/apis/demo.example.com/v1')).json;
    expect(resources).to.deep.equal([
      {
        name: 'widgets',
        singularName: 'widget',
        namespaced: true,
        kind: 'Widget',
        verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
        shortNames: ['wdg'],
        categories: ['demo'],
        storageVersionHash: resources[0].storageVersionHash,
      },
      { name: 'widgets/status', singularName: '', namespaced: true, kind: 'Widget', verbs: ['get', 'patch', 'update'] },
      {
        name: 'widgets/scale',
        singularName: '',
        namespaced: true,
        group: 'autoscaling',
        version: 'v1',
        kind: 'Scale',
        verbs: ['get', 'patch', 'update'],
      },
    ]);
    const maps = (await t.get('/api/v1')).json.resources.find((r: { name: string }) => r.name === 'configmaps');
    // The hash a real server shows for ConfigMaps.
    expect(maps.storageVersionHash).to.equal('qFsyl6wFWjQ=');
  });

  it('DI-2 serves the aggregated form to those who ask for exactly that', async () => {
    const { json, headers } = await t.get('/apis', { Accept: `${AGGREGATED},${BETA},application/json` });
    expect(headers).to.include({ 'content-type': AGGREGATED, 'cache-control': 'public', vary: 'Accept' });
    expect(headers['etag']).to.match(/^"[0-9A-F]{128}"$/);
    expect(json).to.include({ kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2' });
    const apps = json.items.find((g: AnyJson) => g.metadata.name === 'apps').versions[0];
    const deployments = apps.resources.find((r: AnyJson) => r.resource === 'deployments');
    expect(deployments.responseKind).to.deep.equal({ group: '', version: '', kind: 'Deployment' });
    expect(deployments.subresources).to.deep.include({
      subresource: 'scale',
      responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      verbs: ['get', 'patch', 'update'],
    });
    const widgets = json.items.at(-1).versions[0].resources[0];
    expect(widgets.responseKind).to.deep.equal({ group: 'demo.example.com', version: 'v1', kind: 'Widget' });
    expect(widgets.scope).to.equal('Namespaced');
  });

  it('DI-3 never answers v2 to a client of v2beta1', async () => {
    expect((await t.get('/apis', { Accept: `${BETA},application/json` })).json.kind).to.equal('APIGroupList');
    const { code, json } = await t.get('/apis', { Accept: BETA });
    expect(code).to.equal(406);
    expect(json.message).to.match(/^only the following media types are accepted/);
  });

  it('DI-12 keeps the ETag until a definition changes, and shows the change at once', async () => {
    const ask = (etag?: string) => t.get('/apis', { Accept: AGGREGATED, ...(etag ? { 'If-None-Match': etag } : {}) });
    const etag = (await ask()).headers['etag'] as string;
    const same = await ask(etag);
    expect([same.code, same.text]).to.deep.equal([304, '']);
    const index = (await t.get('/openapi/v3')).json.paths;
    await t.request('PATCH', CRD, {
      body: { spec: { names: { categories: ['demo', 'more'] } } },
      headers: { 'Content-Type': 'application/merge-patch+json' },
    });
    await t.semantics.settle();
    const changed = await ask(etag);
    expect(changed.code).to.equal(200);
    expect(changed.text).to.contain('"more"');
    const after = (await t.get('/openapi/v3')).json.paths;
    expect(after['api/v1']).to.deep.equal(index['api/v1']);
  });

  it('DI-6, DI-7 describes a custom kind as kubectl needs it', async () => {
    const index = (await t.get('/openapi/v3')).json.paths;
    const url = index['apis/demo.example.com/v1'].serverRelativeURL as string;
    const { json, headers } = await t.get(url);
    expect(headers['etag']).to.equal(`"${url.split('hash=')[1]}"`);
    expect((await t.request('GET', url, { headers: { 'If-None-Match': headers['etag'] as string } })).code).to.equal(
      304,
    );
    const gvk = { group: 'demo.example.com', version: 'v1', kind: 'Widget' };
    const { patch } = json.paths['/apis/demo.example.com/v1/namespaces/{namespace}/widgets/{name}'];
    expect(patch).to.deep.include({ 'x-kubernetes-action': 'patch', 'x-kubernetes-group-version-kind': gvk });
    expect(patch.parameters.map((p: { name: string }) => p.name)).to.include.members([
      'fieldValidation',
      'dryRun',
      'force',
    ]);
    expect(Object.keys(patch.requestBody.content)).to.have.members([
      'application/apply-patch+yaml',
      'application/json-patch+json',
      'application/merge-patch+json',
    ]);
    const schema = json.components.schemas['com.example.demo.v1.Widget'];
    expect(schema['x-kubernetes-group-version-kind']).to.deep.equal([gvk]);
    expect(schema.properties.spec.properties.size).to.deep.include({
      type: 'integer',
      minimum: 1,
      default: 3,
      description: 'How big.',
    });
    expect(json.components.schemas['io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'].properties).to.have.property(
      'ownerReferences',
    );
    expect(JSON.stringify(json)).to.not.contain('x-go-');
  });

  it('DI-7 every reference of every document leads somewhere', async () => {
    const index = (await t.get('/openapi/v3')).json.paths as Record<string, { serverRelativeURL: string }>;
    for (const [name, { serverRelativeURL }] of Object.entries(index)) {
      const { json, text } = await t.get(serverRelativeURL);
      for (const [, target] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
        expect(json.components.schemas, `${name}: ${target}`).to.have.property(target as string);
      }
    }
  });

  it('DI-9 built-in kinds leave the body of a patch out', async () => {
    const { json } = await t.get('/openapi/v3/apis/apps/v1');
    const { patch } = json.paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}'];
    expect(patch).to.not.have.property('requestBody');
    expect(patch.parameters.map((p: { name: string }) => p.name)).to.include('fieldValidation');
    expect(json.components.schemas['io.k8s.api.apps.v1.Deployment'].properties.spec).to.deep.include({
      allOf: [{ $ref: '#/components/schemas/io.k8s.api.apps.v1.DeploymentSpec' }],
    });
  });

  it('DI-7 leaves empty parameter lists out, so that a document reads the same after a round trip', async () => {
    const { text } = await t.get('/openapi/v3/apis/storage.k8s.io/v1');
    expect(text).to.contain('/storageclasses').and.not.contain('"parameters":[]');
  });

  it('DI-8 has the definitions of OpenAPI v2 in JSON, and an empty document in protobuf', async () => {
    const v2 = await t.get('/openapi/v2');
    expect([v2.code, v2.json.swagger]).to.deep.equal([200, '2.0']);
    expect(v2.json.definitions['io.k8s.api.core.v1.Pod'].properties.spec).to.have.property(
      '$ref',
      '#/definitions/io.k8s.api.core.v1.PodSpec',
    );
    expect(v2.text).to.not.contain('#/components/');
    const { code, text } = await t.get('/openapi/v2', {
      Accept: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
    });
    expect([code, text]).to.deep.equal([200, '\n\u00032.0\u0012\u0019\n\nKubernetes\u0012\u000bunversioned']);
  });

  it('DI-11 says whether it is healthy, and of what', async () => {
    for (const path of ['/healthz', '/livez', '/readyz']) {
      const { code, text, headers } = await t.get(path);
      expect([code, text, headers['content-type']]).to.deep.equal([200, 'ok', 'text/plain; charset=utf-8']);
    }
    expect((await t.get('/readyz?verbose')).text).to.equal('[+]ping ok\nreadyz check passed\n');
    expect((await t.get('/readyz/ping')).text).to.equal('ok');
    expect((await t.get('/readyz/nope')).code).to.equal(404);
  });

  it('HO-1, DI-10 /version says that the server is embedded', async () => {
    expect((await t.get('/version')).json).to.include({ major: '1', minor: '37', gitVersion: 'v1.37.2+embedded' });
  });

  it('DI-4 orders versions as Kubernetes does', () => {
    const sorted = ['v1alpha1', 'foo', 'v2', 'v10', 'v1beta2', 'v1', 'bar', 'v1beta1', 'v11alpha2'].sort(
      compareVersions,
    );
    expect(sorted).to.deep.equal(['v10', 'v2', 'v1', 'v1beta2', 'v1beta1', 'v11alpha2', 'v1alpha1', 'bar', 'foo']);
  });

  it('VE-3 warns of a deprecated version', async () => {
    const { warnings } = await t.get('/apis/demo.example.com/v1beta1/widgets');
    expect(warnings).to.deep.equal([
      '299 - "demo.example.com/v1beta1 Widget is deprecated; use demo.example.com/v1 Widget"',
    ]);
  });
});
