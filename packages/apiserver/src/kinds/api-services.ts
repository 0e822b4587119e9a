import { forbiddenField, invalidValue } from '../core/errors.js';
import type { FieldError, KubeObject, ResourceDef } from '../core/types.js';
import { ageColumn, column, nameColumn } from './columns.js';
import { defineKind } from './define.js';
import { conditionStatus } from './resource-claims.js';
import type { Condition } from './shapes.js';

interface ApiService extends KubeObject {
  spec?: {
    group?: string;
    version?: string;
    groupPriorityMinimum?: number;
    versionPriority?: number;
    service?: { namespace?: string; name?: string };
  };
  status?: { conditions?: Condition[] };
}

const HIGHEST = { groupPriorityMinimum: 20_000, versionPriority: 1000 };

function validate({ metadata, spec = {} }: ApiService): FieldError[] {
  const { group = '', version = '', service } = spec;
  const errors: FieldError[] = [];
  const name = `${version}.${group}`;
  if (metadata.name !== name) {
    const why = `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(name)}`;
    errors.push(invalidValue('metadata.name', metadata.name, why));
  }
  for (const key of ['groupPriorityMinimum', 'versionPriority'] as const) {
    const value = spec[key] ?? 0;
    if (value <= 0 || value > HIGHEST[key])
      errors.push(invalidValue(`spec.${key}`, value, `must be positive and less than ${HIGHEST[key]}`));
  }
  if (service) {
    errors.push(forbiddenField('spec.service', 'the embedded API server passes no requests on to other API servers'));
  }
  return errors;
}

/** APIServices: only those of this server itself; one that names a Service is refused, since nothing would be passed on. */
export const apiServices = (): ResourceDef =>
  defineKind({
    group: 'apiregistration.k8s.io',
    kind: 'APIService',
    plural: 'apiservices',
    categories: ['api-extensions'],
    namespaced: false,
    status: true,
    traits: { unconditionalUpdate: false, statusMetadata: ['labels', 'annotations', 'finalizers', 'ownerReferences'] },
    columns: [
      nameColumn,
      column<ApiService>('Service', ({ spec }) =>
        spec?.service ? `${spec.service.namespace}/${spec.service.name}` : 'Local',
      ),
      column<ApiService>('Available', ({ status }) => conditionStatus(status?.conditions, 'Available') ?? 'Unknown'),
      ageColumn,
    ],
    behaviour: { validate: (object) => validate(object as ApiService) },
  });
