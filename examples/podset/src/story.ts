import { Client, Controller, For, Owns, type Reconciler, type Request, type Wire } from 'kubewright';
import { V1Pod } from 'kubewright/kinds';
import { PodSet } from './podset.js';

/** What a watcher sees of one PodSet. */
export interface Picture {
  /** Wanted number of Pods; undefined once the PodSet is gone. */
  readonly wanted: number | undefined;
  readonly running: number;
  readonly pending: number;
  readonly terminating: number;
}

/** Tells how PodSets converge, and lets a script wait for it. */
export class Story {
  #picture: Picture = { wanted: undefined, running: 0, pending: 0, terminating: 0 };
  #waiting: { readonly holds: (picture: Picture) => boolean; readonly done: () => void }[] = [];

  /** `tell` gets one line per change. */
  constructor(private readonly tell: (line: string) => void) {}

  show(name: string, picture: Picture): void {
    const line = sentence(name, picture);
    if (line !== sentence(name, this.#picture)) this.tell(line);
    this.#picture = picture;
    const met = this.#waiting.filter(({ holds }) => holds(picture));
    this.#waiting = this.#waiting.filter((waiter) => !met.includes(waiter));
    for (const { done } of met) done();
  }

  /** Resolves when a picture is seen for which `holds` is true. */
  until(holds: (picture: Picture) => boolean): Promise<void> {
    if (holds(this.#picture)) return Promise.resolve();
    return new Promise((done) => {
      this.#waiting.push({ holds, done });
    });
  }
}

function sentence(name: string, { wanted, running, pending, terminating }: Picture): string {
  const parts = [`${running} running`];
  if (pending > 0) parts.push(`${pending} starting`);
  if (terminating > 0) parts.push(`${terminating} terminating`);
  return `${wanted === undefined ? `${name} is deleted` : `${name} wants ${wanted}`}; Pods: ${parts.join(', ')}`;
}

/** Only looks: it watches what the operator watches, and tells the story. */
@Controller({ name: 'story' })
@For(PodSet)
@Owns(V1Pod)
export class StoryController implements Reconciler {
  /** The PodSet's uid outlives it here, so that its last Pods can still be counted. */
  #owner: Wire<PodSet> | undefined;

  constructor(
    private readonly client: Client,
    private readonly story: Story,
  ) {}

  async reconcile(request: Request): Promise<void> {
    const podSet = await this.client.find(PodSet, request);
    this.#owner = podSet ?? this.#owner;
    if (!this.#owner) return;
    const pods = await this.client.list(V1Pod, { ownedBy: this.#owner });
    const count = (test: (pod: Wire<V1Pod>) => boolean): number => pods.filter(test).length;
    this.story.show(request.name, {
      wanted: podSet?.spec.replicas,
      running: count((pod) => !pod.metadata.deletionTimestamp && pod.status?.phase === 'Running'),
      pending: count((pod) => !pod.metadata.deletionTimestamp && pod.status?.phase !== 'Running'),
      terminating: count((pod) => pod.metadata.deletionTimestamp !== undefined),
    });
  }
}
