import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { ResourceDef } from '../core/types.js';
import { bootstrapObjects } from './bootstrap.js';
import { Kinds } from './harness.test.js';
import { humanDuration } from './human-duration.js';

const kinds = new Kinds();
const names = (pick: (resource: ResourceDef) => boolean): string[] =>
  kinds.resources
    .filter((r) => r.verbs.includes('list') && pick(r))
    .map((r) => (r.group === 'events.k8s.io' ? 'events.k8s.io' : r.plural))
    .sort();

describe('table of built-in kinds', () => {
  it('KI-1 every kind has a schema, and its resources are told apart', () => {
    const seen = new Set<string>();
    for (const resource of kinds.resources) {
      for (const version of resource.versions)
        expect(version.schema?.root.properties, resource.plural).to.be.an('object');
      seen.add(`${resource.group}/${resource.plural}`);
    }
    expect(seen.size).to.equal(kinds.resources.length);
  });

  it('KI-4 category all', () => {
    const all = [
      'cronjobs',
      'daemonsets',
      'deployments',
      'horizontalpodautoscalers',
      'jobs',
      'pods',
      'replicasets',
      'replicationcontrollers',
    ];
    expect(names((r) => r.categories.includes('all'))).to.deep.equal([...all, 'services', 'statefulsets']);
  });

  it('ME-6 kinds that want a resourceVersion on PUT', () => {
    expect(names((r) => !r.traits.unconditionalUpdate)).to.deep.equal([
      'apiservices',
      'csidrivers',
      'csinodes',
      'leases',
      'mutatingadmissionpolicies',
      'mutatingadmissionpolicybindings',
      'mutatingwebhookconfigurations',
      'poddisruptionbudgets',
      'runtimeclasses',
      'storageversionmigrations',
      'validatingadmissionpolicies',
      'validatingadmissionpolicybindings',
      'validatingwebhookconfigurations',
    ]);
  });

  it('ME-7 kinds that PUT creates', () => {
    const creating = [
      'clusterrolebindings',
      'clusterroles',
      'endpoints',
      'events',
      'events.k8s.io',
      'leases',
      'limitranges',
    ];
    expect(names((r) => r.traits.createOnUpdate)).to.deep.equal([
      ...creating,
      'rolebindings',
      'roles',
      'runtimeclasses',
      'services',
    ]);
  });

  it('ER-30 kinds whose deletion answers the object', () => {
    const answering = [
      'csidrivers',
      'csinodes',
      'deviceclasses',
      'namespaces',
      'persistentvolumeclaims',
      'persistentvolumes',
      'pods',
      'podtemplates',
      'resourceclaims',
      'resourceclaimtemplates',
      'resourcequotas',
      'resourceslices',
    ];
    expect(names((r) => r.traits.deleteAnswer === 'object')).to.deep.equal([
      ...answering,
      'serviceaccounts',
      'services',
      'storageclasses',
      'volumeattributesclasses',
    ]);
  });

  it('DL-2 Jobs and ReplicationControllers leave their Pods behind', () => {
    expect(names((r) => r.traits.defaultPropagation === 'Orphan')).to.deep.equal(['jobs', 'replicationcontrollers']);
  });

  it('ME-5 kinds without generation', () => {
    const without = [
      'clusterrolebindings',
      'clusterroles',
      'configmaps',
      'leases',
      'namespaces',
      'rolebindings',
      'roles',
      'secrets',
      'serviceaccounts',
      'services',
    ];
    expect(names((r) => r.traits.generation === 'none')).to.include.members(without);
    expect(kinds.of('Deployment').traits.generation).to.equal('spec-and-annotations');
  });

  const columns: Record<string, string> = {
    Pod: 'Name Ready Status Restarts Age +IP +Node +Nominated_Node +Readiness_Gates',
    Deployment: 'Name Ready Up-to-date Available Age +Containers +Images +Selector',
    ReplicaSet: 'Name Desired:integer Current:integer Ready:integer Age +Containers +Images +Selector',
    StatefulSet: 'Name Ready Age +Containers +Images',
    Job: 'Name Status Completions Duration Age +Containers +Images +Selector',
    CronJob: 'Name Schedule Timezone Suspend:boolean Active:integer Last_Schedule Age +Containers +Images +Selector',
    Service: 'Name Type Cluster-IP External-IP Port(s) Age +Selector',
    ConfigMap: 'Name Data Age',
    Secret: 'Name Type Data Age',
    ServiceAccount: 'Name Age',
    Namespace: 'Name Status Age',
    Node: 'Name Status Roles Age Version +Internal-IP +External-IP +OS-Image +Kernel-Version +Container-Runtime',
    Event: 'Last_Seen Type Reason Object +Subobject +Source Message +First_Seen +Count +Name',
    Lease: 'Name Holder Age',
    Role: 'Name Created_At:date',
    RoleBinding: 'Name Role Age +Users +Groups +ServiceAccounts',
    PersistentVolumeClaim:
      'Name Status Volume Capacity Access_Modes StorageClass VolumeAttributesClass Age +VolumeMode',
    PriorityClass: 'Name Value:integer Global-Default:boolean Age PreemptionPolicy',
  };
  for (const [kind, expected] of Object.entries(columns)) {
    it(`TV-3 columns of ${kind}`, () => {
      const shown = kinds
        .of(kind)
        .versions[0]?.columns.map(
          ({ name, type, priority }) =>
            `${priority ? '+' : ''}${name.replaceAll(' ', '_')}${type === 'string' ? '' : `:${type}`}`,
        );
      expect(shown?.join(' ')).to.equal(expected);
    });
  }

  it('TV-1 ages as kubectl shows them', () => {
    const s = 1000;
    const ages = [
      0,
      119 * s,
      120 * s,
      121 * s,
      600 * s,
      3 * 3600 * s,
      8 * 3600 * s,
      49 * 3600 * s,
      400 * 86_400 * s,
      800 * 86_400 * s,
    ];
    expect(ages.map(humanDuration)).to.deep.equal([
      '0s',
      '119s',
      '2m',
      '2m1s',
      '10m',
      '3h',
      '8h',
      '2d1h',
      '400d',
      '2y70d',
    ]);
  });

  it('BO-1 bootstrap objects decode without unknown fields and pass validation', () => {
    for (const object of bootstrapObjects({ now: '2030-01-01T00:00:00Z' })) {
      const group = object.apiVersion.includes('/') ? (object.apiVersion.split('/')[0] ?? '') : '';
      const body = JSON.parse(JSON.stringify(object));
      const what = `${object.kind} ${object.metadata.name}`;
      expect(kinds.decode(object.kind, body, group).problems, what).to.deep.equal([]);
      expect(kinds.create(object.kind, body, group).errors, what).to.deep.equal([]);
    }
  });

  it('KI-2 an Event is the same object in both groups', () => {
    const { strategy } = kinds.of('Event', 'events.k8s.io');
    const sent = {
      metadata: { name: 'e', namespace: 'n' },
      eventTime: '2030-01-01T00:00:00.000000Z',
      note: 'hi',
      reason: 'R',
      type: 'Normal',
      regarding: { kind: 'Pod', namespace: 'n' },
      reportingController: 'a.b/c',
    };
    const { object } = kinds.decode('Event', sent, 'events.k8s.io');
    const stored = strategy.toStorage?.(object);
    expect(stored).to.deep.include({
      apiVersion: 'v1',
      message: 'hi',
      involvedObject: { kind: 'Pod', namespace: 'n' },
      reportingComponent: 'a.b/c',
    });
    expect(strategy.convert(stored ?? object, 'v1')).to.deep.equal(object);
    expect(kinds.of('Event', 'events.k8s.io').storage).to.equal('events');
  });
});
