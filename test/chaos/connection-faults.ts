import { setTimeout as pause } from 'node:timers/promises';
import type { Exchange, Mangle } from './exchange.js';
import type { Fault } from './fault.js';

const STALL_MS = 1_500;

export const always = (): boolean => true;
export const isWatch = ({ verb }: Exchange): boolean => verb === 'watch';
export const isList = ({ verb }: Exchange): boolean => verb === 'list';
export const isCreate = ({ verb }: Exchange): boolean => verb === 'create';
export const isWrite = ({ verb }: Exchange): boolean => verb === 'create' || verb === 'patch' || verb === 'delete';
const isDelete = ({ verb }: Exchange): boolean => verb === 'delete';
const isPatch = ({ verb }: Exchange): boolean => verb === 'patch';
const isAnswered = ({ verb }: Exchange): boolean => verb !== 'watch';

/** The server does it; nobody hears of it. */
const loseAnswer = async (exchange: Exchange): Promise<void> => {
  (await exchange.forward()).resume();
  exchange.reset();
};

/** Bytes up to the middle of the first piece that has some; then `end`. */
const half = (end: () => void | Promise<void>): Mangle =>
  async function* (chunks) {
    for await (const chunk of chunks) {
      yield chunk.subarray(0, Math.ceil(chunk.length / 2));
      // What was written so far has to leave before the connection goes.
      await pause(20);
      await end();
      return;
    }
  };

/** The piece that comes next is told in parts of `size` bytes, `ms` apart. */
const inParts = (size: number, ms: number): Mangle =>
  async function* (chunks) {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length; at += size) {
        yield chunk.subarray(at, at + size);
        if (ms > 0) await pause(ms);
      }
    }
  };

/** What can happen to connections and to the bytes on them. */
export const connectionFaults: readonly Fault[] = [
  {
    name: 'new connections are reset',
    strikes: never,
    connection: (socket) => {
      socket.resetAndDestroy();
    },
  },
  {
    name: 'new connections are closed at once',
    strikes: never,
    connection: (socket) => {
      socket.destroySoon();
    },
  },
  { name: 'a request is reset before the server sees it', strikes: isAnswered, harm: (exchange) => exchange.reset() },
  { name: 'a request is hung up on without an answer', strikes: isAnswered, harm: (exchange) => exchange.hangUp() },
  { name: 'a create is done and its answer lost', strikes: isCreate, harm: loseAnswer },
  { name: 'a delete is done and its answer lost', strikes: isDelete, harm: loseAnswer, times: 2 },
  { name: 'a patch is done and its answer lost', strikes: isPatch, harm: loseAnswer },
  {
    name: 'a create is done and its connection closed in order',
    strikes: isCreate,
    harm: async (exchange) => {
      (await exchange.forward()).resume();
      exchange.hangUp();
    },
  },
  {
    name: 'the answer of a write breaks in its middle',
    strikes: isWrite,
    harm: (exchange) => exchange.pass(half(() => exchange.reset())),
  },
  {
    name: 'kept connections are closed behind each answer',
    strikes: isAnswered,
    times: 8,
    harm: async (exchange) => {
      await exchange.pass();
      exchange.request.socket.destroy();
    },
  },
  {
    name: 'kept connections are reset a moment after each answer',
    strikes: isAnswered,
    times: 8,
    harm: async (exchange) => {
      await exchange.pass();
      await pause(5);
      exchange.reset();
    },
  },
  {
    name: 'the server asks for a new connection each time',
    strikes: always,
    times: 20,
    harm: (exchange) => exchange.pass(undefined, { connection: 'close' }),
  },
  {
    name: 'a list comes in drops',
    times: 2,
    strikes: isList,
    pages: true,
    harm: (exchange) => exchange.pass(inParts(100, 5)),
  },
  {
    name: 'a list stalls in its middle and goes on',
    strikes: isList,
    pages: true,
    times: 2,
    harm: (exchange) => exchange.pass(half(() => pause(STALL_MS))),
  },
  {
    name: 'a list breaks in its middle',
    strikes: isList,
    pages: true,
    harm: (exchange) => exchange.pass(half(() => exchange.reset())),
  },
  {
    name: 'a list ends in order before its length is reached',
    strikes: isList,
    pages: true,
    harm: async (exchange) => {
      const answer = await exchange.forward();
      answer.resume();
      exchange.response.writeHead(200, { 'content-type': 'application/json', 'content-length': 5_000 });
      exchange.response.write('{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"5"},"items":[');
      await pause(20);
      exchange.hangUp();
    },
  },
  {
    name: 'answers take seconds to begin',
    strikes: isAnswered,
    harm: async (exchange) => {
      await pause(STALL_MS);
      await exchange.pass();
    },
  },
  {
    name: 'nothing is answered, then the connection breaks',
    strikes: always,
    harm: async (exchange) => {
      await pause(STALL_MS);
      exchange.reset();
    },
  },
  {
    name: 'a watch is half open: the server is gone and nobody says so for seconds',
    strikes: isWatch,
    times: 2,
    harm: async (exchange) => {
      exchange.response.writeHead(200, { 'content-type': 'application/json' });
      exchange.response.flushHeaders();
      await pause(2 * STALL_MS);
      exchange.reset();
    },
  },
  {
    name: 'a watch comes byte by byte',
    times: 2,
    strikes: isWatch,
    harm: (exchange) => exchange.pass(inParts(1, 0)),
  },
  {
    name: 'a watch comes in small pieces, slowly',
    times: 2,
    strikes: isWatch,
    harm: (exchange) => exchange.pass(inParts(61, 2)),
  },
  {
    name: 'a watch breaks in the middle of a line',
    strikes: isWatch,
    times: 5,
    harm: (exchange) => exchange.pass(half(() => exchange.reset())),
  },
  {
    name: 'a watch ends in order in the middle of a line',
    strikes: isWatch,
    harm: (exchange) => exchange.pass(half(() => {})),
  },
  {
    name: 'a watch ends in order as soon as it is open',
    strikes: isWatch,
    harm: (exchange) => exchange.answer(200, ''),
  },
  {
    name: 'the answer is no HTTP',
    strikes: isAnswered,
    harm: (exchange) => {
      exchange.request.socket.end('SSH-2.0-OpenSSH_9.9\r\n');
    },
  },
];

function never(): boolean {
  return false;
}
