import { KubewrightError } from '@kubewright/api';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { forObject } from '../handler/for-object.js';
import { anObject, HandInformer, rig } from '../testing/rig.test.js';
import type { Source } from './contract.js';
import { KindSource } from './kind-source.js';
import { LateSource, type LateSourceOptions } from './late-source.js';

const label = 'PodSetController @For(Widget)';
const kind = { group: 'other.example.com', version: 'v1', kind: 'Widget' };
const notServed = new KubewrightError('KW_CLIENT_KIND_NOT_SERVED', 'not served');
const refused = new KubewrightError('KW_TRANSPORT_FAILED', 'refused');

const lateRig = (find: LateSourceOptions['find']) => {
  const source = new LateSource({ label, kind, find });
  const ran: string[] = [];
  const test = rig(({ name }) => void ran.push(name), { start: false, sources: [source] });
  test.controller.connect();
  return { source, test, ran };
};

describe('LateSource', () => {
  it('M13 asks every 10 s until the kind is served, and then is what it found', async () => {
    const informer = new HandInformer();
    const answers: (Error | readonly Source[])[] = [
      refused,
      notServed,
      [new KindSource({ label, handler: forObject(), primary: true, informer })],
    ];
    const { source, test, ran } = lateRig(async () => {
      const answer = answers.shift() as Error | readonly Source[];
      if (answer instanceof Error) throw answer;
      return answer;
    });
    await using _ = test;
    expect(source.stream()).to.include({ state: 'waiting', failures: 0 });
    await test.settle();
    expect(source.stream()).to.include({ state: 'backoff', failures: 1, lastError: refused });
    await test.clock.advance('10s');
    expect(source.stream()).to.include({ state: 'missing', failures: 2 });
    expect(source.isSynced()).to.equal(false);
    await test.clock.advance('10s');
    expect(source.isSynced()).to.equal(false);
    informer.sync();
    await source.synced;
    expect(source.isSynced()).to.equal(true);
    test.controller.start();
    informer.create(anObject('web'));
    await test.settle();
    expect(ran).to.deep.equal(['web']);
    expect(source.holds({ namespace: 'default', name: 'web' })).to.equal(true);
    expect(source.holds({ namespace: 'default', name: 'other' })).to.equal(false);
  });

  it('M13 asks no more once stopped, and starts nothing that it learns after that', async () => {
    const informer = new HandInformer();
    const answer = Promise.withResolvers<readonly Source[]>();
    const { test } = lateRig(() => answer.promise);
    await test[Symbol.asyncDispose]();
    answer.resolve([new KindSource({ label, handler: forObject(), informer })]);
    await test.settle();
    expect(informer.handlers).to.equal(0);
    expect(test.clock.timers).to.equal(0);
  });
});
