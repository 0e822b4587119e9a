import type { EventPredicate, KubernetesObject, ObjectEvent, Wire } from '@kubewright/api';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { anObject } from '../testing/rig.test.js';
import { always, inNamespaces, never, onlyOn, where } from './by-object.js';
import {
  annotationsChanged,
  fieldChanged,
  finalizersChanged,
  generationChanged,
  labelsChanged,
  resourceVersionChanged,
  specChanged,
  statusChanged,
} from './changes.js';
import { matchesLabels } from './matches-labels.js';
import { allOf, anyOf, not, passes, type Predicate } from './predicate.js';

type Meta = Record<string, unknown>;

const object = anObject('web');
const ofEachType: readonly ObjectEvent[] = [
  { type: 'create', object, isInInitialList: false },
  { type: 'update', oldObject: object, newObject: object },
  { type: 'delete', object, deleteStateUnknown: false },
  { type: 'generic', object },
];

const update = (oldObject: Wire<KubernetesObject>, newObject: Wire<KubernetesObject>): ObjectEvent => ({
  type: 'update',
  oldObject,
  newObject,
});
const metaChange = (old: Meta, next: Meta): ObjectEvent => update(anObject('web', old), anObject('web', next));
const partChange = (old: object, next: object): ObjectEvent =>
  update(anObject('web', {}, old), anObject('web', {}, next));
const verdicts = (predicate: EventPredicate): boolean[] => ofEachType.map((event) => passes(predicate, event));

describe('passes', () => {
  it('E2 lets an event pass whose method is missing', () => {
    expect(verdicts({ create: () => false })).to.deep.equal([false, true, true, true]);
    expect(verdicts({})).to.deep.equal([true, true, true, true]);
  });

  it('E2 takes an answer of nothing as no', () => {
    expect(verdicts({ update: () => undefined as unknown as boolean })).to.deep.equal([true, false, true, true]);
  });

  it('E6 throws for a promise, also inside a combination', () => {
    const lazy: EventPredicate = { update: () => Promise.resolve(false) as unknown as boolean };
    expect(() => passes(lazy, update(object, object))).to.throw(TypeError, 'answered a promise');
    expect(() => passes(allOf(always(), lazy), update(object, object))).to.throw(TypeError, 'answered a promise');
  });
});

describe('predicates that look for a change', () => {
  const changes: Record<string, { predicate: Predicate; passing: ObjectEvent[]; dropped: ObjectEvent[] }> = {
    resourceVersionChanged: {
      predicate: resourceVersionChanged(),
      passing: [metaChange({ resourceVersion: '1' }, { resourceVersion: '2' })],
      dropped: [metaChange({ labels: { a: 'b' } }, {})],
    },
    generationChanged: {
      predicate: generationChanged(),
      passing: [
        metaChange({ generation: 1 }, { generation: 2 }),
        metaChange({ generation: 1 }, {}),
        metaChange({}, {}),
        metaChange({ generation: 1, uid: 'a' }, { generation: 1, uid: 'b' }),
        metaChange({ generation: 1 }, { generation: 1, deletionTimestamp: 'now' }),
      ],
      dropped: [
        metaChange({ generation: 1 }, { generation: 1, labels: {} }),
        metaChange({ generation: 1, deletionTimestamp: 'now' }, { generation: 1, deletionTimestamp: 'now' }),
      ],
    },
    labelsChanged: {
      predicate: labelsChanged(),
      passing: [metaChange({ labels: { a: '1' } }, { labels: { a: '2' } }), metaChange({}, { labels: { a: '' } })],
      dropped: [
        metaChange({ labels: {} }, {}),
        metaChange({ labels: { a: '1' } }, { labels: { a: '1' }, generation: 2 }),
      ],
    },
    'labelsChanged of one key': {
      predicate: labelsChanged('a'),
      passing: [metaChange({ labels: { a: '1' } }, {})],
      dropped: [metaChange({ labels: { b: '1' } }, { labels: { b: '2' } })],
    },
    annotationsChanged: {
      predicate: annotationsChanged(),
      passing: [metaChange({}, { annotations: { a: '1' } })],
      dropped: [metaChange({}, { labels: { a: '1' } })],
    },
    finalizersChanged: {
      predicate: finalizersChanged(),
      passing: [metaChange({}, { finalizers: ['x/y'] })],
      dropped: [metaChange({ finalizers: [] }, {}), metaChange({ finalizers: ['x/y'] }, { finalizers: ['x/y'] })],
    },
    specChanged: {
      predicate: specChanged(),
      passing: [partChange({ spec: { a: { b: 1 } } }, { spec: { a: { b: 2 } } })],
      dropped: [partChange({ spec: { a: { b: 1 }, c: 1 } }, { spec: { c: 1, a: { b: 1 } }, status: {} })],
    },
    statusChanged: {
      predicate: statusChanged(),
      passing: [partChange({}, { status: { phase: 'Ready' } })],
      dropped: [partChange({ spec: 1 }, { spec: 2 })],
    },
    fieldChanged: {
      predicate: fieldChanged('spec.list[0]', 'metadata.annotations["x/y"]'),
      passing: [
        partChange({ spec: { list: [{ a: 1 }] } }, { spec: { list: [{ a: 2 }] } }),
        metaChange({ annotations: { 'x/y': '1' } }, {}),
      ],
      dropped: [
        partChange({ spec: { list: [1, 2] } }, { spec: { list: [1, 3] } }),
        partChange({}, { spec: {} }),
        metaChange({}, { annotations: { x: '1' } }),
      ],
    },
  };
  for (const [name, { predicate, passing, dropped }] of Object.entries(changes))
    it(`E3 ${name} judges updates, and passes everything else`, () => {
      expect(passing.map((event) => passes(predicate, event))).to.deep.equal(passing.map(() => true));
      expect(dropped.map((event) => passes(predicate, event))).to.deep.equal(dropped.map(() => false));
      for (const event of ofEachType)
        if (event.type !== 'update') expect(passes(predicate, event), event.type).to.equal(true);
    });

  it('E3 fieldChanged refuses a wrong path when it is made', () => {
    for (const path of ['', '.spec', 'spec.', 'spec..a', 'spec[x]', 'spec[0', '[0]', 'spec a', 'a["b]'])
      expect(() => fieldChanged(path), path)
        .to.throw('is no field path')
        .with.property('code', 'KW_PREDICATE_PATH');
  });
});

describe('predicates that look at the object', () => {
  const front = anObject('web', { labels: { tier: 'front' } });
  const back = anObject('web', { labels: { tier: 'back' } });

  it('E3 matchesLabels passes an object that leaves or enters the selector', () => {
    const predicate = matchesLabels({ tier: 'front' });
    const events = [update(front, back), update(back, front), update(front, front), update(back, back)];
    expect(events.map((event) => passes(predicate, event))).to.deep.equal([true, true, true, false]);
    expect(passes(predicate, { type: 'delete', object: back, deleteStateUnknown: false })).to.equal(false);
  });

  it('E3 matchesLabels refuses a wrong selector when it is made', () => {
    expect(() => matchesLabels('tier in front'))
      .to.throw()
      .with.property('code', 'KW_CLIENT_SELECTOR');
  });

  it('E3 inNamespaces and where go by the object', () => {
    const other = anObject('web', { namespace: 'team-a' });
    expect(verdicts(inNamespaces('default'))).to.deep.equal([true, true, true, true]);
    expect(passes(inNamespaces('default', 'team-b'), { type: 'generic', object: other })).to.equal(false);
    expect(
      passes(
        where(({ metadata }) => metadata.namespace === 'team-a'),
        update(other, object),
      ),
    ).to.equal(true);
  });

  it('E3 onlyOn, always and never do as they say', () => {
    expect(verdicts(onlyOn('create', 'delete'))).to.deep.equal([true, false, true, false]);
    expect(verdicts(always())).to.deep.equal([true, true, true, true]);
    expect(verdicts(never())).to.deep.equal([false, false, false, false]);
  });
});

describe('combined predicates', () => {
  const types = ['create', 'update', 'delete', 'generic'] as const;
  for (const left of [true, false])
    for (const right of [true, false])
      for (const [index, type] of types.entries())
        it(`E4 of ${left} and ${right}, for ${type} events`, () => {
          const event = ofEachType[index] as ObjectEvent;
          const a = where(() => left);
          const b: EventPredicate = { [type]: () => right };
          expect(passes(a.and(b), event)).to.equal(left && right);
          expect(passes(a.or(b), event)).to.equal(left || right);
          expect(passes(a.not(), event)).to.equal(!left);
          expect(passes(allOf(a, b), event)).to.equal(left && right);
          expect(passes(anyOf(a, b), event)).to.equal(left || right);
        });

  it('E4 ask from left to right and no further than needed', () => {
    const asked: string[] = [];
    const say = (name: string, answer: boolean): Predicate =>
      where(() => {
        asked.push(name);
        return answer;
      });
    const event: ObjectEvent = { type: 'generic', object };
    passes(say('a', false).and(say('b', true)), event);
    passes(say('c', true).or(say('d', true)), event);
    expect(asked).to.deep.equal(['a', 'c']);
  });

  it('E4 of none: allOf passes, anyOf drops; not turns a missing method into a drop', () => {
    expect(verdicts(allOf())).to.deep.equal([true, true, true, true]);
    expect(verdicts(anyOf())).to.deep.equal([false, false, false, false]);
    expect(verdicts(not({ create: () => false }))).to.deep.equal([true, false, false, false]);
  });
});
