import { expect } from 'chai';
import { describe, it } from 'mocha';
import { PodSetKind } from '../testing/rig.test.js';
import type { Transport, TransportRequest } from '../transport/contract.js';
import { ClusterDiagnostics } from './cluster-diagnostics.js';

type Answer = [status: number, body: unknown] | undefined;

function arrange(answer: (request: TransportRequest) => Answer): {
  asked: TransportRequest[];
  diagnostics: ClusterDiagnostics;
} {
  const asked: TransportRequest[] = [];
  const transport: Transport = {
    async send(request) {
      asked.push(request);
      const given = answer(request);
      if (given === undefined) throw new Error('connection refused');
      return {
        status: given[0],
        headers: {},
        body: typeof given[1] === 'string' ? given[1] : JSON.stringify(given[1]),
      };
    },
    stream: () => Promise.reject(new Error('not asked for')),
    close: () => Promise.resolve(),
  };
  return { asked, diagnostics: new ClusterDiagnostics(transport) };
}

describe('ClusterDiagnostics', () => {
  it('M12 finds the versions that serve a kind', async () => {
    const group = { versions: [{ version: 'v1' }, { version: 'v1alpha1' }, { version: 'v1beta1' }] };
    const { diagnostics } = arrange(({ path }) => {
      if (path === '/apis/app.example.com') return [200, group];
      if (path === '/apis/app.example.com/v1beta1') return [503, 'busy'];
      return [200, { resources: path.endsWith('/v1') ? [{ kind: 'PodSet' }] : [{ kind: 'Other' }] }];
    });
    expect(await diagnostics.servedVersions(PodSetKind)).to.deep.equal(['v1']);
  });

  it('M12 knows the core group, and tells a missing group from one it may not read', async () => {
    const core = arrange(({ path }) => [
      200,
      path === '/api' ? { versions: ['v1'] } : { resources: [{ kind: 'Pod' }] },
    ]);
    expect(await core.diagnostics.servedVersions({ ...PodSetKind, group: '', kind: 'Pod' })).to.deep.equal(['v1']);
    expect(await arrange(() => [404, 'not found']).diagnostics.servedVersions(PodSetKind)).to.deep.equal([]);
    expect(await arrange(() => [403, 'no']).diagnostics.servedVersions(PodSetKind)).to.equal(undefined);
    expect(await arrange(() => undefined).diagnostics.servedVersions(PodSetKind)).to.equal(undefined);
  });

  it('M11 asks once for each of get, list and watch, past the line', async () => {
    const { asked, diagnostics } = arrange(({ body }) => {
      const { verb } = (JSON.parse(body ?? '') as { spec: { resourceAttributes: { verb: string } } }).spec
        .resourceAttributes;
      return [201, { status: { allowed: verb === 'get' } }];
    });
    expect(await diagnostics.missingVerbs(PodSetKind, 'team-a')).to.deep.equal(['list', 'watch']);
    expect(asked.map(({ urgent }) => urgent)).to.deep.equal([true, true, true]);
    expect(JSON.parse(asked[1]?.body ?? '')).to.deep.equal({
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: {
        resourceAttributes: {
          group: 'app.example.com',
          version: 'v1alpha1',
          resource: 'podsets',
          verb: 'list',
          namespace: 'team-a',
        },
      },
    });
  });

  it('M11 says nothing where reviews are refused', async () => {
    expect(await arrange(() => [403, 'no']).diagnostics.missingVerbs(PodSetKind, undefined)).to.equal(undefined);
  });
});
