import type { Exchange } from '../http/exchange.js';
import type { HttpHooks } from '../http/hooks.js';
import type { Control } from './control.js';
import { ConnectionFault } from './faults.js';
import { ControlRoutes } from './routes.js';

/** Plugs test control into the HTTP server: its routes, connection faults, the request log. */
export function controlHooks(control: Control, revision: () => string): HttpHooks {
  const routes = new ControlRoutes(control);
  const injected = new WeakSet<Exchange>();
  const bodies = new WeakMap<Exchange, string>();
  return {
    control: (x) => routes.handle(x),
    async intercept(x, next) {
      if (control.requests.captureBodies && x.info.resource !== 'secrets') captureBody(x, bodies);
      try {
        await next();
      } catch (error) {
        if (control.faults.injected(error)) injected.add(x);
        if (!(error instanceof ConnectionFault)) throw error;
        if (error.kind === 'reset') x.request.socket.destroy();
        else await new Promise((resolve) => x.response.once('close', resolve));
      }
    },
    done(x, started) {
      if (x.info.path.startsWith('/_embedded/')) return;
      control.requests.add(
        recordOf(x, {
          started,
          now: control.clock.now(),
          revision: revision(),
          injected: injected.has(x),
          body: bodies.get(x),
        }),
      );
    },
  };
}

/** Keeps what the handler reads; the stream itself can be read only once. */
function captureBody(x: Exchange, bodies: WeakMap<Exchange, string>): void {
  const read = x.body.bind(x);
  x.body = async () => {
    const bytes = await read();
    bodies.set(x, bytes.toString('utf8'));
    return bytes;
  };
}

interface Circumstances {
  started: number;
  now: number;
  revision: string;
  injected: boolean;
  body: string | undefined;
}

function recordOf(
  x: Exchange,
  { started, now, revision, injected, body }: Circumstances,
): Parameters<Control['requests']['add']>[0] {
  const { info } = x;
  const url = x.request.url ?? '';
  const mark = url.indexOf('?');
  return {
    auditId: x.auditId,
    time: new Date(started).toISOString(),
    user: x.principal.name,
    verb: info.verb,
    path: info.path,
    query: mark < 0 ? '' : url.slice(mark + 1),
    group: info.group,
    version: info.version,
    resource: info.resource,
    ...(info.namespace === undefined ? {} : { namespace: info.namespace }),
    ...(info.name === undefined ? {} : { name: info.name }),
    ...(info.subresource === undefined ? {} : { subresource: info.subresource }),
    contentType: x.header('content-type') ?? '',
    userAgent: x.userAgent,
    code: x.response.headersSent ? x.response.statusCode : 0,
    reason: x.reason,
    durationMs: now - started,
    revision,
    injected,
    ...(body === undefined ? {} : { body }),
  };
}
