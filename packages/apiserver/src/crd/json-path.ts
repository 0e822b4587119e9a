import type { JsonValue } from '../core/types.js';

type Step =
  | { kind: 'field'; name: string }
  | { kind: 'index'; index: number }
  | { kind: 'slice'; from: number | undefined; to: number | undefined; step: number }
  | { kind: 'all' }
  | { kind: 'descend'; name: string | undefined }
  | { kind: 'filter'; path: Step[]; operator: string; value: JsonValue | undefined };

/** A compiled JSONPath of printer columns and selectable fields: answers all values found. */
export type JsonPath = (value: unknown) => JsonValue[];

/** Compiles a path such as `.spec.items[0].name` or `.status.conditions[?(@.type=="Ready")].status`; a text says why not. */
export function compileJsonPath(text: string): JsonPath | string {
  try {
    const steps = new Parser(text).steps();
    return (value) => find([value as JsonValue], steps);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  steps(end?: RegExp): Step[] {
    const steps: Step[] = [];
    if (this.#text[this.#at] === '$' || this.#text[this.#at] === '@') this.#at++;
    while (this.#at < this.#text.length && !(end && end.test(this.#text.slice(this.#at)))) {
      if (this.#take('..')) steps.push({ kind: 'descend', name: this.#take('*') ? undefined : this.#name() });
      else if (this.#take('.')) {
        if (this.#take('*')) steps.push({ kind: 'all' });
        else if (this.#text[this.#at] !== '[') steps.push({ kind: 'field', name: this.#name() });
      } else if (this.#take('[')) steps.push(this.#bracket());
      else throw new Error(`unexpected ${JSON.stringify(this.#text[this.#at])} at ${this.#at} in ${this.#text}`);
    }
    return steps;
  }

  #take(token: string): boolean {
    if (!this.#text.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    return true;
  }

  #match(re: RegExp): RegExpExecArray | undefined {
    const found = re.exec(this.#text.slice(this.#at));
    if (found) this.#at += found[0].length;
    return found ?? undefined;
  }

  #name(): string {
    const found = this.#match(/^(\\.|[^.[\]\s'"()=<>!|,])+/);
    if (!found) throw new Error(`a name is missing at ${this.#at} in ${this.#text}`);
    return found[0].replace(/\\(.)/g, '$1');
  }

  #bracket(): Step {
    if (this.#take('*]')) return { kind: 'all' };
    const quoted = this.#match(/^(['"])((?:\\.|(?!\1).)*)\1\]/);
    if (quoted) return { kind: 'field', name: (quoted[2] as string).replace(/\\(.)/g, '$1') };
    const index = this.#match(/^(-?\d+)\]/);
    if (index) return { kind: 'index', index: Number(index[1]) };
    const slice = this.#match(/^(-?\d*):(-?\d*)(?::(\d+))?\]/);
    if (slice) {
      const at = (part: string | undefined): number | undefined => (part ? Number(part) : undefined);
      return { kind: 'slice', from: at(slice[1]), to: at(slice[2]), step: at(slice[3]) ?? 1 };
    }
    if (this.#take('?(')) return this.#filter();
    throw new Error(`unterminated or unknown bracket at ${this.#at} in ${this.#text}`);
  }

  #filter(): Step {
    this.#match(/^\s*/);
    const path = this.steps(/^\s*(==|!=|<=|>=|<|>|\))/);
    const operator = this.#match(/^\s*(==|!=|<=|>=|<|>)\s*/)?.[1] ?? '';
    let value: JsonValue | undefined;
    if (operator) {
      const literal = this.#match(/^(?:'((?:\\.|[^'])*)'|"((?:\\.|[^"])*)"|(-?\d+(?:\.\d+)?)|(true|false))/);
      if (!literal) throw new Error(`a value is missing at ${this.#at} in ${this.#text}`);
      const [, single, double, number, boolean] = literal;
      const string = single ?? double;
      value =
        string !== undefined
          ? string.replace(/\\(.)/g, '$1')
          : number !== undefined
            ? Number(number)
            : boolean === 'true';
    }
    if (!this.#match(/^\s*\)\]/)) throw new Error(`unterminated filter at ${this.#at} in ${this.#text}`);
    return { kind: 'filter', path, operator, value };
  }
}

function find(values: JsonValue[], steps: readonly Step[]): JsonValue[] {
  let found = values;
  for (const step of steps) found = found.flatMap((value) => apply(value, step));
  return found;
}

function apply(value: JsonValue, step: Step): JsonValue[] {
  switch (step.kind) {
    case 'field':
      return isMap(value) && value[step.name] !== undefined ? [value[step.name] as JsonValue] : [];
    case 'index': {
      const item = Array.isArray(value) ? value.at(step.index) : undefined;
      return item === undefined ? [] : [item];
    }
    case 'slice':
      return Array.isArray(value) ? value.slice(step.from, step.to).filter((_, i) => i % step.step === 0) : [];
    case 'all':
      return children(value);
    case 'descend':
      return descend(value, step.name);
    case 'filter':
      return children(value).filter((item) => matches(item, step));
  }
}

function isMap(value: JsonValue | undefined): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function children(value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) return value;
  return isMap(value) ? Object.values(value) : [];
}

function descend(value: JsonValue, name: string | undefined): JsonValue[] {
  const own = isMap(value)
    ? name === undefined
      ? Object.values(value)
      : name in value
        ? [value[name] as JsonValue]
        : []
    : [];
  return [...own, ...children(value).flatMap((child) => descend(child, name))];
}

function matches(item: JsonValue, filter: Extract<Step, { kind: 'filter' }>): boolean {
  const [left] = find([item], filter.path);
  const { operator, value: right } = filter;
  if (!operator) return left !== undefined;
  if (left === undefined || left === null || right === undefined || right === null) return false;
  switch (operator) {
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    default:
      return left >= right;
  }
}
