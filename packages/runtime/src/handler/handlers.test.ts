import type { EventHandler, KindInfo, ObjectEvent, Request } from '@kubewright/api';
import { requestKey } from '@kubewright/api';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { anObject, PodSetKind } from '../testing/rig.test.js';
import { forMapping } from './for-mapping.js';
import { forObject } from './for-object.js';
import { forOwner } from './for-owner.js';

async function keysFor(handler: EventHandler, event: ObjectEvent): Promise<string[]> {
  const keys: string[] = [];
  const enqueue = (request: Request): void => void keys.push(requestKey(request));
  if (event.type === 'create') await handler.create?.(event, enqueue);
  if (event.type === 'update') await handler.update?.(event, enqueue);
  if (event.type === 'delete') await handler.delete?.(event, enqueue);
  if (event.type === 'generic') await handler.generic?.(event, enqueue);
  return keys;
}

const owner = (name: string, more: object = {}): object => ({
  apiVersion: 'app.example.com/v1alpha1',
  kind: 'PodSet',
  name,
  uid: `uid-${name}`,
  controller: true,
  ...more,
});
const owned = (...ownerReferences: object[]): ReturnType<typeof anObject> => anObject('pod', { ownerReferences });

describe('forObject', () => {
  it('E7 asks for the object itself, once for each event', async () => {
    const object = anObject('web');
    const node = anObject('node-1', { namespace: undefined });
    const events: ObjectEvent[] = [
      { type: 'create', object, isInInitialList: true },
      { type: 'update', oldObject: object, newObject: object },
      { type: 'delete', object, deleteStateUnknown: true },
      { type: 'generic', object: node },
    ];
    const keys = await Promise.all(events.map((event) => keysFor(forObject(), event)));
    expect(keys).to.deep.equal([['default/web'], ['default/web'], ['default/web'], ['node-1']]);
  });
});

describe('forOwner', () => {
  const create = (object: ReturnType<typeof anObject>): ObjectEvent => ({
    type: 'create',
    object,
    isInInitialList: false,
  });

  it('E8 asks for the controlling owner, whatever its version and uid', async () => {
    const pod = owned(owner('web', { apiVersion: 'app.example.com/v2', uid: 'another' }));
    expect(await keysFor(forOwner(PodSetKind), create(pod))).to.deep.equal(['default/web']);
  });

  it('E8 gives one request for three references, or three with controllerOnly off', async () => {
    const pod = owned(owner('a'), owner('b', { controller: false }), owner('c', { controller: undefined }));
    expect(await keysFor(forOwner(PodSetKind), create(pod))).to.deep.equal(['default/a']);
    expect(await keysFor(forOwner(PodSetKind, { controllerOnly: false }), create(pod))).to.deep.equal([
      'default/a',
      'default/b',
      'default/c',
    ]);
  });

  it('E8 knows a kind by its group too', async () => {
    const pod = owned(owner('web', { apiVersion: 'other.example.com/v1' }), owner('db', { kind: 'Database' }));
    expect(await keysFor(forOwner(PodSetKind, { controllerOnly: false }), create(pod))).to.deep.equal([]);
    expect(await keysFor(forOwner(PodSetKind), create(anObject('orphan')))).to.deep.equal([]);
  });

  it('E8 asks without namespace for a cluster-scoped owner', async () => {
    const cluster: KindInfo = { ...PodSetKind, scope: 'Cluster' };
    expect(await keysFor(forOwner(cluster), create(owned(owner('web'))))).to.deep.equal(['web']);
  });

  it('E8 asks for the owners of both states of an update, each once', async () => {
    const moved: ObjectEvent = { type: 'update', oldObject: owned(owner('a')), newObject: owned(owner('b')) };
    const kept: ObjectEvent = { type: 'update', oldObject: owned(owner('a')), newObject: owned(owner('a')) };
    expect(await keysFor(forOwner(PodSetKind), moved)).to.deep.equal(['default/a', 'default/b']);
    expect(await keysFor(forOwner(PodSetKind), kept)).to.deep.equal(['default/a']);
  });
});

describe('forMapping', () => {
  const byLabel = forMapping(({ metadata }) =>
    (metadata.labels?.['for'] ?? '')
      .split(' ')
      .filter(Boolean)
      .map((name) => ({ name })),
  );
  const labelled = (names: string): ReturnType<typeof anObject> => anObject('node', { labels: { for: names } });

  it('E9 maps both states of an update and unites the answers', async () => {
    const event: ObjectEvent = { type: 'update', oldObject: labelled('a b'), newObject: labelled('b c') };
    expect(await keysFor(byLabel, event)).to.deep.equal(['a', 'b', 'c']);
  });

  it('E9 maps the last known state of a delete', async () => {
    const event: ObjectEvent = { type: 'delete', object: labelled('a'), deleteStateUnknown: true };
    expect(await keysFor(byLabel, event)).to.deep.equal(['a']);
  });

  it('E9 takes nothing, one request, lists and promises of them', async () => {
    const event: ObjectEvent = { type: 'generic', object: labelled('') };
    const answers = [undefined, null, [], { name: 'x' }, [{ name: 'x' }, { name: 'y' }]];
    const expected = [[], [], [], ['x'], ['x', 'y']];
    expect(
      await Promise.all(
        answers.map((answer) =>
          keysFor(
            forMapping(() => answer),
            event,
          ),
        ),
      ),
    ).to.deep.equal(expected);
    const later = answers.map((answer) =>
      keysFor(
        forMapping(() => Promise.resolve(answer)),
        event,
      ),
    );
    expect(await Promise.all(later)).to.deep.equal(expected);
  });

  it('E9 waits for both states when the mapping is asynchronous', async () => {
    const slow = forMapping(async ({ metadata }) => ({ name: metadata.labels?.['for'] ?? '' }));
    const event: ObjectEvent = { type: 'update', oldObject: labelled('a'), newObject: labelled('b') };
    expect(await keysFor(slow, event)).to.deep.equal(['a', 'b']);
  });
});
