import { randomUUID } from 'node:crypto';
import { Mirror } from '../auth/mirror.js';
import { failure, internal, invalid, isStatusError } from '../core/errors.js';
import { jsonCopy, jsonEqual } from '../core/json.js';
import type {
  AdmissionAttributes,
  AdmissionPort,
  JsonObject,
  JsonValue,
  KubeObject,
  ObjectService,
} from '../core/types.js';
import { jsonPatch } from '../patch/json-patch.js';
import type { WebhookClient } from './client.js';
import { matchingVersion } from './match.js';
import { admissionReview, denied, readVerdict, reviewVersion } from './review.js';
import type { Verdict } from './review.js';
import type { Webhook } from './types.js';

const GROUP = 'admissionregistration.k8s.io';

export interface WebhookAdmissionOptions {
  readonly objects: ObjectService;
  readonly client: WebhookClient;
  /** Unique id of a call; default random. */
  readonly uid?: () => string;
}

/** A webhook and where its configuration stands in the order of calls. */
interface Hook {
  readonly hook: Webhook;
  readonly id: string;
}

/** Calls the mutating and validating webhooks that are configured (§7). */
export class WebhookAdmission implements AdmissionPort {
  readonly #options: WebhookAdmissionOptions;
  readonly #mutating: Configured;
  readonly #validating: Configured;
  readonly #namespaces: Mirror;

  constructor(options: WebhookAdmissionOptions) {
    const { objects } = options;
    this.#options = options;
    this.#mutating = new Configured(objects, 'mutatingwebhookconfigurations');
    this.#validating = new Configured(objects, 'validatingwebhookconfigurations');
    this.#namespaces = new Mirror(objects, '', 'namespaces');
  }

  async mutate(attributes: AdmissionAttributes): Promise<KubeObject | undefined> {
    const hooks = await this.#hooks(this.#mutating, attributes);
    if (hooks.length === 0) return attributes.object;
    const pass = new MutatingPass();
    let object = await this.#pass(hooks, { attributes, pass, again: false });
    // One more round, for those that asked for it and ran before a later change (AD-6).
    if (pass.changed) object = await this.#pass(hooks, { attributes: { ...attributes, object }, pass, again: true });
    return object;
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    await checkConfiguration(attributes);
    const hooks = await this.#hooks(this.#validating, attributes);
    if (hooks.length === 0) return;
    const calls = hooks.map(async ({ hook }) => {
      const version = await this.#wants(hook, attributes);
      if (version === undefined) return;
      await this.#call(hook, await this.#at(attributes, version), { version, mutating: false });
    });
    const results = await Promise.allSettled(calls);
    const failed = results.find((r) => r.status === 'rejected');
    if (failed) throw failed.reason as Error;
  }

  /** Webhook configurations are exempt from webhooks (AD-1), so that a broken one can be removed. */
  async #hooks(configured: Configured, { resource }: AdmissionAttributes): Promise<readonly Hook[]> {
    if (resource.group === GROUP) return [];
    const hooks = await configured.hooks();
    if (hooks.length > 0) await this.#namespaces.open();
    return hooks;
  }

  async #pass(
    hooks: readonly Hook[],
    { attributes, pass, again }: { attributes: AdmissionAttributes; pass: MutatingPass; again: boolean },
  ): Promise<KubeObject | undefined> {
    let current = attributes;
    for (const { hook, id } of hooks) {
      if (again && !pass.due.has(id)) continue;
      const version = await this.#wants(hook, current);
      if (version === undefined) continue;
      const seen = await this.#at(current, version);
      const verdict = await this.#call(hook, seen, { version, mutating: true });
      if (verdict?.patch?.length && seen.object) {
        const object = await this.#patched({ attributes: current, seen: seen.object, patch: verdict.patch });
        if (!jsonEqual(object, current.object)) {
          current = { ...current, object };
          pass.change();
        }
      }
      if (hook.reinvocationPolicy === 'IfNeeded') pass.called.add(id);
    }
    return current.object;
  }

  /** The version at which the webhook wants to see the request, if it wants it. */
  async #wants(hook: Webhook, attributes: AdmissionAttributes): Promise<string | undefined> {
    const version = matchingVersion(hook, attributes, (name) => this.#namespaces.get(name)?.metadata.labels);
    if (version === undefined || !hook.matchConditions?.length) return version;
    try {
      const { conditionsHold } = await import('./conditions.js');
      return conditionsHold(hook, attributes) ? version : undefined;
    } catch (error) {
      if (hook.failurePolicy === 'Ignore') return undefined;
      throw failure(403, 'Forbidden', (error as Error).message);
    }
  }

  /** The objects of a request at another version of their resource (AD-2, matchPolicy Equivalent). */
  async #at(attributes: AdmissionAttributes, version: string): Promise<AdmissionAttributes> {
    if (version === attributes.version) return attributes;
    const { strategy } = attributes.resource;
    const convert = async (object: KubeObject | undefined) => object && (await strategy.convert(object, version));
    return { ...attributes, object: await convert(attributes.object), oldObject: await convert(attributes.oldObject) };
  }

  async #patched(at: { attributes: AdmissionAttributes; seen: KubeObject; patch: JsonValue[] }): Promise<KubeObject> {
    const { resource, version } = at.attributes;
    const applied = apply(at.seen, at.patch);
    const versionSeen = applied.apiVersion.split('/').at(-1);
    const object = versionSeen === version ? applied : await resource.strategy.convert(applied, version);
    const copy = jsonCopy(object);
    const served = resource.versions.find((v) => v.name === version);
    if (served) resource.strategy.defaultInPlace(copy, served);
    return copy;
  }

  /** One call. Undefined: it failed and may (failurePolicy Ignore). */
  async #call(
    hook: Webhook,
    attributes: AdmissionAttributes,
    on: { version: string; mutating: boolean },
  ): Promise<Verdict | undefined> {
    try {
      const uid = (this.#options.uid ?? randomUUID)();
      const review = reviewVersion(hook);
      const body = admissionReview({ uid, attributes, version: on.version, reviewVersion: review });
      const seconds = hook.timeoutSeconds ?? 10;
      const answer = await this.#options.client
        .call({ config: hook.clientConfig, body, seconds })
        .catch((error: unknown) => {
          throw new Error(`failed to call webhook: ${(error as Error).message}`);
        });
      const verdict = readVerdict(answer, { uid, reviewVersion: review, mutating: on.mutating });
      for (const warning of verdict.warnings) attributes.warn(warning);
      if (!verdict.allowed) throw denied(hook, verdict);
      return verdict;
    } catch (error) {
      if (isStatusError(error)) throw error;
      if (hook.failurePolicy === 'Ignore') return undefined;
      throw internal(`failed calling webhook ${JSON.stringify(hook.name)}: ${(error as Error).message}`);
    }
  }
}

/** A webhook configuration whose conditions cannot be evaluated is refused (DE-7). */
async function checkConfiguration({ resource, object, name }: AdmissionAttributes): Promise<void> {
  if (resource.group !== GROUP || !object) return;
  if (!((object['webhooks'] ?? []) as Webhook[]).some((hook) => hook.matchConditions?.length)) return;
  const { checkConditions } = await import('./conditions.js');
  const errors = checkConditions(object);
  if (errors.length > 0) throw invalid(resource, name ?? '', errors);
}

/** Which webhooks run again (AD-6). */
class MutatingPass {
  /** Called so far and willing to be called again. */
  readonly called = new Set<string>();
  /** Called before a later change. */
  readonly due = new Set<string>();
  changed = false;

  change(): void {
    this.changed = true;
    for (const id of this.called) this.due.add(id);
    this.called.clear();
  }
}

/** The webhooks of one kind of configuration, in the order of their calls (AD-1). */
class Configured {
  readonly #mirror: Mirror;
  readonly #exists: () => boolean;
  #revision = -1;
  #hooks: readonly Hook[] = [];

  constructor(objects: ObjectService, plural: string) {
    this.#mirror = new Mirror(objects, GROUP, plural);
    this.#exists = () => objects.registry.byResource(GROUP, plural) !== undefined;
  }

  async hooks(): Promise<readonly Hook[]> {
    if (!this.#exists()) return [];
    await this.#mirror.open();
    if (this.#revision !== this.#mirror.revision) {
      this.#revision = this.#mirror.revision;
      const name = (o: KubeObject): string => o.metadata.name ?? '';
      const configs = [...this.#mirror.values()].sort((a, b) => (name(a) < name(b) ? -1 : 1));
      this.#hooks = configs.flatMap((config) =>
        ((config['webhooks'] ?? []) as Webhook[]).map((hook) => ({ hook, id: `${name(config)}/${hook.name}` })),
      );
    }
    return this.#hooks;
  }
}

/** Applies a webhook's patch one operation at a time, so that a failure names its operation (AD-8). */
function apply(object: KubeObject, patch: readonly JsonValue[]): KubeObject {
  let result = object as JsonObject;
  for (const operation of patch) {
    try {
      result = jsonPatch(result, [operation]);
    } catch {
      const { op = '', path = '' } = (operation ?? {}) as { op?: string; path?: string };
      throw internal(`${op} operation does not apply: doc is missing path: ${JSON.stringify(path)}: missing value`);
    }
  }
  return result as unknown as KubeObject;
}
