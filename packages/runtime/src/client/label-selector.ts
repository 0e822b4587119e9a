import type { LabelSelector } from '@kubewright/api';
import { clientErrors } from './errors.js';

type Labels = Readonly<Record<string, string>> | undefined;
type Requirement = (labels: Labels) => boolean;

/** A parsed selector: its text for the server and its test for local objects. */
export interface ParsedSelector<T> {
  /** Empty when everything matches. */
  readonly text: string;
  matches(value: T): boolean;
}

const EVERYTHING: ParsedSelector<never> = { text: '', matches: () => true };
const NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const INTEGER = /^-?\d+$/;
const PREFIX = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** Reads a label selector: `k=v`, `==`, `!=`, `in`, `notin`, `>`, `<`, `k`, `!k` (L6). Throws `KW_CLIENT_SELECTOR` with the column. */
export function parseLabelSelector(selector: LabelSelector | undefined): ParsedSelector<Labels> {
  if (selector === undefined || selector === '') return EVERYTHING;
  const text = typeof selector === 'string' ? selector : textOf(selector);
  const requirements = new Parser(text).parse();
  return { text, matches: (labels) => requirements.every((requirement) => requirement(labels)) };
}

function textOf(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}

const valueOf = (labels: Labels, key: string): string | undefined =>
  labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined;

class Parser {
  private at = 0;

  constructor(private readonly text: string) {}

  parse(): Requirement[] {
    const requirements: Requirement[] = [];
    for (;;) {
      requirements.push(this.requirement());
      this.space();
      if (this.at >= this.text.length) return requirements;
      if (!this.take(',')) throw this.fault('a comma');
    }
  }

  private requirement(): Requirement {
    if (this.take('!')) {
      const key = this.key();
      return (labels) => valueOf(labels, key) === undefined;
    }
    const key = this.key();
    if (this.take('!=')) {
      const value = this.value();
      return (labels) => valueOf(labels, key) !== value;
    }
    if (this.take('==') || this.take('=')) {
      const value = this.value();
      return (labels) => valueOf(labels, key) === value;
    }
    if (this.take('>')) return this.comparison(key, (label, bound) => label > bound);
    if (this.take('<')) return this.comparison(key, (label, bound) => label < bound);
    if (this.word('notin')) {
      const values = this.values();
      return (labels) => !values.has(valueOf(labels, key) ?? '') || valueOf(labels, key) === undefined;
    }
    if (this.word('in')) {
      const values = this.values();
      return (labels) => valueOf(labels, key) !== undefined && values.has(valueOf(labels, key) ?? '');
    }
    this.space();
    if (this.at < this.text.length && this.text[this.at] !== ',')
      throw this.fault('=, ==, !=, >, <, in, notin or a comma');
    return (labels) => valueOf(labels, key) !== undefined;
  }

  /** `key > 3`: labels that are no whole number never match. */
  private comparison(key: string, test: (label: bigint, bound: bigint) => boolean): Requirement {
    const start = this.skip();
    const text = this.run();
    if (!INTEGER.test(text)) throw this.fault('a whole number', start);
    const bound = BigInt(text);
    return (labels) => {
      const label = valueOf(labels, key);
      return label !== undefined && INTEGER.test(label) && test(BigInt(label), bound);
    };
  }

  private key(): string {
    const start = this.skip();
    const key = this.run();
    const slash = key.indexOf('/');
    const prefix = slash < 0 ? undefined : key.slice(0, slash);
    const name = key.slice(slash + 1);
    if (!NAME.test(name) || (prefix !== undefined && (!PREFIX.test(prefix) || prefix.length > 253)))
      throw this.fault('a label key', start);
    return key;
  }

  private value(): string {
    const start = this.skip();
    const value = this.run();
    if (value !== '' && !NAME.test(value)) throw this.fault('a label value', start);
    return value;
  }

  private values(): Set<string> {
    if (!this.take('(')) throw this.fault('(');
    const values = new Set<string>();
    do values.add(this.value());
    while (this.take(','));
    if (!this.take(')')) throw this.fault(') or a comma');
    return values;
  }

  private run(): string {
    const start = this.at;
    while (this.at < this.text.length && !/[\s,!=()<>]/.test(this.text[this.at] as string)) this.at++;
    return this.text.slice(start, this.at);
  }

  private word(word: string): boolean {
    this.space();
    if (!this.text.startsWith(word, this.at) || !/[\s(]/.test(this.text[this.at + word.length] ?? '')) return false;
    this.at += word.length;
    return true;
  }

  private take(token: string): boolean {
    this.space();
    if (!this.text.startsWith(token, this.at)) return false;
    this.at += token.length;
    return true;
  }

  private skip(): number {
    this.space();
    return this.at;
  }

  private space(): void {
    while (/\s/.test(this.text[this.at] ?? '')) this.at++;
  }

  private fault(expected: string, at: number = this.at): Error {
    return clientErrors.selector('label selector', this.text, at + 1, expected);
  }
}
