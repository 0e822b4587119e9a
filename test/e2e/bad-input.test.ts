import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { Api } from '../support/api.js';
import { startTestServer, type TestServer } from '../support/servers.js';
import { installPodSets } from '../chaos/operator-process.js';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const POD_SETS = '/apis/app.example.com/v1alpha1/namespaces/default/podsets';

const podSet = (name: string, spec: unknown): object => ({
  apiVersion: 'app.example.com/v1alpha1',
  kind: 'PodSet',
  metadata: { name },
  spec,
});

/** The same answers are expected of both servers: the embedded one is believed because of this. */
describe('bad input to the API server', function () {
  this.timeout(60_000);
  let server: TestServer;
  let api: Api;

  before(async () => {
    server = await startTestServer();
    api = await Api.of(server.kubeconfigPath);
    await installPodSets(api);
    await api.ok('POST', POD_SETS, { body: podSet('good', { replicas: 1 }) });
  });

  after(async () => {
    api?.close();
    await server?.stop();
  });

  /** Sends it and expects a refusal; nothing that is stored may have changed. */
  const refused = async (
    method: string,
    path: string,
    request: { body?: unknown; text?: string; contentType?: string },
  ): Promise<{ status: number; message: string }> => {
    const stored = async (): Promise<string> =>
      JSON.stringify([(await api.send('GET', POD_SETS)).body.items, (await api.send('GET', CRDS)).body.items.length]);
    const before = await stored();
    const answer = await api.send(method, path, request);
    expect(await stored(), 'what is stored').to.equal(before);
    return { status: answer.status, message: answer.body.message };
  };

  it('a CRD without a schema', async () => {
    const body = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.app.example.com' },
      spec: {
        group: 'app.example.com',
        scope: 'Namespaced',
        names: { kind: 'Thing', plural: 'things' },
        versions: [{ name: 'v1', served: true, storage: true }],
      },
    };
    const { status, message } = await refused('POST', CRDS, { body });
    expect(status).to.equal(422);
    expect(message).to.contain('spec.versions[0].schema.openAPIV3Schema: Required value');
  });

  it('malformed JSON', async () => {
    const { status, message } = await refused('POST', POD_SETS, { text: '{"apiVersion": "app.example.com/v1alpha1",' });
    expect(status).to.equal(400);
    expect(message).to.contain('the object provided is unrecognized');
    expect(message).to.contain('unexpected end of JSON input');
  });

  it('an unknown field under strict validation', async () => {
    const { status, message } = await refused('POST', `${POD_SETS}?fieldValidation=Strict`, {
      body: podSet('strict', { replicas: 1, replcas: 2 }),
    });
    expect(status).to.equal(400);
    expect(message).to.contain('strict decoding error: unknown field "spec.replcas"');
  });

  it('a value of the wrong type', async () => {
    const { status, message } = await refused('POST', POD_SETS, { body: podSet('typed', { replicas: 'three' }) });
    expect(status).to.equal(422);
    expect(message).to.contain('spec.replicas in body must be of type integer: "string"');
  });

  it('a value out of range, in an update and in a patch', async () => {
    const { status, message } = await refused('PATCH', `${POD_SETS}/good`, {
      body: { spec: { replicas: -1 } },
      contentType: 'application/merge-patch+json',
    });
    expect(status).to.equal(422);
    expect(message).to.contain(
      'spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0',
    );
  });

  it('an update with an old resourceVersion', async () => {
    const old = await api.ok('GET', `${POD_SETS}/good`);
    await api.ok('PUT', `${POD_SETS}/good`, { body: { ...old, spec: { replicas: 2 } } });
    const { status, message } = await refused('PUT', `${POD_SETS}/good`, { body: { ...old, spec: { replicas: 5 } } });
    expect(status).to.equal(409);
    expect(message).to.contain('the object has been modified; please apply your changes to the latest version');
  });
});
