import { invalidValue } from '../core/errors.js';
import type { JsonValue, Schema } from '../core/types.js';
import type { At, Findings, Validator } from './validate.js';

/** Checks anyOf, oneOf, allOf and not (VA-2). When no alternative fits, the errors of the nearest one are reported too. */
export function validateAlternatives(validator: Validator, value: JsonValue, schema: Schema, at: At): void {
  const { anyOf, oneOf, allOf, not } = schema;
  if (!anyOf && !oneOf && !allOf && !not) return;
  const fail = (text: string): void => {
    at.findings.errors.push(invalidValue(validator.field(''), '', `"${at.path}" ${text}`));
  };
  const results = (list: readonly Schema[]): Findings[] => list.map((one) => tryOne(validator, value, one, at.path));
  if (anyOf?.length) {
    const found = results(anyOf);
    if (!found.some(isValid)) {
      fail('must validate at least one schema (anyOf)');
      take(best(found), at.findings);
    }
  }
  if (oneOf?.length) {
    const found = results(oneOf);
    const valid = found.filter(isValid).length;
    if (valid !== 1) {
      const why = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
      fail(`must validate one and only one schema (oneOf). ${why}`);
      if (valid === 0) take(best(found), at.findings);
    }
  }
  if (allOf?.length) {
    const found = results(allOf);
    for (const one of found) take(one, at.findings);
    const valid = found.filter(isValid).length;
    if (valid !== found.length) fail(`must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`);
  }
  if (not && isValid(tryOne(validator, value, not, at.path))) fail('must not validate the schema (not)');
}

function tryOne(validator: Validator, value: JsonValue, schema: Schema, path: string): Findings {
  const findings: Findings = { errors: [], matches: 0 };
  validator.node(value, undefined, schema, { path, findings });
  return findings;
}

const isValid = (findings: Findings): boolean => findings.errors.length === 0;

function best(found: readonly Findings[]): Findings | undefined {
  let result: Findings | undefined;
  for (const one of found) if (!result || one.matches > result.matches) result = one;
  return result;
}

function take(from: Findings | undefined, to: Findings): void {
  if (!from) return;
  to.errors.push(...from.errors);
  to.matches += from.matches;
}
