import type { ResourceDef } from '../core/types.js';
import { plainColumns } from './columns.js';
import { defineKind, type KindSpec } from './define.js';

/** Kinds that are asked and answered, never stored (AU-4): only `create`. */

const asked = (spec: Pick<KindSpec, 'group' | 'kind' | 'plural' | 'namespaced'>): ResourceDef =>
  defineKind({ ...spec, verbs: ['create'], columns: plainColumns });

const authentication = (kind: string): ResourceDef =>
  asked({ group: 'authentication.k8s.io', kind, plural: `${kind.toLowerCase()}s`, namespaced: false });

const authorization = (kind: string, namespaced = false): ResourceDef =>
  asked({ group: 'authorization.k8s.io', kind, plural: `${kind.toLowerCase()}s`, namespaced });

/** `POST bindings`, the older form of `pods/binding`. */
export const bindings = (): ResourceDef => asked({ kind: 'Binding', plural: 'bindings', namespaced: true });

/** Reviews of both groups. */
export const reviews = (): ResourceDef[] => [
  authentication('SelfSubjectReview'),
  authentication('TokenReview'),
  authorization('LocalSubjectAccessReview', true),
  authorization('SelfSubjectAccessReview'),
  authorization('SelfSubjectRulesReview'),
  authorization('SubjectAccessReview'),
];
