import { forbiddenField } from '../../core/errors.js';
import type { FieldError, Schema } from '../../core/types.js';
import { requestBytes } from './declared.js';
import { most, plus, times } from './size.js';

const ruleLimit = 10_000_000;
const totalLimit = 100_000_000;
const shownRules = 4;

/** What all rules of a schema may cost together (CE-4). */
export class CostTotal {
  #total = 0;
  #expensive: { path: string; cost: number }[] = [];
  readonly #tolerant: boolean;

  /** `tolerant`: single rules may cost more, as they were stored before. */
  constructor(tolerant: boolean) {
    this.#tolerant = tolerant;
  }

  /** Counts an expression; answers an error when it alone costs too much. */
  add(path: string, cost: number, what: string): FieldError | undefined {
    this.#total = plus(this.#total, cost);
    if (cost >= totalLimit / 100) {
      this.#expensive.push({ path, cost });
      this.#expensive = this.#expensive.toSorted((a, b) => b.cost - a.cost).slice(0, shownRules);
    }
    if (this.#tolerant || cost <= ruleLimit) return undefined;
    return forbiddenField(path, exceeds(what, cost / ruleLimit));
  }

  /** Errors of the sum. */
  errors(path: string): FieldError[] {
    if (this.#total <= totalLimit) return [];
    const why = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    return [
      ...this.#expensive.map((rule) => forbiddenField(rule.path, why)),
      forbiddenField(
        path,
        exceeds(
          'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema',
          this.#total / totalLimit,
        ),
      ),
    ];
  }
}

function exceeds(what: string, factor: number): string {
  const shown = factor > 100 ? 'more than 100x' : `${factor.toFixed(factor < 1.5 ? 6 : 1)}x`;
  return `${what} exceeds budget by factor of ${shown} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

/** How many values may stand where a part of a schema is; undefined when nothing around it is bounded. */
export function cardinalityBelow(schema: Schema, cardinality: number | undefined): number | undefined {
  if (cardinality === undefined) return undefined;
  let limit: number | undefined = 1;
  if (schema.type === 'array') limit = schema.maxItems;
  else if (schema.type === 'object' && schema.additionalProperties !== undefined) limit = schema.maxProperties;
  return limit === undefined ? undefined : times(cardinality, Math.max(0, limit));
}

/** The cost of a rule for all values it runs on: at most as many as fit into a request. */
export function costOfAll(cost: number, cardinality: number | undefined, minBytes: number): number {
  return Math.min(times(cost, cardinality ?? Math.floor(requestBytes / (minBytes + 1))), most);
}
