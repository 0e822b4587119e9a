import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { after, afterEach, before, describe, it } from 'mocha';
import type { StatusError } from '../core/errors.js';
import type { JsonObject } from '../core/types.js';
import { startTestServer } from '../http/harness.test.js';
import type { AnyJson, TestServer } from '../http/harness.test.js';
import { Authority } from '../tls/x509.js';
import { WebhookClient } from './client.js';
import { WebhookAdmission } from './dispatch.js';

const M = '/api/v1/namespaces/t/configmaps';
type Answer = (review: AnyJson) => unknown;

/** A webhook server whose answers a test sets by path. */
class Hooks {
  readonly authority: Authority = Authority.create();
  readonly answers = new Map<string, Answer>();
  readonly seen: { path: string; review: AnyJson }[] = [];
  readonly #server: https.Server = https.createServer(
    this.authority.server(['127.0.0.1', 'hook.t.svc']),
    (request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        const review = JSON.parse(text);
        const path = (request.url ?? '').split('?')[0] as string;
        this.seen.push({ path: request.url ?? '', review });
        const answer = this.answers.get(path)?.(review);
        if (answer === undefined) return void response.writeHead(500).end('no answer');
        response.end(JSON.stringify(answer));
      });
    },
  );
  url = '';

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

const reply = (review: AnyJson, response: object): unknown => ({
  kind: 'AdmissionReview',
  apiVersion: 'admission.k8s.io/v1',
  response: { uid: review.request.uid, allowed: true, ...response },
});
const patch = (...operations: object[]): object => ({
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
});

describe('Admission webhooks', () => {
  const hooks = new Hooks();
  const client = new WebhookClient();
  let t: TestServer;
  before(async () => {
    await hooks.start();
    t = await startTestServer();
    t.semantics.admission = new WebhookAdmission({ objects: t.semantics.objects, client });
  });
  after(async () => {
    await t.close();
    client.close();
    hooks.close();
  });
  const made: string[] = [];
  afterEach(async () => {
    for (const path of made.splice(0)) await t.request('DELETE', path);
    hooks.seen.length = 0;
  });

  let count = 0;
  async function configure(type: 'Mutating' | 'Validating', ...list: JsonObject[]): Promise<void> {
    const webhooks = list.map((hook) => ({
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      timeoutSeconds: 5,
      clientConfig: {
        url: `${hooks.url}/${hook['name'] as string}`,
        caBundle: Buffer.from(hooks.authority.cert).toString('base64'),
      },
      rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
      ...hook,
    }));
    const name = `hooks-${count++}`;
    const kind = `${type}WebhookConfiguration`;
    await t.create(kind, { name }, { webhooks } as JsonObject, 'admissionregistration.k8s.io');
    made.push(`/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}s/${name}`);
  }
  const post = (labels = {}, data = { a: '1' }) => t.post(M, { metadata: { name: `cm-${count++}`, labels }, data });

  it('AD-1, AD-5 a mutating webhook changes the object before a validating one sees it', async () => {
    await configure('Mutating', { name: 'm.example.com' });
    await configure('Validating', { name: 'v.example.com' });
    hooks.answers.set('/m.example.com', (r) =>
      reply(r, { ...patch({ op: 'add', path: '/data/added', value: 'yes' }), warnings: ['careful'] }),
    );
    hooks.answers.set('/v.example.com', (r) => reply(r, {}));
    const { code, json, warnings } = await post();
    expect([code, json.data, warnings]).to.deep.equal([201, { a: '1', added: 'yes' }, ['299 - "careful"']]);
    expect(JSON.stringify(json.metadata.managedFields)).to.not.contain('f:added');
    const [mutating, validating] = hooks.seen;
    expect(mutating?.path).to.equal('/m.example.com?timeout=5s');
    expect(mutating?.review.request).to.deep.include({
      kind: { group: '', version: 'v1', kind: 'ConfigMap' },
      resource: { group: '', version: 'v1', resource: 'configmaps' },
      operation: 'CREATE',
      namespace: 't',
      oldObject: null,
      dryRun: false,
    });
    expect(mutating?.review.request.userInfo).to.deep.equal({
      username: 'embedded-admin',
      groups: ['system:masters', 'system:authenticated'],
    });
    expect(validating?.review.request.object.data).to.deep.equal({ a: '1', added: 'yes' });
    expect(validating?.review.request.object.metadata.uid).to.equal(json.metadata.uid);
  });

  it('AD-7 a refusal carries the code, reason and message of the webhook', async () => {
    await configure('Validating', { name: 'no.example.com' });
    const refuse = async (status?: object) => {
      hooks.answers.set('/no.example.com', (r) => reply(r, { allowed: false, ...(status ? { status } : {}) }));
      const { json } = await post();
      return [json.code, json.reason, json.message];
    };
    const head = 'admission webhook "no.example.com" denied the request';
    expect(await refuse()).to.deep.equal([400, undefined, `${head} without explanation`]);
    expect(await refuse({ message: 'why' })).to.deep.equal([400, undefined, `${head}: why`]);
    expect(await refuse({ reason: 'Teapot', code: 418 })).to.deep.equal([418, 'Teapot', `${head}: Teapot`]);
  });

  it('AD-2 rules, selectors and operations choose what a webhook sees', async () => {
    await configure('Validating', {
      name: 'sel.example.com',
      objectSelector: { matchExpressions: [{ key: 'pick', operator: 'In', values: ['me'] }] },
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 't' } },
      rules: [{ operations: ['CREATE', 'DELETE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
    });
    hooks.answers.set('/sel.example.com', (r) => reply(r, {}));
    await t.create('Namespace', { name: 'else' });
    await post();
    const { json } = await post({ pick: 'me' });
    await t.create('ConfigMap', { name: 'x', namespace: 'else', labels: { pick: 'me' } });
    await t.create('Secret', { name: 'x', namespace: 't', labels: { pick: 'me' } });
    await t.request('PUT', `${M}/${json.metadata.name}`, { body: { ...json, data: {} } });
    await t.request('DELETE', `${M}/${json.metadata.name}`);
    expect(hooks.seen.map(({ review }) => review.request.operation)).to.deep.equal(['CREATE', 'DELETE']);
    expect(hooks.seen[1]?.review.request).to.deep.include({ object: null, name: json.metadata.name });
  });

  it('AD-8 a webhook that cannot be reached fails the request, or is passed over', async () => {
    const down = { clientConfig: { url: 'https://127.0.0.1:1/down' } };
    await configure('Validating', { name: 'down.example.com', ...down });
    const { json } = await post();
    expect([json.code, json.reason]).to.deep.equal([500, 'InternalError']);
    const why =
      'failed calling webhook "down.example.com": failed to call webhook: Post "https://127.0.0.1:1/down?timeout=5s": dial tcp 127.0.0.1:1: connect: connection refused';
    expect(json.message).to.equal(`Internal error occurred: ${why}`);
    expect(json.details.causes).to.deep.equal([{ message: why }]);
    await t.request('DELETE', made.pop() as string);
    await configure('Validating', { name: 'down.example.com', failurePolicy: 'Ignore', ...down });
    expect((await post()).code).to.equal(201);
  });

  it('AD-8 says what is wrong with an answer', async () => {
    await configure('Validating', { name: 'bad.example.com' });
    const message = async (answer: Answer): Promise<string> => {
      hooks.answers.set('/bad.example.com', answer);
      return (await post()).json.message.replace(
        'Internal error occurred: failed calling webhook "bad.example.com": ',
        '',
      );
    };
    expect(await message((r) => reply(r, { uid: 'other' }))).to.match(
      /^received invalid webhook response: expected response\.uid="[^"]+", got "other"$/,
    );
    expect(await message(() => ({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1' }))).to.equal(
      'received invalid webhook response: webhook response was absent',
    );
    expect(await message(() => ({ kind: 'Other', apiVersion: 'admission.k8s.io/v1' }))).to.match(
      /^failed to call webhook: no kind "Other" is registered for version "admission\.k8s\.io\/v1" in scheme /,
    );
    expect(await message((r) => reply(r, patch({ op: 'add', path: '/data/x', value: 'y' })))).to.contain(
      'may not return response.patch',
    );
    expect(await message(() => undefined)).to.equal(
      'failed to call webhook: an error on the server ("no answer") has prevented the request from succeeding',
    );
  });

  it('AD-8 a patch that does not apply names its operation', async () => {
    await configure('Mutating', { name: 'p.example.com' });
    hooks.answers.set('/p.example.com', (r) => reply(r, patch({ op: 'add', path: '/nope/added', value: 'x' })));
    expect((await post()).json.message).to.equal(
      'Internal error occurred: add operation does not apply: doc is missing path: "/nope/added": missing value',
    );
  });

  it('AD-6 runs again only who asked for it and ran before a later change', async () => {
    const again = { reinvocationPolicy: 'IfNeeded' };
    await configure(
      'Mutating',
      { name: 'a.example.com', ...again },
      { name: 'b.example.com' },
      { name: 'c.example.com', ...again },
    );
    const add = (key: string): object => patch({ op: 'add', path: `/data/${key}`, value: 'yes' });
    hooks.answers.set('/a.example.com', (r) => reply(r, r.request.object.data.b ? add('a2') : add('a1')));
    hooks.answers.set('/b.example.com', (r) => reply(r, r.request.object.data.b ? {} : add('b')));
    hooks.answers.set('/c.example.com', (r) => reply(r, {}));
    const { json } = await post();
    expect(json.data).to.deep.equal({ a: '1', a1: 'yes', a2: 'yes', b: 'yes' });
    // c ran before the second change of a, so it runs again too; b did not ask for it.
    expect(hooks.seen.map(({ path }) => path[1])).to.deep.equal(['a', 'b', 'c', 'a', 'c']);
    expect(new Set(hooks.seen.map(({ review }) => review.request.uid)).size).to.equal(5);
  });

  it('AD-4 finds a service where it was registered', async () => {
    const service = { namespace: 't', name: 'hook', path: '/svc.example.com', port: 8443 };
    const caBundle = Buffer.from(hooks.authority.cert).toString('base64');
    await configure('Validating', { name: 'svc.example.com', clientConfig: { service, caBundle } });
    hooks.answers.set('/svc.example.com', (r) => reply(r, {}));
    const { json } = await post();
    expect(json.message).to.contain(
      'Post "https://hook.t.svc:8443/svc.example.com?timeout=5s": service "hook" not found',
    );
    client.registerService({ namespace: 't', name: 'hook', port: 8443 }, { url: hooks.url });
    expect((await post()).code).to.equal(201);
  });

  it('AD-2 match conditions choose, and must be readable when they are made', async () => {
    const conditions = (expression: string, failurePolicy = 'Fail') => ({
      name: 'cond.example.com',
      failurePolicy,
      matchConditions: [{ name: 'c', expression }],
    });
    await configure(
      'Validating',
      conditions(
        `request.operation == 'CREATE' && object.data.size() == 2 && !request.userInfo.username.startsWith('x')`,
      ),
    );
    hooks.answers.set('/cond.example.com', (r) => reply(r, {}));
    await post({}, { a: '1' });
    expect(hooks.seen).to.have.length(0);
    const two = { a: '1', b: '2' };
    expect((await post({}, two)).code).to.equal(201);
    expect(hooks.seen).to.have.length(1);
    await t.request('DELETE', made.pop() as string);
    await configure('Validating', conditions(`object.nope == 'x'`));
    expect((await post()).json.reason).to.equal('Forbidden');
    await t.request('DELETE', made.pop() as string);
    await configure('Validating', conditions(`object.nope == 'x'`, 'Ignore'));
    expect((await post()).code).to.equal(201);
    const refused = await configure('Validating', conditions('object.data.frob(')).catch(
      (error: StatusError) => error.status,
    );
    expect(refused).to.deep.include({ code: 422, reason: 'Invalid' });
    expect(refused?.details?.causes?.[0]?.field).to.equal('webhooks[0].matchConditions[0].expression');
  });

  it('AD-1 configurations of webhooks are exempt from webhooks', async () => {
    const everything = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }];
    await configure('Validating', {
      name: 'all.example.com',
      rules: everything,
      clientConfig: { url: 'https://127.0.0.1:1/' },
    });
    expect((await post()).code).to.equal(500);
    const [path] = made;
    expect((await t.request('DELETE', path as string)).code).to.equal(200);
    expect((await post()).code).to.equal(201);
  });
});
