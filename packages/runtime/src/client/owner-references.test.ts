import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { KubernetesObject } from '@kubewright/api';
import {
  controllerOf,
  isControlledBy,
  isOwnedBy,
  removeControllerReference,
  removeOwnerReference,
  setControllerReference,
  setOwnerReference,
} from './owner-references.js';

const owner = (extra: object = {}): KubernetesObject => ({
  apiVersion: 'app.example.com/v1',
  kind: 'PodSet',
  metadata: { name: 'web', namespace: 'team-a', uid: 'u1', ...extra },
});
const object = (extra: object = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web-0', namespace: 'team-a', ...extra },
});

describe('owner references', () => {
  it('L26 makes one entry, twice gives one, and a recreated owner gets its new uid in place', () => {
    const pod = setControllerReference(owner(), object());
    setControllerReference(owner(), pod);
    const reference = {
      apiVersion: 'app.example.com/v1',
      kind: 'PodSet',
      name: 'web',
      uid: 'u1',
      controller: true,
      blockOwnerDeletion: true,
    };
    expect(pod.metadata?.ownerReferences).to.deep.equal([reference]);
    setOwnerReference({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', uid: 'u9' } }, pod);
    setControllerReference({ ...owner({ uid: 'u2' }), apiVersion: 'app.example.com/v2' }, pod, {
      blockOwnerDeletion: false,
    });
    expect(pod.metadata?.ownerReferences?.map(({ uid }) => uid)).to.deep.equal(['u2', 'u9']);
    expect(pod.metadata?.ownerReferences?.[1]).to.not.have.any.keys('controller', 'blockOwnerDeletion');
  });

  it('L27 says exactly what is wrong', () => {
    const text = (...args: Parameters<typeof setControllerReference>): string => {
      try {
        setControllerReference(...args);
      } catch (error) {
        return (error as Error).message;
      }
      return 'accepted';
    };
    expect(text({ ...owner(), metadata: { name: 'web', namespace: 'team-a' } }, object())).to.equal(
      'owner PodSet team-a/web has no metadata.uid; pass it as read from the API server',
    );
    const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'web' } };
    expect(text(owner(), role)).to.equal(
      'PodSet team-a/web cannot own ClusterRole web: a cluster-scoped object needs a cluster-scoped owner',
    );
    expect(text(owner(), object({ namespace: 'team-b' }))).to.equal(
      'PodSet team-a/web cannot own Pod team-b/web-0: owner and object must be in one namespace',
    );
    const taken = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: '7f', controller: true };
    expect(text(owner(), object({ ownerReferences: [taken] }))).to.equal(
      'Pod team-a/web-0 already has the controller ReplicaSet web (uid 7f)',
    );
    expect(text({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', uid: 'u' } }, object())).to.equal('accepted');
  });

  it('L28 compares by uid, and says when there is nothing to remove', () => {
    const pod = setOwnerReference(owner(), object());
    expect([isOwnedBy(pod, owner()), isControlledBy(pod, owner()), isOwnedBy(pod, owner({ uid: 'u2' }))]).to.deep.equal(
      [true, false, false],
    );
    expect(() => removeControllerReference(owner(), pod))
      .to.throw()
      .with.property('code', 'KW_OWNER_ABSENT');
    expect(removeOwnerReference(owner(), pod).metadata?.ownerReferences).to.deep.equal([]);
    expect(() => removeOwnerReference(owner(), pod))
      .to.throw()
      .with.property('code', 'KW_OWNER_ABSENT');
    expect(controllerOf(pod)).to.equal(undefined);
  });
});
