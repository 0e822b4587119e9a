import { invalidValue } from '../core/errors.js';
import type { FieldError, JsonValue, KubeObject, ScalePaths } from '../core/types.js';
import { goPlain, goType } from '../schema/go-text.js';

const maxInt32 = 0x7fffffff;

/** What the paths of the scale subresource point at must be numbers and texts (VA-5). */
export function checkScale(object: KubeObject, paths: ScalePaths, part: 'all' | 'status'): FieldError[] {
  const errors: FieldError[] = [];
  if (part === 'all') checkReplicas(object, paths.specReplicasPath, errors);
  checkReplicas(object, paths.statusReplicasPath, errors);
  if (paths.labelSelectorPath) {
    const found = lookUp(object, paths.labelSelectorPath);
    const wrong =
      found.problem ??
      (found.value === undefined ? undefined : accessorProblem(paths.labelSelectorPath, found.value, 'string'));
    if (wrong) errors.push(invalidValue(paths.labelSelectorPath, '', wrong));
  }
  return errors;
}

function checkReplicas(object: KubeObject, path: string, errors: FieldError[]): void {
  const { value, problem } = lookUp(object, path);
  const wrong = problem ?? (value === undefined ? undefined : accessorProblem(path, value, 'int64'));
  if (wrong) errors.push(invalidValue(path, 0, wrong));
  else if (typeof value === 'number' && value < 0)
    errors.push(invalidValue(path, value, 'should be a non-negative integer'));
  else if (typeof value === 'number' && value > maxInt32) {
    errors.push(invalidValue(path, value, `should be less than or equal to ${maxInt32}`));
  }
}

function lookUp(object: KubeObject, path: string): { value?: JsonValue; problem?: string } {
  const names = path.replace(/^\./, '').split('.');
  let value: unknown = object;
  for (const [depth, name] of names.entries()) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      const at = `.${names.slice(0, depth).join('.')}`;
      return {
        problem: `${at} accessor error: ${goPlain(value as JsonValue)} is of the type ${goType(value as JsonValue)}, expected map[string]interface{}`,
      };
    }
    value = (value as Record<string, unknown>)[name];
    if (value === undefined) return {};
  }
  return { value: value as JsonValue };
}

function accessorProblem(path: string, value: JsonValue, wanted: 'int64' | 'string'): string | undefined {
  if (wanted === 'int64' ? Number.isInteger(value) : typeof value === 'string') return undefined;
  return `.${path.replace(/^\./, '')} accessor error: ${goPlain(value)} is of the type ${goType(value)}, expected ${wanted}`;
}
