import type { KubewrightError } from '@kubewright/api';
import { runtimeError } from '../errors.js';

export const badFieldPath = (path: string, column: number): KubewrightError =>
  runtimeError('KW_PREDICATE_PATH', `"${path}" is no field path (column ${column})`, {
    fix: 'write for example spec.replicas, spec.list[0] or metadata.annotations["a.example.com/b"]',
  });
