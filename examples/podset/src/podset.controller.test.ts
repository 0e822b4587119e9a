import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { V1Pod as V1PodModel } from '@kubernetes/client-node';
import { type ApiServer, startApiServer } from '@kubewright/apiserver';
import { crdFor } from '@kubewright/manifests';
import { expect } from 'chai';
import {
  Client,
  Controller,
  createOperator,
  For,
  type Operator,
  type OperatorOptions,
  Owns,
  type Reconciler,
  Result,
  type Wire,
} from 'kubewright';
import { V1Pod } from 'kubewright/kinds';
import { afterEach, beforeEach, describe, it } from 'mocha';
import definition from './operator.js';
import { busyboxPod, PodSetController } from './podset.controller.js';
import { PodSet } from './podset.js';
import { Story, StoryController } from './story.js';

const aPodSet = (name: string, replicas: number) => ({
  apiVersion: 'app.example.com/v1alpha1',
  kind: 'PodSet',
  metadata: { namespace: 'default', name },
  spec: { replicas },
});

describe('the PodSet operator on the embedded API server', function () {
  this.timeout(10_000);
  let folder: string;
  let server: ApiServer;
  let options: Pick<OperatorOptions, 'kubeConfig' | 'signals' | 'logLevel' | 'environment'>;
  /** Has no controllers: every read is live. */
  let outside: Operator;
  const started: { operator: Operator; running: Promise<void> }[] = [];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kubewright-podset-'));
    server = await startApiServer({ controllers: 'all', podGraceMs: 50 });
    const kubeConfig = join(folder, 'kubeconfig');
    server.kubeconfig().write(kubeConfig);
    options = { kubeConfig, signals: false, logLevel: 'silent', environment: false };
    outside = await createOperator({ ...options, controllers: [] });
    await outside.client.apply(crdFor(PodSet));
  });

  afterEach(async () => {
    for (const { operator, running } of started.splice(0)) {
      await operator.stop();
      await running;
    }
    await outside.stop();
    await server.close();
    rmSync(folder, { recursive: true });
  });

  const start = async (given: Omit<OperatorOptions, keyof typeof options>): Promise<Operator> => {
    const operator = await createOperator({ ...given, ...options });
    started.push({ operator, running: operator.start() });
    return operator;
  };

  /** Starts the operator and one that watches it; counts how many Pods there ever were at once. */
  const startWatched = async (): Promise<{ story: Story; most: () => number }> => {
    let most = 0;
    const story = new Story((line) => {
      const [, counts = ''] = line.split('Pods: ');
      const total = (counts.match(/\d+(?= running| starting)/g) ?? []).reduce((sum, count) => sum + Number(count), 0);
      most = Math.max(most, total);
    });
    await start(definition);
    await start({
      name: 'narrator',
      controllers: [StoryController],
      bindings: (container) => container.bind(Story).toConstantValue(story),
    });
    return { story, most: () => most };
  };

  const podsOf = async (name: string): Promise<Wire<V1Pod>[]> =>
    (await outside.client.list(V1Pod, { namespace: 'default', labels: { app: name } })).filter(
      (pod) => !pod.metadata.deletionTimestamp,
    );

  it('TUT-9 makes as many Pods as wanted, never more, and writes their names into the status', async () => {
    const { story, most } = await startWatched();
    await outside.client.create(aPodSet('example', 3));
    await story.until((picture) => picture.running === 3);
    const pods = await podsOf('example');
    const names = pods.map((pod) => pod.metadata.name).sort();
    expect(names).to.have.length(3);
    for (const name of names) expect(name).to.match(/^example-pod[a-z0-9]{5}$/);
    const podSet = await outside.client.get(PodSet, { namespace: 'default', name: 'example' });
    expect(podSet.status).to.deep.equal({ podNames: names });
    expect(most()).to.equal(3);
  });

  it('TUT-10 replaces a Pod that was deleted', async () => {
    const { story } = await startWatched();
    await outside.client.create(aPodSet('example', 2));
    await story.until((picture) => picture.running === 2);
    const [victim, survivor] = await podsOf('example');
    await outside.client.delete(victim as Wire<V1Pod>);
    await story.until((picture) => picture.running === 1);
    await story.until((picture) => picture.running === 2 && picture.terminating === 0);
    const names = (await podsOf('example')).map((pod) => pod.metadata.name);
    expect(names).to.include(survivor?.metadata.name).and.not.to.include(victim?.metadata.name);
  });

  it('TUT-11 TUT-12 scales up, and down by the youngest', async () => {
    const { story } = await startWatched();
    const podSet = await outside.client.create(aPodSet('example', 1));
    await story.until((picture) => picture.running === 1);
    await outside.client.patch(podSet, { spec: { replicas: 3 } });
    await story.until((picture) => picture.running === 3);
    // Timestamps are whole seconds: among Pods of one second the name decides.
    const age = (pod: Wire<V1Pod>): string => `${pod.metadata.creationTimestamp}/${pod.metadata.name}`;
    const [oldest] = (await podsOf('example')).sort((a, b) => (age(a) < age(b) ? -1 : 1));
    await outside.client.patch(podSet, { spec: { replicas: 1 } });
    await story.until((picture) => picture.running === 1 && picture.terminating === 0);
    expect((await podsOf('example')).map((pod) => pod.metadata.name)).to.deep.equal([oldest?.metadata.name]);
  });

  it('two operators in one process work side by side, each for its namespaces', async () => {
    for (const name of ['left', 'right'])
      await outside.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    for (const namespace of ['left', 'right', 'default'])
      await outside.client.create({ ...aPodSet('example', 1), metadata: { namespace, name: 'example' } });
    const story = new Story(() => undefined);
    await start({ ...definition, name: 'left', namespaces: ['left'] });
    await start({ ...definition, name: 'right', namespaces: ['right'] });
    await start({
      name: 'narrator',
      controllers: [StoryController],
      namespaces: ['right'],
      bindings: (container) => container.bind(Story).toConstantValue(story),
    });
    await story.until((picture) => picture.running === 1);
    const pods = await outside.client.list(V1Pod);
    expect(pods.map((pod) => pod.metadata.namespace))
      .to.include('right')
      .and.not.to.include('default');
  });

  it('works with the model classes of @kubernetes/client-node too', async () => {
    const done = Promise.withResolvers<void>();
    @Controller()
    @For(PodSet)
    @Owns(V1PodModel)
    class ModelController implements Reconciler {
      constructor(private readonly client: Client) {}
      async reconcile(request: { name: string; namespace?: string }): Promise<Result> {
        const podSet = await this.client.get(PodSet, request);
        const pods = await this.client.list(V1PodModel, { ownedBy: podSet });
        // On the wire a timestamp is a string, whatever the model class says.
        if (pods.length > 0) done.resolve();
        else await this.client.create(V1PodModel, busyboxPod(podSet));
        return Result.done();
      }
    }
    await start({ controllers: [ModelController] });
    await outside.client.create(aPodSet('example', 1));
    await done.promise;
    const [pod] = await outside.client.list(V1PodModel, { namespace: 'default' });
    expect(pod?.metadata.creationTimestamp).to.be.a('string');
  });

  it('one reconcile is one step, and can be tried by hand with a live client', async () => {
    const { client } = outside;
    const podSet = await client.create(aPodSet('example', 1));
    const controller = new PodSetController(client);
    const request = { namespace: 'default', name: 'example' };
    expect(await controller.reconcile(request)).to.equal(Result.done());
    const pods = await client.list(V1Pod, { namespace: 'default', ownedBy: podSet });
    expect(pods.map((pod) => pod.metadata.ownerReferences?.[0])).to.deep.equal([
      {
        apiVersion: 'app.example.com/v1alpha1',
        kind: 'PodSet',
        name: 'example',
        uid: podSet.metadata.uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
    expect(await controller.reconcile({ namespace: 'default', name: 'absent' })).to.equal(Result.done());
  });
});
