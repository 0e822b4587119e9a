import { forbiddenField } from '../core/errors.js';
import type { KubeObject, ResourceDef, SubresourceInfo } from '../core/types.js';
import { defineKind } from './define.js';
import { podColumns } from './pod-columns.js';
import { defaultPod, preparePod, qosClassOf } from './pod-defaults.js';
import { validatePodSpec, validatePodUpdate } from './pod-validation.js';
import type { Pod } from './shapes.js';

const sub = (name: string, verbs: readonly string[], of: Partial<SubresourceInfo> = {}): SubresourceInfo => ({
  name,
  kind: 'Pod',
  group: '',
  version: 'v1',
  verbs,
  ...of,
});

const spec = (read: (pod: Pod) => string | undefined) => (object: KubeObject) => read(object as Pod) ?? '';

/** Pods. */
export const pods = (): ResourceDef =>
  defineKind({
    kind: 'Pod',
    plural: 'pods',
    shortNames: ['po'],
    categories: ['all'],
    status: true,
    subresources: [
      sub('attach', ['create', 'get'], { kind: 'PodAttachOptions' }),
      sub('binding', ['create'], { kind: 'Binding' }),
      sub('ephemeralcontainers', ['get', 'patch', 'update']),
      sub('eviction', ['create'], { kind: 'Eviction', group: 'policy' }),
      sub('exec', ['create', 'get'], { kind: 'PodExecOptions' }),
      sub('log', ['get']),
      sub('portforward', ['create', 'get'], { kind: 'PodPortForwardOptions' }),
      sub('proxy', ['create', 'delete', 'get', 'patch', 'update'], { kind: 'PodProxyOptions' }),
    ],
    traits: {
      generation: 'spec',
      gracefulDelete: true,
      deleteAnswer: 'object',
      statusMetadata: ['labels', 'annotations', 'finalizers'],
    },
    columns: podColumns,
    fields: {
      'spec.nodeName': spec((pod) => pod.spec.nodeName),
      'spec.restartPolicy': spec((pod) => pod.spec.restartPolicy),
      'spec.schedulerName': spec((pod) => pod.spec.schedulerName),
      'spec.serviceAccountName': spec((pod) => pod.spec.serviceAccountName),
      'spec.hostNetwork': spec((pod) => String(pod.spec.hostNetwork ?? false)),
      'status.phase': spec((pod) => pod.status?.phase),
      'status.podIP': spec((pod) => pod.status?.podIP),
      'status.nominatedNodeName': spec((pod) => pod.status?.nominatedNodeName),
    },
    behaviour: {
      defaults: defaultPod,
      prepareCreate: preparePod,
      initialStatus: (object) => ({ phase: 'Pending', qosClass: qosClassOf((object as Pod).spec) }),
      prepareUpdate: (next, old) => {
        // The class is reckoned once; a status written without it keeps it.
        const status = next.status as Pod['status'] | undefined;
        const qosClass = (old as Pod).status?.qosClass;
        if (status && qosClass !== undefined) status.qosClass ??= qosClass;
      },
      validate: (object) => validatePodSpec((object as Pod).spec, 'spec'),
      validateNew: (object) =>
        (object as Pod).spec.ephemeralContainers?.length
          ? [forbiddenField('spec.ephemeralContainers', 'cannot be set on create')]
          : [],
      validateUpdate: validatePodUpdate,
    },
  });
