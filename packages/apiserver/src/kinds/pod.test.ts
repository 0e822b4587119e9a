import { expect } from 'chai';
import { describe, it } from 'mocha';
import { type AnyJson, Kinds, podSpec } from './harness.test.js';
import { pullPolicyOf } from './pod-defaults.js';

const kinds = new Kinds();
const pod = (
  spec?: Parameters<typeof podSpec>[0],
  container?: Parameters<typeof podSpec>[1],
): { object: AnyJson; errors: string[] } =>
  kinds.create('Pod', { metadata: { name: 'p' }, spec: podSpec(spec, container) });

describe('Pod', () => {
  it('DF-3 defaults of the spec', () => {
    const { object, errors } = pod();
    expect(errors).to.deep.equal([]);
    expect(object.spec).to.deep.include({
      restartPolicy: 'Always',
      dnsPolicy: 'ClusterFirst',
      terminationGracePeriodSeconds: 30,
      schedulerName: 'default-scheduler',
      securityContext: {},
      enableServiceLinks: true,
      serviceAccountName: 'default',
      serviceAccount: 'default',
    });
    expect(object.spec.tolerations.map((t: AnyJson) => [t.key, t.tolerationSeconds])).to.deep.equal([
      ['node.kubernetes.io/not-ready', 300],
      ['node.kubernetes.io/unreachable', 300],
    ]);
    expect(object.spec.containers[0]).to.deep.include({
      imagePullPolicy: 'IfNotPresent',
      terminationMessagePath: '/dev/termination-log',
      terminationMessagePolicy: 'File',
      resources: {},
    });
    expect(object.status).to.deep.equal({ phase: 'Pending', qosClass: 'BestEffort' });
  });

  it('DF-3 imagePullPolicy is Always without a tag or with latest', () => {
    expect(['app', 'app:latest', 'host:5000/app'].map(pullPolicyOf)).to.deep.equal(['Always', 'Always', 'Always']);
    expect(['app:1', 'host:5000/app:1', 'app@sha256:abc'].map(pullPolicyOf)).to.deep.equal([
      'IfNotPresent',
      'IfNotPresent',
      'IfNotPresent',
    ]);
  });

  it('DF-3 probes, limits, volumes, ports', () => {
    const { object } = pod(
      { volumes: [{ name: 'v' }, { name: 'c', configMap: { name: 'x' } }] },
      {
        livenessProbe: { httpGet: { port: 80 } },
        resources: { limits: { cpu: '1', memory: '1Gi' } },
        ports: [{ containerPort: 80 }],
      },
    );
    const [main] = object.spec.containers;
    expect(main.livenessProbe).to.deep.equal({
      httpGet: { path: '/', port: 80, scheme: 'HTTP' },
      timeoutSeconds: 1,
      periodSeconds: 10,
      successThreshold: 1,
      failureThreshold: 3,
    });
    expect(main.resources.requests).to.deep.equal({ cpu: '1', memory: '1Gi' });
    expect(main.ports).to.deep.equal([{ containerPort: 80, protocol: 'TCP' }]);
    expect(object.spec.volumes).to.deep.equal([
      { name: 'v', emptyDir: {} },
      { name: 'c', configMap: { name: 'x', defaultMode: 420 } },
    ]);
    expect(object.status.qosClass).to.equal('Guaranteed');
    expect(pod({}, { resources: { requests: { cpu: '1' } } }).object.status.qosClass).to.equal('Burstable');
  });

  const wrong: [string, Parameters<typeof podSpec>[0], Parameters<typeof podSpec>[1], string][] = [
    ['no containers', { containers: [] }, {}, 'spec.containers: Required value'],
    ['no image', {}, { image: '' }, 'spec.containers[0].image: Required value'],
    [
      'an unknown restart policy',
      { restartPolicy: 'X' },
      {},
      'spec.restartPolicy: Unsupported value: "X": supported values: "Always", "Never", "OnFailure"',
    ],
    [
      'a volume that is not there',
      {},
      { volumeMounts: [{ name: 'v', mountPath: '/x' }] },
      'spec.containers[0].volumeMounts[0].name: Not found: "v"',
    ],
    [
      'two volumes of one name',
      { volumes: [{ name: 'v' }, { name: 'v' }] },
      {},
      'spec.volumes[1].name: Duplicate value: "v"',
    ],
    [
      'a request above its limit',
      {},
      { resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } },
      'spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
    ],
    [
      'a probe without a handler',
      {},
      { livenessProbe: {} },
      'spec.containers[0].livenessProbe: Required value: must specify a handler type',
    ],
    [
      'a port out of range',
      {},
      { ports: [{ containerPort: 99_999 }] },
      'spec.containers[0].ports[0].containerPort: Invalid value: 99999: must be between 1 and 65535, inclusive',
    ],
    [
      'value and valueFrom',
      {},
      { env: [{ name: 'A', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] },
      'spec.containers[0].env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty',
    ],
    [
      'a gate twice',
      { schedulingGates: [{ name: 'a' }, { name: 'a' }] },
      {},
      'spec.schedulingGates[1]: Duplicate value: "a"',
    ],
  ];
  for (const [what, spec, container, error] of wrong) {
    it(`DF-6 refuses ${what}`, () => expect(pod(spec, container).errors).to.deep.equal([error]));
  }

  describe('DF-3 updates', () => {
    const old = pod().object;
    const changed = (change: (spec: AnyJson) => void): string[] => {
      const body = structuredClone(old);
      change(body.spec);
      return kinds.update('Pod', old, body).errors;
    };

    it('DF-3 may change images, deadline and gates, and add tolerations', () => {
      expect(changed((spec) => (spec.containers[0].image = 'other:2'))).to.deep.equal([]);
      expect(changed((spec) => (spec.activeDeadlineSeconds = 5))).to.deep.equal([]);
      expect(changed((spec) => spec.tolerations.push({ key: 'x', operator: 'Exists' }))).to.deep.equal([]);
      const gated = pod({ schedulingGates: [{ name: 'a' }] }).object;
      const free = structuredClone(gated);
      delete free.spec.schedulingGates;
      expect(kinds.update('Pod', gated, free).errors).to.deep.equal([]);
    });

    it('DF-3 may change nothing else', () => {
      expect(changed((spec) => (spec.nodeName = 'n'))[0], 'placing is for bindings').to.contain(
        'pod updates may not change fields',
      );
      expect(changed((spec) => (spec.hostname = 'x'))[0]).to.match(
        /^spec: Forbidden: pod updates may not change fields other than `spec\.containers\[\*\]\.image`/,
      );
      expect(changed((spec) => spec.containers.push({ name: 'b', image: 'b:1' }))).to.deep.equal([
        'spec.containers: Forbidden: pod updates may not add or remove containers',
      ]);
    });
  });

  describe('TV-3 status column', () => {
    const state = (status: AnyJson, metadata: AnyJson = {}): Record<string, unknown> =>
      kinds.row('Pod', {
        metadata: { creationTimestamp: '2030-01-01T00:00:00Z', ...metadata },
        spec: podSpec(),
        status,
      });
    const container = (more: AnyJson): AnyJson => ({ name: 'main', ready: false, restartCount: 0, ...more });

    it('TV-3 a running Pod', () => {
      const row = state({
        phase: 'Running',
        podIP: '1.2.3.4',
        containerStatuses: [container({ ready: true, state: { running: {} } })],
      });
      expect(row).to.include({
        Ready: '1/1',
        Status: 'Running',
        Restarts: '0',
        Age: '5m',
        IP: '1.2.3.4',
        Node: '<none>',
      });
    });

    it('TV-3 pending, ended, failed, waiting, terminating, gated', () => {
      expect(state({ phase: 'Pending' })).to.include({ Ready: '0/1', Status: 'Pending' });
      const completed = { terminated: { exitCode: 0, reason: 'Completed' } };
      expect(state({ phase: 'Succeeded', containerStatuses: [container({ state: completed })] })).to.include({
        Status: 'Completed',
      });
      expect(
        state({ phase: 'Failed', containerStatuses: [container({ state: { terminated: { exitCode: 3 } } })] }),
      ).to.include({ Status: 'ExitCode:3' });
      const waiting = { waiting: { reason: 'CrashLoopBackOff' } };
      const crashed = { terminated: { exitCode: 1, finishedAt: '2030-01-01T00:04:00Z' } };
      expect(
        state({
          phase: 'Running',
          containerStatuses: [container({ restartCount: 3, state: waiting, lastState: crashed })],
        }),
      ).to.include({
        Status: 'CrashLoopBackOff',
        Restarts: '3 (60s ago)',
      });
      expect(state({ phase: 'Running' }, { deletionTimestamp: '2030-01-01T00:04:00Z' })).to.include({
        Status: 'Terminating',
      });
      const gated = [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }];
      expect(state({ phase: 'Pending', conditions: gated })).to.include({ Status: 'SchedulingGated' });
    });
  });
});
