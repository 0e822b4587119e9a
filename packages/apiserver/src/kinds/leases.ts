import { invalidValue } from '../core/errors.js';
import type { FieldError, KubeObject, ResourceDef } from '../core/types.js';
import { ageColumn, column, nameColumn } from './columns.js';
import { defineKind } from './define.js';

interface Lease extends KubeObject {
  spec?: { holderIdentity?: string; leaseDurationSeconds?: number; leaseTransitions?: number };
}

/** Leases: no defaults (DF-5). */
export const leases = (): ResourceDef =>
  defineKind({
    group: 'coordination.k8s.io',
    kind: 'Lease',
    plural: 'leases',
    traits: { createOnUpdate: true, unconditionalUpdate: false },
    columns: [nameColumn, column<Lease>('Holder', ({ spec }) => spec?.holderIdentity ?? ''), ageColumn],
    behaviour: {
      validate: (object) => {
        const { spec = {} } = object as Lease;
        const errors: FieldError[] = [];
        if (spec.leaseDurationSeconds !== undefined && spec.leaseDurationSeconds <= 0) {
          errors.push(invalidValue('spec.leaseDurationSeconds', spec.leaseDurationSeconds, 'must be greater than 0'));
        }
        if (spec.leaseTransitions !== undefined && spec.leaseTransitions < 0) {
          errors.push(
            invalidValue('spec.leaseTransitions', spec.leaseTransitions, 'must be greater than or equal to 0'),
          );
        }
        return errors;
      },
    },
  });
