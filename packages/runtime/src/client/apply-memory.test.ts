import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { StoredObject } from '@kubewright/api';
import { modified, pod } from '../cache/cache-harness.test.js';
import { ClientHarness, PodKind } from './client-harness.test.js';

const intent = (image: string): { metadata: { name: string; namespace: string }; spec: object } => ({
  metadata: { name: 'a', namespace: 'default' },
  spec: { containers: [{ name: 'app', image, ports: [{ containerPort: 80 }] }] },
});

/** What the server makes of it: defaults filled in, and an item that somebody else put there. */
const stored = (image: string, version: string): StoredObject =>
  pod('a', version, {
    spec: {
      restartPolicy: 'Always',
      containers: [
        { name: 'sidecar', image: 'mesh' },
        { name: 'app', image, pullPolicy: 'Always', ports: [{ containerPort: 80, protocol: 'TCP' }] },
      ],
    },
  });

describe('client: applyIfChanged', () => {
  it('L32 applies once after a start, then skips while the object shows what came of it', async () => {
    const answers = [stored('v1', '5'), stored('v2', '150')];
    await using h = await new ClientHarness({
      objects: [stored('v1', '5')],
      answer: () => ({ body: answers.shift() as StoredObject }),
    }).watchPods();
    const apply = (image: string): Promise<string> => h.client.applyIfChanged(PodKind, intent(image));
    expect(await apply('v1')).to.equal('unchanged');
    expect(await apply('v1')).to.equal('skipped');
    expect(await apply('v2')).to.equal('updated');
    expect(await apply('v2')).to.equal('skipped');
    expect(h.asked).to.have.length(2);
  });

  it('L32 applies again when somebody changed what it states, and not when they changed other fields', async () => {
    await using h = await new ClientHarness({
      objects: [stored('v1', '5')],
      answer: () => ({ body: stored('v1', '160') }),
    }).watchPods();
    await h.client.applyIfChanged(PodKind, intent('v1'));
    const labelled = stored('v1', '170');
    labelled.metadata.labels = { by: 'others' };
    await h.send(modified(labelled));
    expect(await h.client.applyIfChanged(PodKind, intent('v1'))).to.equal('skipped');
    await h.send(modified(stored('hacked', '180')));
    expect(await h.client.applyIfChanged(PodKind, intent('v1'))).to.not.equal('skipped');
    expect(h.asked).to.have.length(2);
  });

  it('L32 tells a create, keeps managers and uids apart, and always sends for kinds not cached whole', async () => {
    const bare = new ClientHarness({ answer: () => ({ status: 201, body: stored('v1', '5') }) });
    expect(await bare.client.applyIfChanged(PodKind, intent('v1'))).to.equal('created');
    expect(await bare.client.applyIfChanged(PodKind, intent('v1'))).to.equal('created');
    await using h = await new ClientHarness({
      objects: [stored('v1', '5')],
      answer: () => ({ body: stored('v1', '5') }),
    }).watchPods();
    await h.client.applyIfChanged(PodKind, intent('v1'), { fieldManager: 'one' });
    expect(await h.client.applyIfChanged(PodKind, intent('v1'), { fieldManager: 'two' })).to.equal('unchanged');
    const again = stored('v1', '190');
    again.metadata.uid = 'another';
    await h.send(modified(again));
    expect(await h.client.applyIfChanged(PodKind, intent('v1'), { fieldManager: 'two' })).to.not.equal('skipped');
  });
});
