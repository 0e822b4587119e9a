import { kind, KubernetesResource, type KubernetesObject } from '@kubewright/api';
import { V1ConfigMap, V1Node, V1Pod } from '@kubewright/api/kinds';
import {
  type Class,
  type SourceRecord,
  updateRecord,
  withController,
  withProperty,
  withResource,
  withSource,
} from '@kubewright/metadata';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { rbacFor, type RbacSource } from './rbac.js';
import type { PolicyRule } from './rbac-rules.js';

class Thing extends KubernetesResource {}
updateRecord(Thing, withResource({ group: 'app.example.com', version: 'v1' }));
updateRecord(Thing, withProperty('status', { type: () => Thing, optional: true, status: { subresource: true } }));
class Foreign extends KubernetesResource {}
updateRecord(Foreign, withResource({ group: 'other.example.com', version: 'v1', external: true }));

function controller(name: string, ...sources: Partial<SourceRecord>[]): Class {
  class Made {
    reconcile(): undefined {
      return undefined;
    }
  }
  Object.defineProperty(Made, 'name', { value: name });
  updateRecord(Made, withController({ name: name.toLowerCase() }));
  for (const source of sources.reverse()) updateRecord(Made, withSource({ options: {}, ...source } as SourceRecord));
  return Made;
}

type Role = KubernetesObject & { rules: PolicyRule[] };
const rolesOf = (source: RbacSource): Role[] =>
  rbacFor(source).objects.filter((object): object is Role => 'rules' in object);
const linesOf = (role: Role | undefined): string[] =>
  (role?.rules ?? []).map(
    ({ apiGroups, resources, verbs }) => `${apiGroups.join()}/${resources.join()}: ${verbs.join(' ')}`,
  );

describe('RBAC of an operator', () => {
  const handler = { create: () => undefined };
  const all = controller(
    'All',
    { role: 'For', kind: Thing },
    { role: 'Owns', kind: V1Pod },
    { role: 'Owns', kind: V1ConfigMap },
    { role: 'Watches', kind: V1Node, options: { handler } },
  );

  it('§4 grants what the decorators need; RBAC-2 merged and in order', () => {
    const [role] = rolesOf({ name: 'x', controllers: [all] });
    expect(role?.kind).to.equal('ClusterRole');
    expect(linesOf(role)).to.deep.equal([
      '/configmaps,pods: get list watch create update patch delete',
      '/nodes: get list watch',
      'app.example.com/things: get list watch update patch',
      'app.example.com/things/finalizers: update',
      'app.example.com/things/status: update patch',
    ]);
  });

  it('kinds of other people are only read', () => {
    const [role] = rolesOf({ controllers: [controller('Other', { role: 'For', kind: Foreign })] });
    expect(linesOf(role)).to.deep.equal(['other.example.com/foreigns: get list watch']);
  });

  it('RBAC-1 namespaces get a Role and a binding each, cluster-scoped kinds a ClusterRole', () => {
    const { objects } = rbacFor({ name: 'x', controllers: [all], namespaces: ['a', 'b'] }, { namespace: 'ops' });
    expect(objects.map((object) => `${object.kind} ${object.metadata?.namespace ?? ''}`)).to.deep.equal([
      'ServiceAccount ops',
      'ClusterRole ',
      'ClusterRoleBinding ',
      'Role a',
      'RoleBinding a',
      'Role b',
      'RoleBinding b',
    ]);
    expect(linesOf(objects[1] as Role)).to.deep.equal(['/nodes: get list watch']);
    expect(linesOf(objects[3] as Role)).to.have.length(4);
    expect(objects[4]).to.deep.include({ subjects: [{ kind: 'ServiceAccount', name: 'x', namespace: 'ops' }] });
  });

  it('RBAC-3 each rule knows where it comes from', () => {
    const also = controller('Also', { role: 'Watches', kind: V1Node, options: { handler } });
    const { objects, comments } = rbacFor({ controllers: [all, also] });
    const role = objects[1] as Role;
    expect(role.rules.map((rule) => comments.get(rule)).slice(0, 2)).to.deep.equal([
      '@Owns(ConfigMap): All, @Owns(Pod): All',
      '@Watches(Node): All, @Watches(Node): Also',
    ]);
  });

  it('RBAC-4 a kind without plural is a fault', () => {
    const token = kind({ group: 'g.example.com', version: 'v1', kind: 'Widget' });
    expect(() => rbacFor({ controllers: [controller('W', { role: 'For', kind: token })] })).to.throw(
      /^the operator cannot start:\n {2}W: @For\(Widget\) names a kind without plural and scope/,
    );
  });
});
