import { setTimeout as pause } from 'node:timers/promises';
import { always, isCreate, isList, isWatch, isWrite } from './connection-faults.js';
import type { Exchange } from './exchange.js';
import { type Fault, type Harm, statusText } from './fault.js';

const HTML = '<!doctype html><html><head><title>Sign in</title></head><body>Please sign in.</body></html>';
const TEXT_HTML = { 'content-type': 'text/html; charset=utf-8' };

const isRead = ({ verb }: Exchange): boolean => verb === 'list' || verb === 'watch';

/** Answers with a Status in the server's place. */
const status =
  (code: number, reason: string, headers: Record<string, string> = {}, more: object = {}): Harm =>
  (exchange) =>
    exchange.answer(code, statusText(code, reason, `the test says ${reason}`, more), headers);

/** What an API server, or something before it, can answer in place of what was asked for. */
export const answerFaults: readonly Fault[] = [
  { name: '429 with Retry-After', strikes: always, harm: status(429, 'TooManyRequests', { 'retry-after': '1' }) },
  { name: '429 without Retry-After', strikes: always, harm: status(429, 'TooManyRequests') },
  {
    name: '429 that says in its body how long to wait',
    strikes: isWrite,
    harm: status(429, 'TooManyRequests', {}, { details: { retryAfterSeconds: 1 } }),
  },
  { name: '500 for reads', strikes: isRead, harm: status(500, 'InternalError') },
  { name: '500 for writes', strikes: isWrite, harm: status(500, 'InternalError') },
  { name: '500 with Retry-After', strikes: always, harm: status(500, 'InternalError', { 'retry-after': '1' }) },
  { name: '503 for everything', strikes: always, times: 6, harm: status(503, 'ServiceUnavailable') },
  {
    name: '503 with a date to retry after',
    strikes: always,
    harm: (exchange) =>
      exchange.answer(503, statusText(503, 'ServiceUnavailable', 'starting'), {
        'retry-after': new Date(Date.now() + 1_000).toUTCString(),
      }),
  },
  { name: '504 for writes that were not done', strikes: isWrite, harm: status(504, 'Timeout') },
  {
    name: '504 for creates that were done',
    strikes: isCreate,
    harm: async (exchange) => {
      const answer = await exchange.forward();
      answer.resume();
      exchange.answer(504, statusText(504, 'Timeout', 'request did not complete within the time limit'));
    },
  },
  {
    name: 'a gateway says 502 in HTML',
    strikes: always,
    harm: (exchange) => exchange.answer(502, '<html><h1>502 Bad Gateway</h1></html>', TEXT_HTML),
  },
  {
    name: 'a gateway says 504 in HTML for creates that were done',
    strikes: isCreate,
    harm: async (exchange) => {
      (await exchange.forward()).resume();
      exchange.answer(504, '<html><h1>504 Gateway Time-out</h1></html>', TEXT_HTML);
    },
  },
  { name: '410 at the opening of a watch', strikes: isWatch, harm: status(410, 'Expired') },
  { name: '410 for a list', strikes: isList, pages: true, harm: status(410, 'Expired') },
  {
    name: 'a page to sign in where a list is due',
    strikes: isList,
    pages: true,
    harm: (exchange) => exchange.answer(200, HTML, TEXT_HTML),
  },
  {
    name: 'a page to sign in where a watch is due',
    strikes: isWatch,
    harm: (exchange) => exchange.answer(200, HTML, TEXT_HTML),
  },
  {
    name: 'a page to sign in where a write is due',
    strikes: isWrite,
    harm: (exchange) => exchange.answer(200, HTML, TEXT_HTML),
  },
  {
    name: 'a redirect to somewhere else',
    strikes: always,
    harm: (exchange) => exchange.answer(302, '', { location: 'https://login.example.com/', ...TEXT_HTML }),
  },
  {
    name: 'cut JSON of full length where a list is due',
    strikes: isList,
    pages: true,
    harm: (exchange) =>
      exchange.answer(200, '{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[{"meta'),
  },
  {
    name: 'JSON that is no list where a list is due',
    strikes: isList,
    pages: true,
    harm: (exchange) => exchange.answer(200, '{"hello":"world"}'),
  },
  {
    name: 'a list without a version',
    strikes: isList,
    pages: true,
    harm: (exchange) => exchange.answer(200, '{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[]}'),
  },
  {
    name: 'JSON under a wrong content type',
    strikes: always,
    times: 8,
    harm: (exchange) => exchange.pass(undefined, { 'content-type': 'text/plain' }),
  },
  {
    name: 'an empty body where a list is due',
    strikes: isList,
    pages: true,
    harm: (exchange) => exchange.answer(200, ''),
  },
  { name: '401 once', strikes: always, times: 1, harm: status(401, 'Unauthorized') },
  { name: '401 for a while', strikes: always, times: 6, harm: status(401, 'Unauthorized') },
  { name: '403 for reads for a while', strikes: isRead, times: 4, harm: status(403, 'Forbidden') },
  { name: '403 for writes for a while', strikes: isWrite, times: 6, harm: status(403, 'Forbidden') },
  {
    name: '404 of the kind for a while',
    strikes: isRead,
    times: 2,
    harm: (exchange) => exchange.answer(404, '404 page not found\n', { 'content-type': 'text/plain' }),
  },
  { name: 'a conflict for every write', strikes: isWrite, times: 6, harm: status(409, 'Conflict') },
  { name: 'creates are told that the object exists', strikes: isCreate, harm: status(409, 'AlreadyExists') },
  {
    name: 'lists are slow',
    times: 2,
    strikes: isList,
    pages: true,
    harm: async (exchange) => {
      await pause(1_500);
      await exchange.pass();
    },
  },
  {
    name: 'a notice before the answer',
    strikes: always,
    times: 10,
    harm: (exchange) => {
      exchange.response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      return exchange.pass();
    },
  },
];
