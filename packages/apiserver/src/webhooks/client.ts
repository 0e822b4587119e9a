import type { Agent, IncomingMessage } from 'node:http';
import https from 'node:https';
import { checkServerIdentity } from 'node:tls';
import type { ClientConfig, ServiceAddress } from './types.js';

// Not imported: the import would load all that it exports lazily, a whole HTTP client among it, and cost start time.
const http = process.getBuiltinModule('node:http');

/** Where a call goes and how the server there is recognised. */
interface Place {
  /** As the Go client prints it. */
  readonly shown: string;
  readonly url: URL;
  readonly ca: string[];
  /** Names any of which the certificate may carry. */
  readonly names: readonly string[];
}

export interface WebhookCall {
  readonly config: ClientConfig;
  readonly body: unknown;
  readonly seconds: number;
}

const MAX_ANSWER = 16 * 1024 * 1024;

/** Calls webhooks: admission and conversion. Failures are Errors in the words of the Go client (AD-8). */
export class WebhookClient {
  readonly #services = new Map<string, ServiceAddress>();
  readonly #agent: https.Agent = new https.Agent({ keepAlive: true });
  readonly #plainAgent: Agent = new http.Agent({ keepAlive: true });

  /** Says where the service `namespace/name` on `port` is served (AD-4). */
  registerService(service: { namespace: string; name: string; port: number }, address: ServiceAddress): void {
    this.#services.set(`${service.namespace}/${service.name}:${service.port}`, address);
  }

  close(): void {
    this.#agent.destroy();
    this.#plainAgent.destroy();
  }

  /** POSTs JSON and answers the parsed reply. */
  async call({ config, body, seconds }: WebhookCall): Promise<unknown> {
    const place = this.#place(config, `timeout=${seconds}s`);
    const failed = (why: string): Error => new Error(`Post "${place.shown}": ${why}`);
    const { code, text } = await this.#post(place, JSON.stringify(body), seconds * 1000).catch((error: unknown) => {
      throw failed(reason(error, place));
    });
    if (code < 200 || code > 299) throw new Error(refusal(code, text));
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw new Error(`couldn't get version/kind; json parse error: the webhook did not answer JSON`);
    }
  }

  #place({ url, service, caBundle }: ClientConfig, query: string): Place {
    const bundle = caBundle ? [Buffer.from(caBundle, 'base64').toString()] : [];
    if (url !== undefined) {
      const at = new URL(url);
      at.search = query;
      return { shown: at.href, url: at, ca: bundle, names: [at.hostname] };
    }
    const { namespace = '', name = '', path = '', port = 443 } = service ?? {};
    const host = `${name}.${namespace}.svc`;
    const shown = `https://${host}:${port}${path.startsWith('/') ? path : `/${path}`}?${query}`;
    const address = this.#services.get(`${namespace}/${name}:${port}`);
    if (!address) {
      // As where there is no such Service: to the embedded server one exists when registerService() named it.
      throw new Error(`Post "${shown}": service ${JSON.stringify(name)} not found`);
    }
    const at = new URL(address.url);
    if (path) at.pathname = path;
    at.search = query;
    const ca = address.caPem === undefined ? bundle : [...bundle, address.caPem];
    return { shown, url: at, ca, names: [host, at.hostname] };
  }

  #post(place: Place, payload: string, ms: number): Promise<{ code: number; text: string }> {
    const headers = {
      'Content-Type': 'application/json',
      Accept: 'application/json',
      'User-Agent': 'kube-apiserver-admission',
    };
    const common = {
      method: 'POST',
      headers: { ...headers, 'Content-Length': Buffer.byteLength(payload) },
      signal: AbortSignal.timeout(ms),
    };
    return new Promise((resolve, reject) => {
      const answered = (response: IncomingMessage): void => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          size += chunk.length;
          if (size > MAX_ANSWER) response.destroy(new Error('the answer is longer than 16 MiB'));
        });
        response.on('error', reject);
        response.on('end', () => resolve({ code: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
      };
      const request =
        place.url.protocol === 'http:'
          ? http.request(place.url, { ...common, agent: this.#plainAgent }, answered)
          : https.request(
              place.url,
              {
                ...common,
                agent: this.#agent,
                ...(place.ca.length > 0 ? { ca: place.ca } : {}),
                checkServerIdentity: (_host, cert) => {
                  const errors = place.names.map((name) => checkServerIdentity(name, cert));
                  return errors.some((e) => e === undefined) ? undefined : errors[0];
                },
              },
              answered,
            );
      request.on('error', reject);
      request.end(payload);
    });
  }
}

function reason(error: unknown, { url }: Place): string {
  const { code, name, message } = error as NodeJS.ErrnoException;
  const port = url.port || (url.protocol === 'http:' ? '80' : '443');
  if (name === 'TimeoutError' || name === 'AbortError') return 'context deadline exceeded';
  if (code === 'ECONNREFUSED') return `dial tcp ${url.hostname}:${port}: connect: connection refused`;
  if (code === 'ENOTFOUND') return `dial tcp: lookup ${url.hostname}: no such host`;
  if (code === 'ECONNRESET') return 'EOF';
  if (/self[- ]signed|unable to (get|verify)/i.test(message)) {
    return 'tls: failed to verify certificate: x509: certificate signed by unknown authority';
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `tls: failed to verify certificate: x509: ${message}`;
  return message;
}

const KNOWN: Readonly<Record<number, string>> = {
  401: 'the server has asked for the client to provide credentials',
  403: 'forbidden',
  404: 'the server could not find the requested resource',
  503: 'the server is currently unable to handle the request',
};

function refusal(code: number, text: string): string {
  return (
    KNOWN[code] ??
    `an error on the server (${JSON.stringify(text.slice(0, 2048))}) has prevented the request from succeeding`
  );
}
