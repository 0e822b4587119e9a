import { setTimeout as pause } from 'node:timers/promises';
import { isWatch } from './connection-faults.js';
import type { Mangle } from './exchange.js';
import { type Fault, statusText } from './fault.js';

/** The events of a watch as lines, each with its line break, whatever the pieces were. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    // The servers under test write ASCII here; a split character would only be told twice as a wrong one.
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield `${line}\n`;
  }
}

/** Changes what is told, event by event. */
const events = (tell: (line: string, index: number) => Iterable<string> | AsyncIterable<string>): Mangle =>
  async function* (chunks) {
    let index = 0;
    for await (const line of linesOf(chunks))
      for await (const told of tell(line, index++)) yield Buffer.from(told, 'latin1');
  };

/** Tells `line` after the first event, and what the server has to say after that. */
const inserted = (line: string): Mangle => events((told, index) => (index === 0 ? [told, line] : [told]));

const errorEvent = (code: number, reason: string): string =>
  `{"type":"ERROR","object":${statusText(code, reason, `the test says ${reason}`)}}\n`;

/** What can become of the events of a watch. */
export const eventFaults: readonly Fault[] = [
  {
    name: 'the stream says 410',
    strikes: isWatch,
    harm: (exchange) => exchange.answer(200, errorEvent(410, 'Expired')),
  },
  {
    name: 'the stream says 410 between events',
    strikes: isWatch,
    harm: (exchange) => exchange.pass(inserted(errorEvent(410, 'Gone'))),
  },
  {
    name: 'the stream says 500',
    strikes: isWatch,
    harm: (exchange) => exchange.answer(200, errorEvent(500, 'InternalError')),
  },
  {
    name: 'every event comes twice',
    strikes: isWatch,
    times: 2,
    harm: (exchange) => exchange.pass(events((line) => [line, line])),
  },
  {
    name: 'every event comes two seconds late',
    strikes: isWatch,
    times: 2,
    harm: (exchange) =>
      exchange.pass(async function* (chunks) {
        const due: { readonly at: number; readonly line: string }[] = [];
        let over = false;
        const reading = (async () => {
          for await (const line of linesOf(chunks)) due.push({ at: Date.now() + 2_000, line });
        })().finally(() => (over = true));
        reading.catch(() => {});
        while (!over || due.length > 0) {
          const [first] = due;
          if (first && first.at <= Date.now()) yield Buffer.from(due.shift()?.line ?? '', 'latin1');
          else await pause(20);
        }
        await reading;
      }),
  },
  {
    name: 'a line that is no JSON',
    strikes: isWatch,
    harm: (exchange) => exchange.pass(inserted('{"type":"MODIFIED","object":{"metad\n')),
  },
  {
    name: 'an event of an unknown type',
    times: 2,
    strikes: isWatch,
    harm: (exchange) => exchange.pass(inserted('{"type":"RENAMED","object":{"metadata":{}}}\n')),
  },
  {
    name: 'an event without an object, and one without a name',
    strikes: isWatch,
    harm: (exchange) =>
      exchange.pass(
        inserted('{"type":"MODIFIED"}\n{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{}}}\n'),
      ),
  },
  {
    name: 'empty lines between events',
    times: 2,
    strikes: isWatch,
    harm: (exchange) => exchange.pass(events((line) => ['\n', '\n', line])),
  },
  {
    name: 'the first load of a stream ends before its marker',
    strikes: (exchange) => isWatch(exchange) && exchange.query.has('sendInitialEvents'),
    harm: (exchange) => exchange.pass(events((line) => (line.includes('k8s.io/initial-events-end') ? [] : [line]))),
    times: 1,
  },
  {
    name: 'the server has no streaming lists',
    times: 2,
    strikes: (exchange) => isWatch(exchange) && exchange.query.has('sendInitialEvents'),
    pages: true,
    harm: (exchange) => exchange.answer(422, statusText(422, 'Invalid', 'sendInitialEvents is forbidden')),
  },
];
