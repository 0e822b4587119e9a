import type { Environment, ParseResult } from '@marcbachmann/cel-js';
import { celEngine } from '../cel/engine.js';
import { toCel } from '../cel/values.js';
import { invalidValue } from '../core/errors.js';
import type { AdmissionAttributes, FieldError, JsonValue, KubeObject } from '../core/types.js';
import { admissionReview } from '../webhooks/review.js';
import type { Policy, Validation } from './policy-types.js';

/** A validation that does not hold. */
export interface Violation {
  readonly message: string;
  readonly reason: string;
}

let environment: Environment | undefined;

function load(): Environment {
  if (environment) return environment;
  environment = celEngine().rules('dyn').clone();
  for (const name of ['object', 'oldObject', 'request', 'params', 'namespaceObject', 'variables'])
    environment.registerVariable(name, 'dyn');
  return environment;
}

const compiled = new Map<string, ParseResult>();

/** Throws an Error that says why the expression cannot be used. `type`: what it has to result in; default anything. */
function compile(expression: string, type?: 'bool' | 'string'): ParseResult {
  const known = compiled.get(expression);
  if (known && !type) return known;
  const parsed = known ?? load().parse(expression);
  const check = parsed.check();
  if (!check.valid) throw new Error(firstLine(check.error));
  if (type && check.type !== type && check.type !== 'dyn') throw new Error(`must evaluate to ${type}`);
  if (compiled.size > 500) compiled.clear();
  compiled.set(expression, parsed);
  return parsed;
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';

/** What the expressions of a policy see of a request. */
export function policyScope(
  policy: Policy,
  at: AdmissionAttributes,
  { params, namespace }: { params: KubeObject | null; namespace: KubeObject | undefined },
): Record<string, unknown> {
  const { version } = at;
  const review = admissionReview({ uid: '', attributes: at, version, reviewVersion: 'v1' }) as {
    request: { [key: string]: JsonValue };
  };
  const { object, oldObject, uid: _uid, ...request } = review.request;
  const see = (value: unknown): unknown => toCel((value ?? null) as JsonValue, {});
  const scope: Record<string, unknown> = {
    object: see(object),
    oldObject: see(oldObject),
    request: see(request),
    params: see(params),
    namespaceObject: see(namespace),
    variables: {},
  };
  for (const { name, expression } of policy.spec.variables ?? []) define(scope, name, expression);
  return scope;
}

/** A variable is worked out when it is first read, so that one that fails hurts only those who use it. */
function define(scope: Record<string, unknown>, name: string, expression: string): void {
  let value: unknown;
  let known = false;
  Object.defineProperty(scope['variables'], name, {
    enumerable: true,
    get: () => {
      if (!known) value = compile(expression)(scope);
      known = true;
      return value;
    },
  });
}

function evaluate(expression: string, scope: Record<string, unknown>): unknown {
  try {
    return compile(expression)(scope);
  } catch (error) {
    throw new Error(`expression '${expression}' resulted in error: ${firstLine(error)}`, { cause: error });
  }
}

/** Whether the match conditions hold; throws when one cannot be evaluated. */
export const policyApplies = (policy: Policy, scope: Record<string, unknown>): boolean =>
  (policy.spec.matchConditions ?? []).every(({ expression }) => evaluate(expression, scope) === true);

/** What does not hold. An expression that fails counts as violated, unless the policy ignores failures. */
export function violations(policy: Policy, scope: Record<string, unknown>): Violation[] {
  const found: Violation[] = [];
  for (const validation of policy.spec.validations ?? []) {
    const reason = validation.reason ?? 'Invalid';
    try {
      if (evaluate(validation.expression, scope) === true) continue;
      found.push({ message: messageOf(validation, scope), reason });
    } catch (error) {
      if (policy.spec.failurePolicy !== 'Ignore') found.push({ message: (error as Error).message, reason: 'Invalid' });
    }
  }
  return found;
}

function messageOf({ expression, message, messageExpression }: Validation, scope: Record<string, unknown>): string {
  const otherwise = message?.trim() || `failed expression: ${expression.trim()}`;
  if (!messageExpression) return otherwise;
  try {
    const text = compile(messageExpression)(scope);
    return typeof text === 'string' && text.trim() && !text.includes('\n') ? text.trim() : otherwise;
  } catch {
    return otherwise;
  }
}

/** What is wrong with the expressions of a policy, so that none is passed over in silence later (DE-7). */
export function checkExpressions({ spec }: Policy): FieldError[] {
  const errors: FieldError[] = [];
  const check = (path: string, expression: string, type?: 'bool' | 'string'): void => {
    try {
      compile(expression, type);
    } catch (error) {
      errors.push(invalidValue(path, expression, `compilation failed: ${firstLine(error)}`));
    }
  };
  for (const [i, { expression }] of (spec.matchConditions ?? []).entries())
    check(`spec.matchConditions[${i}].expression`, expression, 'bool');
  for (const [i, { expression }] of (spec.variables ?? []).entries())
    check(`spec.variables[${i}].expression`, expression);
  for (const [i, { expression, messageExpression }] of (spec.validations ?? []).entries()) {
    check(`spec.validations[${i}].expression`, expression, 'bool');
    if (messageExpression) check(`spec.validations[${i}].messageExpression`, messageExpression, 'string');
  }
  return errors;
}
