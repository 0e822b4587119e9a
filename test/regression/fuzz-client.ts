import { connect } from 'node:net';
import type { FuzzRequest } from './fuzz-seeds.js';

/** What came back. `code` 0: the connection ended without an answer. */
export interface FuzzAnswer {
  readonly code: number;
  readonly body: string;
  /** The answer had begun and went on; it was cut by us. */
  readonly streaming: boolean;
}

/** An answer that has not begun after this long, in ms, is a hang. */
const HANG_MS = 30_000;
/** How long an answer that streams is read, in ms. */
const STREAM_MS = 60;

/** The bytes of a request, written as they are: nothing refuses what is odd before the server sees it. */
function bytesOf({ method, path, query, headers, body }: FuzzRequest): Buffer {
  const search = query.map(([key, value]) => `${key}=${encodeURIComponent(value.toWellFormed())}`).join('&');
  const target = (path.startsWith('/') ? path : `/${path}`) + (search ? `?${search}` : '');
  const length = body ? [['Content-Length', String(body.length)]] : [];
  const lines = [['Host', 'fuzz'], ['Connection', 'close'], ...length, ...headers].map(
    ([key, value]) => `${key}: ${value}`,
  );
  return Buffer.concat([
    Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`),
    body ?? Buffer.alloc(0),
  ]);
}

function unchunk(text: string): string {
  let body = '';
  for (let at = 0; ;) {
    const end = text.indexOf('\r\n', at);
    const size = end < 0 ? 0 : Number.parseInt(text.slice(at, end), 16);
    if (!size) return body;
    body += text.slice(end + 2, end + 2 + size);
    at = end + 2 + size + 2;
  }
}

/** Sends one request over a connection of its own. Rejects when the server takes no connection or does not answer. */
export function exchange(port: number, request: FuzzRequest): Promise<FuzzAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    let cut: NodeJS.Timeout | undefined;
    const hang = setTimeout(() => {
      reject(new Error('no answer'));
      socket.destroy();
    }, HANG_MS);
    socket.setEncoding('latin1');
    socket.on('connect', () => socket.write(bytesOf(request)));
    socket.on('data', (piece: string) => {
      text += piece;
      if (!cut && text.includes('\r\n\r\n')) {
        cut = setTimeout(() => {
          finish(true);
          socket.destroy();
        }, STREAM_MS);
        clearTimeout(hang);
      }
    });
    const finish = (streaming: boolean): void => {
      clearTimeout(hang);
      clearTimeout(cut);
      const split = text.indexOf('\r\n\r\n');
      const head = text.slice(0, split < 0 ? text.length : split);
      const rest = split < 0 ? '' : text.slice(split + 4);
      const body = /\r\ntransfer-encoding: chunked/i.test(head) ? unchunk(rest) : rest;
      resolve({ code: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0), body, streaming });
    };
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // The server may answer and close while we still write.
      if (error.code === 'EPIPE' || error.code === 'ECONNRESET') return;
      clearTimeout(hang);
      reject(error);
    });
    socket.on('close', () => finish(false));
  });
}
