import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { World } from '../harness.test.js';
import type { Seen } from '../harness.test.js';
import { isStatusError } from './errors.js';
import type { KubeObject, ListResult } from './types.js';

type Step = { name: string; on: boolean } & (
  { do: 'create' | 'label' | 'delete' | 'hold' | 'release' } | { do: 'list'; limit: number }
);

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constantFrom<'create' | 'label' | 'delete' | 'hold' | 'release'>(
      'create',
      'label',
      'delete',
      'hold',
      'release',
    ),
    name: fc.constantFrom('a', 'b', 'c', 'd'),
    on: fc.boolean(),
  }),
  fc.record({
    do: fc.constant<'list'>('list'),
    name: fc.constant(''),
    on: fc.boolean(),
    limit: fc.integer({ min: 1, max: 3 }),
  }),
);

/** A client's copy of a selection: what a list showed, brought forward by the watch that began at its revision. */
interface Copy {
  readonly list: ListResult;
  readonly watch: Seen;
  readonly selector: string | undefined;
}

const name = (object: KubeObject): string => object.metadata.name as string;

async function run(world: World, { do: what, name: target, on }: Exclude<Step, { do: 'list' }>): Promise<void> {
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: target } };
  try {
    if (what === 'create') await world.configMap(target, { metadata: { name: target, labels: { on: String(on) } } });
    else if (what === 'label') await world.patch(map, { metadata: { labels: { on: String(on) } } });
    else if (what === 'delete') await world.delete(map);
    else if (what === 'hold') await world.patch(map, { metadata: { finalizers: ['example.com/hold'] } });
    else await world.patch(map, { metadata: { finalizers: null } });
  } catch (error) {
    // Exists already, is missing, or is being deleted: the sequence goes on.
    if (!isStatusError(error)) throw error;
  }
}

/** All pages of a list, with what happens between them happening. */
async function listInPages(
  world: World,
  { selector, limit }: { selector: string | undefined; limit: number },
): Promise<ListResult> {
  const first = await world.list('v1', 'ConfigMap', { labelSelector: selector, limit });
  const items = [...first.items];
  for (let next = first.continue; next !== undefined;) {
    await run(world, { do: 'label', name: 'b', on: items.length % 2 === 0 });
    const page = await world.list('v1', 'ConfigMap', { labelSelector: selector, limit, continue: next });
    expect(page.resourceVersion).to.equal(first.resourceVersion);
    items.push(...page.items);
    next = page.continue;
  }
  for (const { metadata } of items)
    expect(Number(metadata.resourceVersion)).to.be.at.most(Number(first.resourceVersion));
  return { items, resourceVersion: first.resourceVersion };
}

function bringForward({ list, watch }: Copy): Map<string, string> {
  const copy = new Map(list.items.map((item) => [name(item), item.metadata.resourceVersion as string]));
  let revision = Number(list.resourceVersion);
  for (const { type, object } of watch.raw) {
    const { metadata } = object as KubeObject;
    expect(Number(metadata.resourceVersion)).to.be.greaterThan(revision);
    revision = Number(metadata.resourceVersion);
    const known = copy.has(metadata.name as string);
    expect([type, known]).to.deep.be.oneOf([
      ['ADDED', false],
      ['MODIFIED', true],
      ['DELETED', true],
    ]);
    if (type === 'DELETED') copy.delete(metadata.name as string);
    else copy.set(metadata.name as string, metadata.resourceVersion as string);
  }
  return copy;
}

describe('lists and watches together', () => {
  it('WA-2 WA-4 MG-8 MG-9 a list in pages and a watch from its revision add up to the present, whatever happens', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }), async (steps) => {
        const world = await World.open();
        const copies: Copy[] = [];
        for (const next of steps) {
          if (next.do !== 'list') {
            await run(world, next);
            continue;
          }
          const selector = next.on ? 'on=true' : undefined;
          const list = await listInPages(world, { selector, limit: next.limit });
          const watch = await world.watch('v1', 'ConfigMap', {
            labelSelector: selector,
            resourceVersion: list.resourceVersion,
          });
          copies.push({ list, watch, selector });
        }
        for (const copy of copies) {
          const present = await world.list('v1', 'ConfigMap', { labelSelector: copy.selector });
          const wanted = present.items.map((item) => [name(item), item.metadata.resourceVersion]);
          expect([...bringForward(copy)].sort(([a], [b]) => (a < b ? -1 : 1))).to.deep.equal(wanted);
        }
        world.close();
      }),
      { numRuns: 60 },
    );
  });
});
