import { badRequest, failure, forbidden } from '../core/errors.js';
import type { JsonObject } from '../core/types.js';
import type { Exchange } from '../http/exchange.js';
import type { Control } from './control.js';
import type { Fault } from './faults.js';
import type { RequestMatch } from './match.js';
import type { RequestFilter } from './request-log.js';
import type { Cut } from './watches.js';

type Route = (body: JsonObject, x: Exchange) => unknown;

/** Test control over HTTP, below `/_embedded/` (TC-11). */
export class ControlRoutes {
  readonly #control: Control;

  constructor(control: Control) {
    this.#control = control;
  }

  async handle(x: Exchange): Promise<void> {
    if (!x.principal.groups.includes('system:masters')) {
      throw forbidden(
        { group: '', plural: '_embedded', kind: '' },
        '',
        'test control is for members of system:masters',
      );
    }
    const path = x.info.path.replace(/^\/_embedded\/|\/$/g, '');
    const route = this.#route(x.method === 'HEAD' ? 'GET' : x.method, path);
    if (!route) throw failure(404, 'NotFound', `there is no ${x.method} /_embedded/${path}`, {});
    const answer = await route(await readBody(x), x);
    return x.json(200, answer === undefined ? { ok: true } : answer);
  }

  #route(method: string, path: string): Route | undefined {
    const control = this.#control;
    const [first = '', second, third] = path.split('/');
    switch (`${method} ${first}`) {
      case 'GET faults':
        return () => control.faults.list();
      case 'POST faults':
        return (body) => ({ id: control.faults.inject(body as unknown as Fault) });
      case 'DELETE faults':
        return () => control.faults.clear(second);
      case 'POST race':
        return (body) => {
          const { mutate } = body;
          control.race(match(body), isObject(mutate) ? () => mutate : undefined);
        };
      case 'GET watches':
        return () => control.watches.list();
      case 'POST watches':
        return watchRoute(control, second);
      case 'POST compact':
        return (body) => control.compact(body as { group?: string; resource?: string; before?: string });
      case 'POST bookmarks':
        return (body) => control.bookmarks.setPeriod(number(body, 'ms'));
      case 'GET clock':
        return () => ({ now: control.clock.now(), frozen: control.clock.frozen });
      case 'POST clock':
        return (body) => setClock(control, body);
      case 'POST controllers':
        return controllerRoute(control, second);
      case 'POST snapshots':
        if (second === undefined) return () => ({ id: control.snapshot() });
        return third === 'restore' ? () => orBadRequest(() => control.restore(second)) : undefined;
      case 'GET requests':
        return (_, x) => control.requests.list(filterOf(x.query));
      case 'POST requests':
        return (body) => {
          control.requests.captureBodies = body['captureBodies'] === true;
        };
      case 'DELETE requests':
        return () => control.requests.clear();
      default:
        return undefined;
    }
  }
}

function watchRoute(control: Control, action: string | undefined): Route | undefined {
  switch (action) {
    case 'cut':
      return (body) => ({ watches: control.watches.cut(match(body), (body['how'] ?? 'clean') as Cut) });
    case 'stall':
      return (body) => ({ watches: control.watches.stall(match(body)) });
    case 'release':
      return (body) => ({ watches: control.watches.release(match(body)) });
    default:
      return undefined;
  }
}

function controllerRoute(control: Control, action: string | undefined): Route | undefined {
  const name = (body: JsonObject): string | undefined => (typeof body['name'] === 'string' ? body['name'] : undefined);
  switch (action) {
    case 'pause':
      return (body) => orBadRequest(() => control.controllers.pause(name(body)));
    case 'resume':
      return (body) => orBadRequest(() => control.controllers.resume(name(body)));
    case 'step':
      return async (body) => ({ worked: await control.controllers.step(name(body) ?? '') });
    case 'settle':
      return (body) => control.settle(typeof body['maxMs'] === 'number' ? { maxMs: body['maxMs'] } : {});
    default:
      return undefined;
  }
}

function setClock(control: Control, body: JsonObject): unknown {
  const { clock } = control;
  const { freeze, advance, resume } = body;
  if (typeof freeze === 'number') clock.freeze(freeze);
  else if (freeze === true) clock.freeze();
  if (typeof advance === 'number') clock.advance(advance);
  if (resume === true) clock.resume();
  return { now: clock.now(), frozen: clock.frozen };
}

async function readBody(x: Exchange): Promise<JsonObject> {
  if (x.method === 'GET' || x.method === 'HEAD') return {};
  // A page of a web browser cannot send this type without asking first, and it is never allowed to.
  const type = (x.header('content-type') ?? '').split(';')[0]?.trim();
  const text = (await x.body()).toString('utf8');
  if (x.method !== 'DELETE' && type !== 'application/json') {
    throw failure(415, 'UnsupportedMediaType', 'test control takes application/json only', {});
  }
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Said below.
  }
  throw badRequest('the body of a control request must be a JSON object');
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const match = (body: JsonObject): RequestMatch => (isObject(body['match']) ? (body['match'] as RequestMatch) : {});

function number(body: JsonObject, key: string): number {
  const value = body[key];
  if (typeof value !== 'number') throw badRequest(`the control request needs a number "${key}"`);
  return value;
}

function filterOf(query: URLSearchParams): RequestFilter {
  const filter: Record<string, string | number> = {};
  for (const [key, value] of query) if (value !== '') filter[key] = key === 'code' ? Number(value) : value;
  return filter as RequestFilter;
}

function orBadRequest(run: () => void): void {
  try {
    run();
  } catch (error) {
    throw badRequest(error instanceof Error ? error.message : String(error));
  }
}
