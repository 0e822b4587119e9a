import type { Environment, ParseResult } from '@marcbachmann/cel-js';
import { celEngine } from '../cel/engine.js';
import { toCel } from '../cel/values.js';
import { invalidValue } from '../core/errors.js';
import type { AdmissionAttributes, FieldError, JsonValue, KubeObject } from '../core/types.js';
import { admissionReview } from './review.js';
import type { MatchCondition, Webhook } from './types.js';

let environment: Environment | undefined;

function load(): Environment {
  if (environment) return environment;
  environment = celEngine().rules('dyn').clone();
  for (const name of ['object', 'oldObject', 'request']) environment.registerVariable(name, 'dyn');
  return environment;
}

const compiled = new Map<string, ParseResult>();

/** Throws an Error that says why the expression cannot be used. */
function compile(expression: string): ParseResult {
  const known = compiled.get(expression);
  if (known) return known;
  const parsed = load().parse(expression);
  const { valid, error, type } = parsed.check();
  if (!valid) throw new Error(firstLine(error));
  if (type !== 'bool' && type !== 'dyn') throw new Error('must evaluate to bool');
  if (compiled.size > 500) compiled.clear();
  compiled.set(expression, parsed);
  return parsed;
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';

/** Whether all conditions of a webhook hold; throws when one cannot be evaluated (AD-2). */
export function conditionsHold(hook: Webhook, attributes: AdmissionAttributes): boolean {
  const version = attributes.version;
  const review = admissionReview({ uid: '', attributes, version, reviewVersion: 'v1' }) as {
    request: { [key: string]: JsonValue };
  };
  const { object, oldObject, uid: _uid, ...request } = review.request;
  const variables = {
    object: toCel(object ?? null, {}),
    oldObject: toCel(oldObject ?? null, {}),
    request: toCel(request, {}),
  };
  return (hook.matchConditions ?? []).every((condition) => holds(hook, condition, variables));
}

function holds(hook: Webhook, { name, expression }: MatchCondition, variables: Record<string, unknown>): boolean {
  try {
    return compile(expression)(variables) === true;
  } catch (error) {
    throw new Error(
      `webhook ${hook.name}: expression '${expression}' (matchCondition ${name}) resulted in error: ${firstLine(error)}`,
    );
  }
}

/** What is wrong with the conditions of a webhook configuration, so that none is passed over in silence later (DE-7). */
export function checkConditions(configuration: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  for (const [i, hook] of ((configuration['webhooks'] ?? []) as Webhook[]).entries()) {
    for (const [j, { expression }] of (hook.matchConditions ?? []).entries()) {
      try {
        compile(expression);
      } catch (error) {
        const path = `webhooks[${i}].matchConditions[${j}].expression`;
        errors.push(invalidValue(path, expression, `compilation failed: ${firstLine(error)}`));
      }
    }
  }
  return errors;
}
