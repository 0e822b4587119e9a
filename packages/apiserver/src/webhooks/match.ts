import { matchesLabels } from '../auth/labels.js';
import type { AdmissionAttributes, KubeObject } from '../core/types.js';
import type { Webhook, WebhookRule } from './types.js';

/** Labels of the namespace a request is in; undefined = the object has none, so every namespace selector fits. */
export type NamespaceLabels = (namespace: string) => Readonly<Record<string, string>> | undefined;

/** The version at which a webhook wants to see the object; undefined = it does not want the request at all (AD-2). */
export function matchingVersion(hook: Webhook, at: AdmissionAttributes, labelsOf: NamespaceLabels): string | undefined {
  if (!selectsNamespace(hook, at, labelsOf) || !selectsObject(hook, at)) return undefined;
  const rules = hook.rules ?? [];
  if (rules.some((rule) => matchesRule(rule, at, at.version))) return at.version;
  if (hook.matchPolicy === 'Exact') return undefined;
  const others = at.resource.versions.filter((v) => v.served && v.name !== at.version);
  return others.find((v) => rules.some((rule) => matchesRule(rule, at, v.name)))?.name;
}

const holds = (list: readonly string[] | undefined, value: string): boolean =>
  list !== undefined && (list.includes('*') || list.includes(value));

function matchesRule(rule: WebhookRule, at: AdmissionAttributes, version: string): boolean {
  const { resource, subresource } = at;
  const { scope = '*' } = rule;
  if (scope !== '*' && (scope === 'Namespaced') !== resource.namespaced) return false;
  if (
    !holds(rule.operations, at.operation) ||
    !holds(rule.apiGroups, resource.group) ||
    !holds(rule.apiVersions, version)
  ) {
    return false;
  }
  const { plural } = resource;
  const wanted =
    subresource === undefined
      ? ['*', '*/*', plural]
      : ['*/*', `${plural}/*`, `*/${subresource}`, `${plural}/${subresource}`];
  return (rule.resources ?? []).some((r) => wanted.includes(r));
}

function selectsNamespace(hook: Webhook, at: AdmissionAttributes, labelsOf: NamespaceLabels): boolean {
  if (isNamespace(at)) return matchesLabels(hook.namespaceSelector, (at.object ?? at.oldObject)?.metadata.labels);
  if (at.namespace === undefined) return true;
  return matchesLabels(hook.namespaceSelector, labelsOf(at.namespace));
}

export const isNamespace = (at: AdmissionAttributes): boolean =>
  at.resource.group === '' && at.resource.plural === 'namespaces';

function selectsObject(hook: Webhook, at: AdmissionAttributes): boolean {
  const fits = (object: KubeObject | undefined): boolean =>
    object !== undefined && matchesLabels(hook.objectSelector, object.metadata.labels);
  return fits(at.object) || fits(at.oldObject);
}
