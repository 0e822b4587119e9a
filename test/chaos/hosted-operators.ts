import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createOperator, type OperatorOptions } from 'kubewright';
import { inRepository } from '../support/paths.js';

// One PodSet operator for each argument `namespace=kubeconfig`. SIGUSR2: measures itself. SIGTERM: stops them all.
const example = pathToFileURL(inRepository('examples/podset/dist/podset.controller.js')).href;
const { PodSetController } = (await import(example)) as { PodSetController: OperatorOptions['controllers'][number] };

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

let measured = 0;
process.on('SIGUSR2', () => {
  collect();
  const sockets = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
  console.log(`measured ${++measured}: ${JSON.stringify({ heap: process.memoryUsage().heapUsed, sockets })};`);
});

const operators = await Promise.all(
  process.argv.slice(2).map((argument) => {
    const [namespace = '', kubeConfig = ''] = argument.split('=');
    return createOperator({
      name: namespace,
      controllers: [PodSetController],
      namespaces: [namespace],
      kubeConfig,
      logLevel: 'warn',
      signals: false,
      environment: false,
      cacheSyncTimeout: '5m',
    });
  }),
);
process.once('SIGTERM', () => void Promise.all(operators.map((operator) => operator.stop())));
console.log('hosting;');
await Promise.all(operators.map((operator) => operator.start()));
