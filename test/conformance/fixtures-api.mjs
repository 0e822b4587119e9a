// A small HTTP client for the fixtures: bytes in, status, headers and bytes out.
import http from 'node:http';
import https from 'node:https';
import { parse } from 'yaml';

/** Requests to the server that a kubeconfig names. */
export class Api {
  #base;
  #agent;
  #headers = {};

  constructor(kubeconfig) {
    const config = parse(kubeconfig);
    const context = config.contexts.find(({ name }) => name === config['current-context']).context;
    const { cluster } = config.clusters.find(({ name }) => name === context.cluster);
    const { user } = config.users.find(({ name }) => name === context.user);
    const bytes = (text) => text && Buffer.from(text, 'base64');
    this.#base = new URL(cluster.server);
    if (user.token) this.#headers.authorization = `Bearer ${user.token}`;
    const tls = {
      ca: bytes(cluster['certificate-authority-data']),
      cert: bytes(user['client-certificate-data']),
      key: bytes(user['client-key-data']),
      rejectUnauthorized: !cluster['insecure-skip-tls-verify'],
    };
    this.#agent =
      this.#base.protocol === 'https:'
        ? new https.Agent({ keepAlive: true, ...tls })
        : new http.Agent({ keepAlive: true });
  }

  /** Answers `{ code, headers, text }`. */
  send(method, target, { body, type = 'application/json', accept = 'application/json' } = {}) {
    const { request } = this.#base.protocol === 'https:' ? https : http;
    const headers = { ...this.#headers, accept, ...(body !== undefined && { 'content-type': type }) };
    return new Promise((resolve, reject) => {
      const sent = request(new URL(target, this.#base), { method, headers, agent: this.#agent }, (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const warnings = response.headersDistinct.warning ?? [];
          resolve({ code: response.statusCode, warnings, text: Buffer.concat(chunks).toString() });
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  /** The same with JSON both ways; `body` of the answer is undefined where it is no JSON. */
  async json(method, target, value, options = {}) {
    const body = value === undefined ? undefined : JSON.stringify(value);
    const answer = await this.send(method, target, { ...options, body });
    return { ...answer, body: answer.text.startsWith('{') ? JSON.parse(answer.text) : undefined };
  }
}
