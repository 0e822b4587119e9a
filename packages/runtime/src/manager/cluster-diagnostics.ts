import type { KindInfo } from '@kubewright/api';
import type { Transport } from '../transport/contract.js';
import { MANAGER_DEFAULTS } from './defaults.js';
import type { Diagnostics } from './source-fault.js';

interface ApiVersions {
  /** Plain texts in the core group, objects in all others. */
  readonly versions?: readonly (string | { readonly version: string })[];
}

interface ApiResources {
  readonly resources?: readonly { readonly kind: string }[];
}

interface AccessReview {
  readonly status?: { readonly allowed?: boolean };
}

const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const VERBS = ['get', 'list', 'watch'];

/** Asks the API server what a start fault leaves open (M11, M12). Whatever it refuses to tell is left out. */
export class ClusterDiagnostics implements Diagnostics {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async servedVersions({ group, kind }: KindInfo): Promise<readonly string[] | undefined> {
    const root = group === '' ? '/api' : `/apis/${group}`;
    const list = await this.#read<ApiVersions>(root);
    if (list === 'absent') return [];
    if (list === undefined) return undefined;
    const versions = (list.versions ?? []).map((entry) => (typeof entry === 'string' ? entry : entry.version));
    const served: string[] = [];
    for (const version of versions) {
      const resources = await this.#read<ApiResources>(`${root}/${version}`);
      if (typeof resources === 'object' && resources.resources?.some((resource) => resource.kind === kind))
        served.push(version);
    }
    return served;
  }

  async missingVerbs(kind: KindInfo, namespace: string | undefined): Promise<readonly string[] | undefined> {
    const answers = await Promise.all(VERBS.map((verb) => this.#isAllowed(kind, verb, namespace)));
    if (answers.includes(undefined)) return undefined;
    return VERBS.filter((_, index) => answers[index] === false);
  }

  async #isAllowed(kind: KindInfo, verb: string, namespace: string | undefined): Promise<boolean | undefined> {
    const resourceAttributes = { group: kind.group, version: kind.version, resource: kind.plural, verb, namespace };
    const review = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes },
    };
    const answer = await this.#send<AccessReview>('POST', REVIEWS, JSON.stringify(review));
    return typeof answer === 'object' ? answer.status?.allowed : undefined;
  }

  #read<T>(path: string): Promise<T | 'absent' | undefined> {
    return this.#send<T>('GET', path);
  }

  async #send<T>(method: 'GET' | 'POST', path: string, body?: string): Promise<T | 'absent' | undefined> {
    try {
      const answer = await this.#transport.send({
        method,
        path,
        ...(body !== undefined && { body }),
        retry: 'never',
        urgent: true,
        timeoutMs: MANAGER_DEFAULTS.diagnosisTimeout,
        what: `${method === 'GET' ? 'read' : 'ask'} ${path}`,
      });
      if (answer.status === 404) return 'absent';
      return answer.status < 300 ? (JSON.parse(answer.body) as T) : undefined;
    } catch {
      // A diagnosis is a help, never a fault of its own.
      return undefined;
    }
  }
}
