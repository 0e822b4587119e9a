import { CoreV1Event, EventsV1Event, V1Deployment, V1Pod } from '@kubernetes/client-node';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { builtinKind, builtinKindOfClass } from './builtin-kinds.js';
import * as kinds from './kinds.js';

describe('built-in kinds', () => {
  it('knows the model classes of client-node', () => {
    expect(builtinKindOfClass(V1Pod)).to.include({
      group: '',
      version: 'v1',
      kind: 'Pod',
      plural: 'pods',
      scope: 'Namespaced',
    });
    expect(builtinKindOfClass(V1Deployment)).to.include({ group: 'apps', plural: 'deployments', hasStatus: true });
    expect(builtinKindOfClass(CoreV1Event)?.group).to.equal('');
    expect(builtinKindOfClass(EventsV1Event)?.group).to.equal('events.k8s.io');
  });

  it('does not take a class of the same name for a model class', () => {
    class V1Pod {}
    expect(builtinKindOfClass(V1Pod)).to.equal(undefined);
  });

  it('offers the same kinds as light tokens', () => {
    expect(kinds.V1Pod).to.equal(builtinKindOfClass(V1Pod));
    expect(builtinKind({ group: 'apps', version: 'v1', kind: 'Deployment' })).to.equal(kinds.V1Deployment);
  });
});
