import { Api } from '../support/api.js';
import { EmbeddedServer } from '../support/embedded-server.js';
import { memory, round } from './figures.js';

const AT_ONCE = 16;
const WRITES = 1000;

/** Runs `count` calls, sixteen at a time; answers how long all took, in ms. */
async function timed(count: number, call: (index: number) => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await call(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return performance.now() - begin;
}

const data = { value: 'x'.repeat(900) };
const at = (plural: string): string => `/api/v1/namespaces/default/${plural}`;
const named = (name: string): { metadata: { name: string } } => ({ metadata: { name } });

/** Writes of one kind while more and more objects of another are there, lists and memory of the embedded API server. */
export async function apiServer(print: (text: string) => void): Promise<void> {
  const server = await EmbeddedServer.start({ args: ['--controllers', 'none'] });
  const api = await Api.of(server.kubeconfigPath);
  try {
    let present = 0;
    for (const count of [1000, 10_000, 100_000]) {
      const from = present;
      const made = await timed(count - from, (index) =>
        api.ok('POST', at('configmaps'), { body: { ...named(`c-${from + index}`), data } }),
      );
      const perSecond = round(((count - from) / made) * 1000, 0);
      present = count;
      const other = await timed(WRITES, (index) =>
        api.ok('POST', at('services'), { body: { ...named(`s-${count}-${index}`), spec: { clusterIP: 'None' } } }),
      );
      const { rssMB } = memory(server.pid);
      print(
        `embedded API server, ${count} ConfigMaps of 1 KB: ${perSecond} creates/s · ` +
          `a write of another kind ${round((other / WRITES) * 1000, 0)} µs · memory ${rssMB} MB`,
      );
    }
  } finally {
    api.close();
    await server.stop();
  }
}
