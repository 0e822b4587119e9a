import type { V1Pod as PodModel } from '@kubernetes/client-node';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { Client } from './client.js';
import type { V1Pod } from './kinds.js';
import { type Draft, kind, KubernetesResource, type Wire } from './object.js';

class Widget extends KubernetesResource {
  spec!: { size: number };
  status?: { ready: boolean };
  describe(): string {
    return `${this.metadata.name} ${this.spec.size}`;
  }
}

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <T extends true>(): T | undefined => undefined;

/** Compiled, never run: the calls that authors write. */
export async function calls(client: Client): Promise<number> {
  const widget = await client.get(Widget, { namespace: 'a', name: 'b' });
  await client.status(widget).patch({ ready: true });
  // @ts-expect-error a member the status does not have
  await client.status(widget).patch({ redy: true });
  // @ts-expect-error the spec lacks its required member
  await client.create(Widget, { metadata: { name: 'b' }, spec: {} });
  return (await client.create(Widget, { metadata: { name: 'b' }, spec: { size: 3 } })).spec.size;
}

describe('object types', () => {
  it('a timestamp on the wire is a string, metadata is always there', () => {
    holds<Equal<NonNullable<Wire<V1Pod>['status']>['startTime'], string | undefined>>();
    holds<Equal<Wire<PodModel>['metadata']['uid'], string>>();
    const pod: Draft<V1Pod> = { metadata: { generateName: 'x' }, spec: { containers: [{ name: 'c' }] } };
    expect(pod.spec?.containers).to.have.length(1);
  });

  it('methods of a resource class are not on the wire', () => {
    holds<Equal<keyof Wire<Widget>, 'apiVersion' | 'kind' | 'metadata' | 'spec' | 'status'>>();
    // @ts-expect-error objects are plain JSON, they have no methods
    const call = (widget: Wire<Widget>): string => widget.describe();
    expect(() => call({} as Wire<Widget>)).to.throw(TypeError);
  });

  it('kind() makes a frozen token', () => {
    const token = kind<{ spec: { a: string } }>({ group: 'g', version: 'v1', kind: 'K' });
    expect(token).to.deep.equal({ group: 'g', version: 'v1', kind: 'K' });
    expect(Object.isFrozen(token)).to.equal(true);
  });
});
