import { expect } from 'chai';
import { describe, it } from 'mocha';
import {
  Client,
  type Context,
  Controller,
  createOperator,
  type EventHandler,
  type EventPredicate,
  type Enqueue,
  For,
  generationChanged,
  kind,
  KubernetesResource,
  labelsChanged,
  Owns,
  Predicate,
  type Reconciler,
  type Request,
  Resource,
  Result,
  type UpdateEvent,
  Watches,
  type Wire,
} from './index.js';
import { V1Node, V1Pod } from './kinds.js';

interface AgentSpec {
  readonly image: string;
}

@Resource({ group: 'app.example.com', version: 'v1alpha1' })
class NodeAgent extends KubernetesResource {
  spec!: AgentSpec;
}

const Widget = kind<KubernetesResource & { spec: { size: number } }>({
  group: 'other.example.com',
  version: 'v1',
  kind: 'Widget',
});

@Predicate()
class PodPhaseChanged implements EventPredicate<V1Pod> {
  update({ oldObject, newObject }: UpdateEvent<V1Pod>): boolean {
    return oldObject.status?.phase !== newObject.status?.phase;
  }
}

class NodeToAgents implements EventHandler<V1Node> {
  update({ newObject }: UpdateEvent<V1Node>, enqueue: Enqueue): void {
    if (newObject.spec?.unschedulable)
      enqueue({ name: newObject.metadata.name, namespace: 'default' }, { priority: 10 });
  }
}

@Controller({ maxConcurrentReconciles: 4, reconcileTimeout: '2m', coalesce: { window: '100ms' } })
@For(NodeAgent, { selector: { tier: 'agent' }, index: { byImage: (agent) => [agent.spec.image] } })
@Owns(V1Pod, { predicates: [PodPhaseChanged] })
@Owns(() => Widget)
@Watches(V1Node, { handler: NodeToAgents })
@Predicate(generationChanged().or(labelsChanged()))
class NodeAgentController implements Reconciler {
  constructor(private readonly client: Client) {}

  @Watches(V1Node)
  agentsOn(node: Wire<V1Node>): Request[] {
    return [{ namespace: 'default', name: `agent-${node.metadata.name}` }];
  }

  @Watches(V1Pod)
  async nothing(): Promise<undefined> {
    return undefined;
  }

  async reconcile(request: Request, context: Context): Promise<Result> {
    const agent = await this.client.find(NodeAgent, request);
    context.logger.debug({ image: agent?.spec.image }, 'seen');
    return Result.requeueAfter('10m');
  }
}

describe('the public API by example', () => {
  it('§2 §3 §4 the classes of the page compile, and make an operator without a fault', async () => {
    const kubeConfig = {
      'current-context': 'test',
      clusters: [{ name: 'test', cluster: { server: 'http://127.0.0.1:1' } }],
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
      users: [{ name: 'test', user: {} }],
    };
    await using operator = await createOperator({
      name: 'examples',
      controllers: [NodeAgentController],
      namespaces: ['team-a'],
      kubeConfig,
      environment: false,
      logLevel: 'silent',
      signals: false,
    });
    expect(operator.name).to.equal('examples');
  });

  it('wrong types are refused by the compiler', () => {
    // @ts-expect-error a handler of Pods cannot handle Nodes' options object of another shape
    Watches(V1Node, { handlers: NodeToAgents });
    class Refused {
      // @ts-expect-error a mapping method answers requests
      @Watches(V1Node)
      wrong(node: Wire<V1Node>): number {
        return node.metadata.name.length;
      }
    }
    expect(Refused).to.be.a('function');
    // @ts-expect-error group is needed
    expect(() => Resource({ version: 'v1' })).not.to.throw();
  });
});
