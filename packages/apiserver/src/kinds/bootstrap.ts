import type { KubeObject } from '../core/types.js';

/** What exists before the first request (BO-1). */

const RBAC = 'rbac.authorization.k8s.io';
const LABELS = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };
const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'delete', 'deletecollection', 'patch', 'update'];

interface Rule {
  apiGroups?: string[];
  resources?: string[];
  nonResourceURLs?: string[];
  verbs: string[];
}

const rule = (apiGroups: string[], resources: string[], verbs: string[]): Rule => ({ apiGroups, resources, verbs });
const paths = (...nonResourceURLs: string[]): Rule => ({ nonResourceURLs, verbs: ['get'] });

const namespaceOf = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

const clusterRole = (name: string, rules: Rule[], labels: Record<string, string> = {}): KubeObject => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'ClusterRole',
  metadata: { name, labels: { ...LABELS, ...labels } },
  rules,
});

const clusterBinding = (name: string, groups: readonly string[]): KubeObject => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: { name, labels: LABELS },
  roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name },
  subjects: groups.map((group) => ({ apiGroup: RBAC, kind: 'Group', name: group })),
});

const CORE = [
  'configmaps',
  'endpoints',
  'persistentvolumeclaims',
  'pods',
  'replicationcontrollers',
  'serviceaccounts',
  'services',
];
const SEEN_ONLY = [
  'bindings',
  'events',
  'limitranges',
  'namespaces/status',
  'pods/log',
  'pods/status',
  'resourcequotas',
  'namespaces',
];
const APPS = [
  'daemonsets',
  'deployments',
  'deployments/scale',
  'replicasets',
  'replicasets/scale',
  'statefulsets',
  'statefulsets/scale',
];

/** What a reader of a namespace may see; Secrets and RBAC objects are not in it. */
const viewRules = (): Rule[] => [
  rule([''], [...CORE, ...SEEN_ONLY], READ),
  rule(['discovery.k8s.io'], ['endpointslices'], READ),
  rule(['apps'], ['controllerrevisions', ...APPS], READ),
  rule(['autoscaling'], ['horizontalpodautoscalers'], READ),
  rule(['batch'], ['cronjobs', 'jobs'], READ),
  rule(['policy'], ['poddisruptionbudgets'], READ),
  rule(['networking.k8s.io'], ['ingresses', 'networkpolicies'], READ),
];

const editRules = (): Rule[] => [
  ...viewRules(),
  rule([''], ['secrets'], [...READ, ...WRITE]),
  rule(
    [''],
    [...CORE, 'events', 'pods/attach', 'pods/exec', 'pods/portforward', 'pods/proxy', 'services/proxy'],
    WRITE,
  ),
  rule([''], ['pods/eviction', 'serviceaccounts/token'], ['create']),
  rule(['apps'], APPS, WRITE),
  rule(['autoscaling'], ['horizontalpodautoscalers'], WRITE),
  rule(['batch'], ['cronjobs', 'jobs'], WRITE),
  rule(['policy'], ['poddisruptionbudgets'], WRITE),
  rule(['networking.k8s.io'], ['ingresses', 'networkpolicies'], WRITE),
  rule(['coordination.k8s.io'], ['leases'], [...READ, ...WRITE]),
];

const adminRules = (): Rule[] => [
  ...editRules(),
  rule(['authorization.k8s.io'], ['localsubjectaccessreviews'], ['create']),
  rule([RBAC], ['rolebindings', 'roles'], [...READ, ...WRITE]),
];

const HEALTH = ['/healthz', '/livez', '/readyz', '/version', '/version/'];
const DISCOVERY = ['/api', '/api/*', '/apis', '/apis/*', '/openapi', '/openapi/*'];

/** Name and aggregation label of a role that collects others. */
function aggregate(name: string, rules: Rule[], into: readonly string[]): KubeObject[] {
  const key = (role: string): string => `rbac.authorization.k8s.io/aggregate-to-${role}`;
  const labels = Object.fromEntries(into.map((role) => [key(role), 'true']));
  const role = clusterRole(name, rules, labels);
  role.aggregationRule = { clusterRoleSelectors: [{ matchLabels: { [key(name)]: 'true' } }] };
  return [role, clusterRole(`system:aggregate-to-${name}`, rules, { [key(name)]: 'true' })];
}

function rbacObjects(): KubeObject[] {
  const admin = clusterRole('cluster-admin', [rule(['*'], ['*'], ['*']), { nonResourceURLs: ['*'], verbs: ['*'] }]);
  const reviews = rule(['authorization.k8s.io'], ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'], ['create']);
  return [
    admin,
    ...aggregate('admin', adminRules(), []),
    ...aggregate('edit', editRules(), ['admin']),
    ...aggregate('view', viewRules(), ['edit']),
    clusterRole('system:basic-user', [reviews, rule(['authentication.k8s.io'], ['selfsubjectreviews'], ['create'])]),
    clusterRole('system:discovery', [paths(...DISCOVERY, ...HEALTH)]),
    clusterRole('system:public-info-viewer', [paths(...HEALTH)]),
    clusterBinding('cluster-admin', ['system:masters']),
    clusterBinding('system:basic-user', ['system:authenticated']),
    clusterBinding('system:discovery', ['system:authenticated']),
    clusterBinding('system:public-info-viewer', ['system:authenticated', 'system:unauthenticated']),
  ];
}

/** The node all Pods run on. */
const NODE_NAME = 'embedded-node';

function node(now: string): KubeObject {
  const condition = (type: string, status: string, reason: string): object => ({
    type,
    status,
    reason,
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  });
  const resources = { cpu: '64', memory: '256Gi', pods: '10000', 'ephemeral-storage': '1Ti' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: NODE_NAME,
      labels: { 'kubernetes.io/hostname': NODE_NAME, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' },
    },
    spec: { podCIDR: '10.244.0.0/16' },
    status: {
      capacity: resources,
      allocatable: resources,
      addresses: [
        { type: 'InternalIP', address: '127.0.0.1' },
        { type: 'Hostname', address: NODE_NAME },
      ],
      conditions: [
        condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory'),
        condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure'),
        condition('PIDPressure', 'False', 'KubeletHasSufficientPID'),
        condition('Ready', 'True', 'KubeletReady'),
      ],
      nodeInfo: {
        machineID: 'embedded',
        systemUUID: 'embedded',
        bootID: 'embedded',
        kernelVersion: 'embedded',
        osImage: 'embedded test server',
        containerRuntimeVersion: 'embedded://0',
        kubeletVersion: 'v1.37.2+embedded',
        kubeProxyVersion: '',
        operatingSystem: 'linux',
        architecture: 'amd64',
      },
    },
  };
}

/** The Service of the API server and where it listens. */
function apiService(endpoint: { address: string; port: number }): KubeObject[] {
  const metadata = { name: 'kubernetes', namespace: 'default' };
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...metadata, labels: { component: 'apiserver', provider: 'kubernetes' } },
      spec: {
        clusterIP: '10.96.0.1',
        ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: endpoint.port }],
      },
    },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { ...metadata, labels: { 'kubernetes.io/service-name': 'kubernetes' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: [endpoint.address], conditions: { ready: true } }],
      ports: [{ name: 'https', port: endpoint.port, protocol: 'TCP' }],
    },
  ];
}

/** What bootstrap objects depend on. */
interface BootstrapOptions {
  /** Timestamp (RFC 3339) for the conditions of the node. */
  now: string;
  /**
   * Where the API server listens, as its EndpointSlice says; default 192.0.2.1:6443, which nothing routes to. The API takes no
   * loopback address there.
   */
  endpoint?: { address: string; port: number };
}

/**
 * The objects of BO-1 in an order in which they can be created. The ServiceAccount and ConfigMap of each namespace are not
 * among them: their controller makes them.
 */
export function bootstrapObjects({
  now,
  endpoint = { address: '192.0.2.1', port: 6443 },
}: BootstrapOptions): KubeObject[] {
  return [
    ...['default', 'kube-node-lease', 'kube-public', 'kube-system'].map(namespaceOf),
    ...rbacObjects(),
    node(now),
    ...apiService(endpoint),
  ];
}
