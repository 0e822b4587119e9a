import { badRequest } from './errors.js';
import { checkLabelValue, checkQualifiedName } from './names.js';

type Operator = 'in' | 'notin' | '=' | '==' | '!=' | 'exists' | '!' | 'gt' | 'lt';

interface Requirement {
  key: string;
  operator: Operator;
  values: readonly string[];
}

type Labels = Readonly<Record<string, string>> | undefined;

/** A parsed label selector; answers whether an object's labels fit. */
export type LabelSelector = (labels: Labels) => boolean;

const SPECIAL = new Set(['=', '!', '(', ')', ',', '>', '<']);
const OPERATORS = 'in, notin, =, ==, !=, gt, lt';

/** Splits into names, operators and punctuation; the empty text ends the list. */
function tokens(text: string): string[] {
  const found: string[] = [];
  let at = 0;
  while (at < text.length) {
    const c = text[at] as string;
    if (/\s/.test(c)) {
      at++;
      continue;
    }
    const two = text.slice(at, at + 2);
    if (two === '==' || two === '!=') {
      found.push(two);
      at += 2;
    } else if (SPECIAL.has(c)) {
      found.push(c);
      at++;
    } else {
      const start = at;
      while (at < text.length && !SPECIAL.has(text[at] as string) && !/\s/.test(text[at] as string)) at++;
      found.push(text.slice(start, at));
    }
  }
  found.push('');
  return found;
}

const isName = (token: string): boolean => token !== '' && !SPECIAL.has(token) && token !== '==' && token !== '!=';

class Parser {
  readonly #tokens: string[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = tokens(text);
  }

  parse(): Requirement[] {
    const requirements: Requirement[] = [];
    if (this.#peek === '') return requirements;
    for (;;) {
      if (!isName(this.#peek) && this.#peek !== '!') {
        throw refuse(`found '${this.#peek}', expected: !, identifier, or 'end of string'`);
      }
      requirements.push(this.#requirement());
      const end = this.#take();
      if (end === '') return requirements;
      if (end !== ',') throw refuse(`found '${end}', expected: ',' or 'end of string'`);
      if (!isName(this.#peek) && this.#peek !== '!')
        throw refuse(`found '${this.#peek}', expected: identifier after ','`);
    }
  }

  get #peek(): string {
    return this.#tokens[this.#at] ?? '';
  }

  #take(): string {
    return this.#tokens[this.#at++] ?? '';
  }

  #requirement(): Requirement {
    const absent = this.#peek === '!';
    if (absent) this.#take();
    const key = this.#take();
    if (!isName(key)) throw fail(`found '${key}', expected: identifier`);
    checkKey(key);
    if (absent) return { key, operator: '!', values: [] };
    if (this.#peek === '' || this.#peek === ',') return { key, operator: 'exists', values: [] };
    const sign = this.#take();
    switch (sign) {
      case '=':
      case '==':
      case '!=':
        return { key, operator: sign, values: [this.#value(key)] };
      case '>':
      case '<': {
        const value = this.#value(key);
        if (!/^[+-]?\d+$/.test(value)) {
          throw fail(
            `values[0]: Invalid value: ${JSON.stringify(value)}: for 'Gt', 'Lt' operators, the value must be an integer`,
          );
        }
        return { key, operator: sign === '>' ? 'gt' : 'lt', values: [value] };
      }
      case 'in':
      case 'notin':
        return { key, operator: sign, values: this.#set(key) };
      default:
        throw fail(`found '${sign}', expected: ${OPERATORS}`);
    }
  }

  #value(key: string): string {
    if (this.#peek === '' || this.#peek === ',') return '';
    const value = this.#take();
    if (!isName(value)) throw fail(`found '${value}', expected: identifier`);
    checkValue(key, value);
    return value;
  }

  #set(key: string): string[] {
    const open = this.#take();
    if (open !== '(') throw fail(`found '${open}' expected: '('`);
    const values: string[] = [];
    for (;;) {
      const value = isName(this.#peek) ? this.#take() : '';
      checkValue(key, value);
      values.push(value);
      const next = this.#take();
      if (next === ')') return values;
      if (next !== ',') throw fail(`found '${next}', expected: ',' or ')'`);
    }
  }
}

const fail = (why: string): Error => badRequest(`unable to parse requirement: ${why}`);
const refuse = (why: string): Error => badRequest(why);

function checkKey(key: string): void {
  const [problem] = checkQualifiedName(key);
  if (problem) throw fail(`<nil>: Invalid value: ${JSON.stringify(key)}: ${problem}`);
}

function checkValue(key: string, value: string): void {
  const [problem] = checkLabelValue(value);
  if (problem) throw fail(`values[0][${key}]: Invalid value: ${JSON.stringify(value)}: ${problem}`);
}

function fits({ key, operator, values }: Requirement, labels: Labels): boolean {
  const value = labels && Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    case '=':
    case '==':
    case 'in':
      return value !== undefined && values.includes(value);
    case '!=':
    case 'notin':
      return value === undefined || !values.includes(value);
    case 'gt':
    case 'lt': {
      if (value === undefined || !/^[+-]?\d+$/.test(value)) return false;
      const difference = BigInt(value) - BigInt(values[0] as string);
      return operator === 'gt' ? difference > 0n : difference < 0n;
    }
  }
}

/** Parses a label selector (QP-1); undefined when it selects everything. Throws 400. */
export function parseLabelSelector(text: string | undefined): LabelSelector | undefined {
  if (!text) return undefined;
  const requirements = new Parser(text).parse();
  if (!requirements.length) return undefined;
  return (labels) => requirements.every((requirement) => fits(requirement, labels));
}
