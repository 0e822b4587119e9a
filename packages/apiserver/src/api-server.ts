import type { Control } from './control/control.js';
import type { ObjectService } from './core/types.js';
import { Kubeconfig } from './kubeconfig.js';
import type { KubeconfigUser } from './kubeconfig.js';
import type { Settings } from './options.js';
import type { ObjectSemantics } from './semantics.js';
import type { Authority } from './tls/x509.js';
import type { WebhookClient } from './webhooks/client.js';

/** Credentials to put into a kubeconfig: a client certificate is made for them. */
export interface UserRequest {
  readonly user: string;
  readonly groups?: readonly string[];
}

const ADMIN: UserRequest = { user: 'embedded-admin', groups: ['system:masters'] };

/** Who signs, and what the listener shows. */
export interface Tls {
  readonly authority: Authority | undefined;
  readonly files: { readonly cert: string; readonly key: string; readonly ca: string } | undefined;
}

/** What a server consists of. */
export interface ServerParts {
  readonly settings: Settings;
  readonly semantics: ObjectSemantics;
  readonly webhooks: WebhookClient;
  readonly control: Control;
  readonly tls: Tls;
  readonly stop: () => Promise<void>;
  readonly address: { readonly address: string; readonly family: string; readonly port: number };
}

/** A running API server. */
export class ApiServer {
  /** Faults, races, watches, history, clock, snapshots and the request log, for tests. */
  readonly control: Control;
  readonly #parts: ServerParts;

  constructor(parts: ServerParts) {
    this.#parts = parts;
    this.control = parts.control;
  }

  /** Where clients connect, e.g. `https://127.0.0.1:41234`. */
  get url(): string {
    const { address, settings } = this.#parts;
    const any = address.address === '0.0.0.0' || address.address === '::';
    const host = any ? '127.0.0.1' : address.address;
    return `${settings.tls === false ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
  }

  get port(): number {
    return this.#parts.address.port;
  }

  /** The CA that signed the server certificate; undefined over plain HTTP. */
  get caPem(): string | undefined {
    return this.#parts.tls.files?.ca;
  }

  /** The objects, without HTTP. */
  get objects(): ObjectService {
    return this.#parts.semantics.objects;
  }

  /** A kubeconfig for an administrator and the users with static tokens, or for one user with a new client certificate. */
  kubeconfig(request?: UserRequest): Kubeconfig {
    const { settings } = this.#parts;
    const users: KubeconfigUser[] = [this.#certified(request ?? ADMIN)];
    if (!request) users.push(...settings.users.map(({ name, token }) => ({ name, token })));
    return new Kubeconfig({ server: this.url, ca: this.caPem, users });
  }

  /**
   * Says where the Service `namespace/name` on `port` is served, for admission and conversion webhooks that name a Service:
   * nothing routes cluster addresses here. `caPem`: CA of that address; default the caBundle of the webhook.
   */
  registerService(
    service: { namespace: string; name: string; port: number },
    address: { url: string; caPem?: string },
  ): void {
    this.#parts.webhooks.registerService(service, address);
  }

  /** Resolves when all controllers are idle; rejects with the names of the busy ones after `maxMs` (default 10,000). */
  settle(options?: { maxMs?: number }): Promise<void> {
    return this.#parts.semantics.settle(options);
  }

  /** Ends watches cleanly, lets running requests finish, frees the port. */
  close(): Promise<void> {
    return this.#parts.stop();
  }

  #certified({ user, groups = [] }: UserRequest): KubeconfigUser {
    const { authority } = this.#parts.tls;
    // Without an authority of our own there are no certificates to give; in open mode none is looked at.
    return authority ? { name: user, ...authority.client(user, groups) } : { name: user };
  }
}
