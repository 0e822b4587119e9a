import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApiServer } from '@kubewright/apiserver';
import { crdFor, rbacFor } from '@kubewright/manifests';
import { expect } from 'chai';
import { createOperator, type KubewrightError } from 'kubewright';
import { V1Pod } from 'kubewright/kinds';
import { describe, it } from 'mocha';
import definition from './operator.js';
import { PodSet } from './podset.js';
import { Story, StoryController } from './story.js';

const ACCOUNT = {
  user: 'system:serviceaccount:podset-operator-system:podset-operator',
  groups: ['system:serviceaccounts', 'system:serviceaccounts:podset-operator-system'],
};

describe('the rights of the PodSet operator', function () {
  this.timeout(10_000);

  it('RBAC-7 are enough: it works under its own account, which before could do nothing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kubewright-rbac-'));
    const server = await startApiServer({ controllers: 'all', auth: 'rbac', podGraceMs: 50 });
    try {
      const write = (name: string, kubeconfig: ReturnType<typeof server.kubeconfig>): string => {
        kubeconfig.write(join(folder, name));
        return join(folder, name);
      };
      const common = { signals: false, logLevel: 'silent', environment: false } as const;
      const asAdmin = { ...common, kubeConfig: write('admin', server.kubeconfig()) };
      const asAccount = { ...common, kubeConfig: write('account', server.kubeconfig(ACCOUNT)) };
      const story = new Story(() => undefined);
      const narrator = await createOperator({
        ...asAdmin,
        controllers: [StoryController],
        bindings: (container) => container.bind(Story).toConstantValue(story),
      });
      await narrator.client.apply(crdFor(PodSet));

      const refused = await createOperator({ ...definition, ...asAccount, cacheSyncTimeout: 200 });
      const error = await refused.start().then(
        () => undefined,
        (reason: KubewrightError) => reason,
      );
      expect(error?.message).to.match(
        /PodSetController @Owns\(Pod\) needs get, list, watch on pods \(core\) in all namespaces/,
      );

      for (const object of rbacFor(definition).objects) {
        if (object.kind !== 'ServiceAccount') await narrator.client.apply(object);
      }
      const operator = await createOperator({ ...definition, ...asAccount });
      const running = Promise.all([operator.start(), narrator.start()]);
      const podSet = await narrator.client.create({
        apiVersion: 'app.example.com/v1alpha1',
        kind: 'PodSet',
        metadata: { namespace: 'default', name: 'example' },
        spec: { replicas: 2 },
      });
      await Promise.race([story.until((picture) => picture.running === 2), running]);
      await narrator.client.patch(podSet, { spec: { replicas: 1 } });
      await Promise.race([story.until((picture) => picture.running === 1 && picture.terminating === 0), running]);
      expect(await narrator.client.live.list(V1Pod, { namespace: 'default' })).to.have.length(1);
      await Promise.all([operator.stop(), narrator.stop()]);
      await running;
    } finally {
      await server.close();
      rmSync(folder, { recursive: true });
    }
  });
});
