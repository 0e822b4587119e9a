// What `npm start` runs: the PodSet operator against an API server that lives in this process.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startApiServer } from '@kubewright/apiserver';
import { crdFor } from '@kubewright/manifests';
import { createOperator, type Operator } from 'kubewright';
import definition from './operator.js';
import { PodSet } from './podset.js';
import { type Picture, Story, StoryController } from './story.js';

const USAGE = `usage: npm start [-- --once] [--verbose] [--kubeconfig FILE]
  --once             plays the story to its end (three Pods, five, none) and exits
  --verbose          shows the operator's own log as well
  --kubeconfig FILE  where the kubeconfig is written (default .kubewright/podset.kubeconfig)`;
const flags = readFlags();

/** Ctrl-C at any moment, or a reader of the output that has gone (`npm start | head`). */
class Interrupted extends Error {}
const interrupted = new Promise<never>((_, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => reject(new Interrupted(signal)));
  process.stdout.on('error', () => reject(new Interrupted('nobody reads the output')));
});
interrupted.catch(() => undefined);

const say = (line: string): void => console.log(`${(performance.now() / 1000).toFixed(2).padStart(6)} s  ${line}`);

const isConverged =
  (wanted: number) =>
  (picture: Picture): boolean =>
    picture.wanted === wanted && picture.running === wanted && picture.pending + picture.terminating === 0;
const isGone = (picture: Picture): boolean =>
  picture.wanted === undefined && picture.running + picture.pending + picture.terminating === 0;

const server = await startApiServer({ controllers: 'all' });
say(`An embedded Kubernetes API server is ready at ${server.url}. It runs no containers: Pods only change status.`);
const access = server.kubeconfig();
const kubeconfig = resolve(flags.kubeconfig);
const running: Operator[] = [];
try {
  access.write(kubeconfig);
  await Promise.race([play(), interrupted]);
} catch (error) {
  if (error instanceof Interrupted) {
    console.log();
    if (flags.once) process.exitCode = 130;
  } else {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
} finally {
  await Promise.all(running.map((operator) => operator.stop()));
  await server.close();
  access.remove(kubeconfig);
}
say('Everything is stopped.');

async function play(): Promise<void> {
  const story = new Story(say);
  const common = { kubeConfig: kubeconfig, logLevel: flags.verbose ? 'debug' : 'warn', signals: false } as const;
  const operator = await createOperator({ ...definition, ...common });
  running.push(operator);
  // A second operator in the same process, which only looks.
  const narrator = await createOperator({
    name: 'narrator',
    controllers: [StoryController],
    bindings: (container) => container.bind(Story).toConstantValue(story),
    ...common,
  });
  running.push(narrator);
  await operator.client.apply(crdFor(PodSet));
  say('The CRD podsets.app.example.com is installed, generated from the class PodSet.');
  await Promise.race([tellStory(operator, story), Promise.all(running.map((each) => each.start()))]);
}

function readFlags(): { once: boolean; verbose: boolean; kubeconfig: string } {
  const options = {
    once: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
    kubeconfig: { type: 'string', default: '.kubewright/podset.kubeconfig' },
  } as const;
  try {
    const { values } = parseArgs({ options });
    if (!values.help) return values;
    console.log(USAGE);
    process.exit(0);
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`);
    process.exit(2);
  }
}

async function tellStory(operator: Operator, story: Story): Promise<void> {
  await operator.ready;
  say('The PodSet operator is running.');
  say('Now PodSet default/example-podset is created: three replicas, please.');
  const began = performance.now();
  const podSet = await operator.client.create({
    apiVersion: 'app.example.com/v1alpha1',
    kind: 'PodSet',
    metadata: { namespace: 'default', name: 'example-podset' },
    spec: { replicas: 3 },
  });
  await story.until(isConverged(3));
  say(`Converged after ${((performance.now() - began) / 1000).toFixed(2)} s.`);
  if (!flags.once) {
    console.log(`\nNow type in another terminal:\n\n  export KUBECONFIG=${kubeconfig}\n  kubectl get podsets,pods\n`);
    console.log('Ctrl-C ends it.');
    await interrupted;
  }
  say('Now it is scaled to five.');
  await operator.client.patch(podSet, { spec: { replicas: 5 } });
  await story.until(isConverged(5));
  say('Now the PodSet is deleted; the garbage collector takes its Pods.');
  await operator.client.delete(podSet);
  await story.until(isGone);
  say('All is gone.');
}
