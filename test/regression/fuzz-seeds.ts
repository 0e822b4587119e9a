import type { KubeObject } from '@kubewright/apiserver';

/** A request before and after mutation. */
export interface FuzzRequest {
  method: string;
  path: string;
  query: [string, string][];
  headers: [string, string][];
  body: Buffer | undefined;
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const request = (method: string, path: string, content?: { type?: string; body: Buffer }): FuzzRequest => {
  const [where = '', query = ''] = path.split('?');
  return {
    method,
    path: where,
    query: [...new URLSearchParams(query)],
    headers: content ? [['Content-Type', content.type ?? 'application/json']] : [],
    body: content?.body,
  };
};
const send = (method: string, path: string, value: unknown, type?: string): FuzzRequest =>
  request(method, path, { body: json(value), ...(type === undefined ? {} : { type }) });

const CORE = '/api/v1/namespaces/default';
const APPS = '/apis/apps/v1/namespaces/default';
const CUSTOM = '/apis/fuzz.example.com/v1/namespaces/default/widgets';
const labels = { app: 'a' };
const template = {
  metadata: { labels },
  spec: { containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80 }] }] },
};

const widget = (name: string): object => ({
  apiVersion: 'fuzz.example.com/v1',
  kind: 'Widget',
  metadata: { name, labels, annotations: { a: 'b' }, finalizers: [] },
  spec: { replicas: 2, size: 'm', parts: [{ name: 'a', weight: 1.5 }], free: { any: [1, 'x', null, { deep: true }] } },
});

/** The custom resource that the requests are about: defaults, rules, patterns, list maps, unknown fields kept. */
export const widgetDefinition: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.fuzz.example.com' },
  spec: {
    group: 'fuzz.example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
        additionalPrinterColumns: [{ name: 'Size', type: 'string', jsonPath: '.spec.size' }],
        selectableFields: [{ jsonPath: '.spec.size' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['size'],
                'x-kubernetes-validations': [{ rule: 'self.replicas < 100 || self.size.startsWith("x")' }],
                properties: {
                  replicas: { type: 'integer', default: 1, minimum: 0 },
                  size: { type: 'string', pattern: '^[a-z]+$', maxLength: 8 },
                  parts: {
                    type: 'array',
                    maxItems: 5,
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['name'],
                    items: {
                      type: 'object',
                      required: ['name'],
                      properties: { name: { type: 'string' }, weight: { type: 'number' } },
                    },
                  },
                  free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                },
              },
              status: { type: 'object', properties: { replicas: { type: 'integer' } } },
            },
          },
        },
      },
    ],
  },
};

/** Field `number` of a message, with length. */
const field = (number: number, content: Buffer | string): Buffer => {
  const bytes = Buffer.from(content);
  const size: number[] = [];
  for (let rest = bytes.length; ; rest >>>= 7) {
    size.push(rest > 127 ? (rest & 127) | 128 : rest);
    if (rest <= 127) break;
  }
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...size]), bytes]);
};
const protobuf = (kind: string, raw: Buffer): Buffer =>
  Buffer.concat([Buffer.from('k8s\0'), field(1, Buffer.concat([field(1, 'v1'), field(2, kind)])), field(2, raw)]);
const meta = (name: string): Buffer => field(1, Buffer.concat([field(1, name), field(3, 'default')]));
const PROTOBUF = 'application/vnd.kubernetes.protobuf';

const definition = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Requests that a server takes; mutation starts from them. */
export const seeds: readonly FuzzRequest[] = [
  ...['/', '/version', '/healthz', '/readyz?verbose', '/api', '/apis', '/api/v1', '/apis/apps/v1'].map((path) =>
    request('GET', path),
  ),
  request('GET', '/openapi/v3/api/v1'),
  request('GET', `${CORE}/configmaps?limit=3&labelSelector=app%3Da&fieldSelector=metadata.name%3Da`),
  request('GET', `${CORE}/configmaps?resourceVersion=1&resourceVersionMatch=NotOlderThan`),
  request('GET', `${CORE}/pods?labelSelector=app+in+(a,b),!c,d+notin+(e)&fieldSelector=status.phase!%3DRunning`),
  request('GET', `${CORE}/configmaps?watch=1&timeoutSeconds=1&allowWatchBookmarks=true`),
  request(
    'GET',
    `${CORE}/pods?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=1`,
  ),
  request('GET', `${CORE}/configmaps/a`),
  request('GET', `${CUSTOM}?fieldSelector=spec.size%3Dm&limit=2&continue=`),
  request('GET', `${CUSTOM}/a/scale`),
  request('GET', `${CORE}/pods/a/log?follow=false&tailLines=5`),
  send('POST', `${CORE}/configmaps?fieldManager=m&fieldValidation=Strict`, {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name: 'a', labels },
    data: { k: 'v' },
  }),
  send('POST', `${CORE}/configmaps?dryRun=All`, {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { generateName: 'g-' },
    binaryData: { k: 'AAAA' },
  }),
  send('POST', `${CORE}/secrets`, {
    kind: 'Secret',
    apiVersion: 'v1',
    metadata: { name: 'a' },
    type: 'Opaque',
    stringData: { k: 'v' },
  }),
  send('POST', `${CORE}/pods`, { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'a', labels }, spec: template.spec }),
  send('POST', `${CORE}/services`, {
    kind: 'Service',
    apiVersion: 'v1',
    metadata: { name: 'a' },
    spec: { selector: labels, ports: [{ port: 80, targetPort: 'http' }] },
  }),
  send('POST', `${APPS}/deployments`, {
    kind: 'Deployment',
    apiVersion: 'apps/v1',
    metadata: { name: 'a' },
    spec: { replicas: 1, selector: { matchLabels: labels }, template },
  }),
  send('POST', '/api/v1/namespaces', { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'other' } }),
  send('POST', `${CORE}/pods/a/eviction`, { kind: 'Eviction', apiVersion: 'policy/v1', metadata: { name: 'a' } }),
  send('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
    kind: 'SelfSubjectAccessReview',
    apiVersion: 'authorization.k8s.io/v1',
    spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
  }),
  send('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', {
    kind: 'ClusterRole',
    apiVersion: 'rbac.authorization.k8s.io/v1',
    metadata: { name: 'a' },
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
  }),
  send('POST', definition, widgetDefinition),
  send('PUT', `${definition}/widgets.fuzz.example.com`, widgetDefinition),
  send('POST', CUSTOM, widget('a')),
  send('PUT', `${CUSTOM}/a`, widget('a')),
  send('PUT', `${CUSTOM}/a/status`, { ...widget('a'), status: { replicas: 1 } }),
  send('PUT', `${CORE}/configmaps/a`, {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name: 'a' },
    data: { k: 'w' },
  }),
  send('PATCH', `${CORE}/configmaps/a`, { data: { k: null, l: 'x' } }, 'application/merge-patch+json'),
  send(
    'PATCH',
    `${CORE}/configmaps/a`,
    [
      { op: 'test', path: '/metadata/name', value: 'a' },
      { op: 'add', path: '/data/x~1y', value: '1' },
      { op: 'remove', path: '/data/k' },
    ],
    'application/json-patch+json',
  ),
  send(
    'PATCH',
    `${APPS}/deployments/a`,
    {
      spec: {
        template: {
          spec: {
            containers: [
              { name: 'c', $patch: 'delete' },
              { name: 'd', image: 'i' },
            ],
            '$setElementOrder/containers': [{ name: 'd' }],
          },
        },
      },
    },
    'application/strategic-merge-patch+json',
  ),
  send('PATCH', `${CUSTOM}/a?fieldManager=m&force=true`, widget('a'), 'application/apply-patch+yaml'),
  send(
    'PATCH',
    `${CORE}/configmaps/a?fieldManager=n`,
    { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, data: { k: 'z' } },
    'application/apply-patch+yaml',
  ),
  send('PATCH', `${CUSTOM}/a/scale`, { spec: { replicas: 3 } }, 'application/merge-patch+json'),
  request('POST', `${CORE}/configmaps`, {
    type: 'application/yaml',
    body: Buffer.from(
      'kind: ConfigMap\napiVersion: v1\nmetadata: {name: y, labels: &l {a: b}, annotations: *l}\ndata:\n  k: |\n    text\n',
    ),
  }),
  request('POST', `${CORE}/configmaps`, {
    type: PROTOBUF,
    body: protobuf('ConfigMap', Buffer.concat([meta('p'), field(2, Buffer.concat([field(1, 'k'), field(2, 'v')]))])),
  }),
  request('POST', '/api/v1/namespaces', { type: PROTOBUF, body: protobuf('Namespace', field(1, field(1, 'proto'))) }),
  send('DELETE', `${CORE}/configmaps/a`, {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    propagationPolicy: 'Foreground',
    preconditions: { resourceVersion: '1' },
  }),
  request('DELETE', `${CORE}/configmaps?labelSelector=app%3Da`),
  request('DELETE', `${CUSTOM}/a`),
  request('DELETE', `${CORE}/pods/a?gracePeriodSeconds=0`),
];
