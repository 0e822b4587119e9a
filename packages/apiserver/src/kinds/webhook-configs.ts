import { duplicate, invalidValue, notSupported, required } from '../core/errors.js';
import type { FieldError, KubeObject, ResourceDef } from '../core/types.js';
import { ageColumn, column, nameColumn } from './columns.js';
import { defineKind } from './define.js';
import { checkSelector, PORT_RANGE } from './label-rules.js';
import type { LabelSelector } from './shapes.js';

/** MutatingWebhookConfigurations and ValidatingWebhookConfigurations (AD-3). */

interface Rule {
  operations?: string[];
  apiGroups?: string[];
  apiVersions?: string[];
  resources?: string[];
  scope?: string;
}

interface Webhook {
  name: string;
  clientConfig: {
    url?: string;
    service?: { namespace?: string; name?: string; port?: number; path?: string };
    caBundle?: string;
  };
  rules?: Rule[];
  failurePolicy?: string;
  matchPolicy?: string;
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  sideEffects?: string;
  timeoutSeconds?: number;
  admissionReviewVersions?: string[] | null;
  reinvocationPolicy?: string;
  matchConditions?: { name: string; expression: string }[];
}

const webhooksOf = (object: KubeObject): Webhook[] => (object.webhooks ?? []) as Webhook[];

function setDefaults(object: KubeObject, mutating: boolean): void {
  for (const webhook of webhooksOf(object)) {
    webhook.failurePolicy ??= 'Fail';
    webhook.matchPolicy ??= 'Equivalent';
    webhook.namespaceSelector ??= {};
    webhook.objectSelector ??= {};
    webhook.timeoutSeconds ??= 10;
    if (mutating) webhook.reinvocationPolicy ??= 'Never';
    if (webhook.clientConfig?.service) webhook.clientConfig.service.port ??= 443;
    for (const rule of webhook.rules ?? []) rule.scope ??= '*';
  }
}

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];

/** A list in which `*` (or `wildcard`) stands alone. */
function checkList(
  path: string,
  list: readonly string[] | undefined,
  what: { all: string; noun: string },
): FieldError[] {
  if (!list?.length) return [required(path)];
  if (list.length > 1 && list.includes(what.all)) {
    return [invalidValue(path, list, `if '${what.all}' is present, must not specify other ${what.noun}`)];
  }
  return [];
}

function checkRule(rule: Rule, at: string): FieldError[] {
  const errors = checkList(`${at}.operations`, rule.operations, { all: '*', noun: 'operations' });
  for (const [i, operation] of (rule.operations ?? []).entries()) {
    if (!OPERATIONS.includes(operation)) errors.push(notSupported(`${at}.operations[${i}]`, operation, OPERATIONS));
  }
  errors.push(...checkList(`${at}.apiGroups`, rule.apiGroups, { all: '*', noun: 'API groups' }));
  errors.push(...checkList(`${at}.apiVersions`, rule.apiVersions, { all: '*', noun: 'API versions' }));
  errors.push(...checkList(`${at}.resources`, rule.resources, { all: '*/*', noun: 'resources' }));
  return errors;
}

const SIDE_EFFECTS = ['None', 'NoneOnDryRun'];
const REVIEW_VERSIONS = ['v1', 'v1beta1'];

function checkWebhook(webhook: Webhook, at: string): FieldError[] {
  const errors: FieldError[] = [];
  if (webhook.name && webhook.name.split('.').length < 3) {
    errors.push(
      invalidValue(`${at}.name`, webhook.name, 'should be a domain with at least three segments separated by dots'),
    );
  }
  for (const [i, rule] of (webhook.rules ?? []).entries()) errors.push(...checkRule(rule, `${at}.rules[${i}]`));
  if (webhook.sideEffects === undefined)
    errors.push(required(`${at}.sideEffects`, 'must specify one of None, NoneOnDryRun'));
  else if (!SIDE_EFFECTS.includes(webhook.sideEffects))
    errors.push(notSupported(`${at}.sideEffects`, webhook.sideEffects, SIDE_EFFECTS));
  const timeout = webhook.timeoutSeconds ?? 10;
  if (timeout < 1 || timeout > 30)
    errors.push(invalidValue(`${at}.timeoutSeconds`, timeout, 'the timeout value must be between 1 and 30 seconds'));
  const { url, service } = webhook.clientConfig ?? {};
  if ((url === undefined) === (service === undefined))
    errors.push(required(`${at}.clientConfig`, 'exactly one of url or service is required'));
  else if (url !== undefined) errors.push(...checkUrl(url, `${at}.clientConfig.url`));
  else if (service) errors.push(...checkService(service, `${at}.clientConfig.service`));
  errors.push(
    ...checkSelector(`${at}.namespaceSelector`, webhook.namespaceSelector),
    ...checkSelector(`${at}.objectSelector`, webhook.objectSelector),
  );
  const versions = webhook.admissionReviewVersions ?? [];
  if (!versions.length) errors.push(required(`${at}.admissionReviewVersions`, 'must specify one of v1, v1beta1'));
  else if (!versions.some((version) => REVIEW_VERSIONS.includes(version))) {
    errors.push(invalidValue(`${at}.admissionReviewVersions`, versions, 'must include at least one of v1, v1beta1'));
  }
  return [...errors, ...checkConditions(webhook, at)];
}

function checkService({ path, port }: NonNullable<Webhook['clientConfig']['service']>, at: string): FieldError[] {
  const errors: FieldError[] = [];
  if (port !== undefined && (port < 1 || port > 65535))
    errors.push(invalidValue(`${at}.port`, port, `port is not valid: ${PORT_RANGE}`));
  if (path !== undefined && !path.startsWith('/'))
    errors.push(invalidValue(`${at}.path`, path, "must start with a '/'"));
  return errors;
}

function checkUrl(url: string, path: string): FieldError[] {
  const parsed = URL.parse(url);
  if (!parsed) return [required(path, 'url must be a valid URL')];
  const errors: FieldError[] = [];
  const desired = 'desired format: https://host[/path]';
  if (parsed.protocol !== 'https:') {
    errors.push(invalidValue(path, parsed.protocol.slice(0, -1), `'https' is the only allowed URL scheme; ${desired}`));
  }
  const user = [parsed.username, parsed.password].filter(Boolean).join(':');
  if (user) errors.push(invalidValue(path, user, 'user information is not permitted in the URL'));
  if (parsed.hash) errors.push(invalidValue(path, parsed.hash.slice(1), 'fragments are not permitted in the URL'));
  if (parsed.search)
    errors.push(invalidValue(path, parsed.search.slice(1), 'query parameters are not permitted in the URL'));
  return errors;
}

function checkConditions(webhook: Webhook, at: string): FieldError[] {
  const seen = new Set<string>();
  return (webhook.matchConditions ?? []).flatMap(({ name }, i) => {
    const repeated = seen.has(name);
    seen.add(name);
    return repeated ? [duplicate(`${at}.matchConditions[${i}].name`, name)] : [];
  });
}

/** Members whose check above has a text of its own. */
const OWN_TEXT = /\.(sideEffects|admissionReviewVersions)$/;

function validate(object: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, webhook] of webhooksOf(object).entries()) {
    errors.push(...checkWebhook(webhook, `webhooks[${i}]`));
    if (seen.has(webhook.name)) errors.push(duplicate(`webhooks[${i}].name`, webhook.name));
    if (webhook.name) seen.add(webhook.name);
  }
  return errors;
}

const configuration = (kind: 'MutatingWebhookConfiguration' | 'ValidatingWebhookConfiguration'): ResourceDef =>
  defineKind({
    group: 'admissionregistration.k8s.io',
    kind,
    plural: `${kind.toLowerCase()}s`,
    categories: ['api-extensions'],
    namespaced: false,
    traits: { generation: 'non-metadata', unconditionalUpdate: false },
    columns: [nameColumn, column('Webhooks', (object) => webhooksOf(object).length, { type: 'integer' }), ageColumn],
    behaviour: {
      defaults: (object) => setDefaults(object, kind.startsWith('Mutating')),
      validate,
      checkedHere: OWN_TEXT,
    },
  });

/** Both kinds. */
export const webhookConfigurations = (): ResourceDef[] => [
  configuration('MutatingWebhookConfiguration'),
  configuration('ValidatingWebhookConfiguration'),
];
