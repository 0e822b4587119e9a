// Prints how long startApiServer() takes in a fresh process, import not counted.
import { startApiServer } from '@kubewright/apiserver';

const begin = performance.now();
const server = await startApiServer();
console.log(`${(performance.now() - begin).toFixed(1)} ms`);
await server.close();
