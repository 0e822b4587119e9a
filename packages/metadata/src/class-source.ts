import type { Class } from './class-type.js';

/** A member of a class as its source text shows it. */
export interface SourceMember {
  readonly name: string;
  readonly kind: 'field' | 'method' | 'accessor';
  readonly static: boolean;
  /** Text of the documentation comment right before it, without tags. */
  readonly description?: string;
}

type Token = { readonly type: 'comment' | 'word' | 'text' | 'sign' | 'line'; readonly text: string };

// A slash starts a regular expression where a value may begin. Members of resource classes rarely hold one.
const TOKEN =
  /(?<comment>\/\*[\s\S]*?\*\/|\/\/[^\n]*)|(?<word>#?[\p{ID_Start}$_][\p{ID_Continue}$]*)|(?<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`|(?<=[(,=:[!&|?{};]\s*)\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*)|(?<line>\n)|(?<sign>\S)/gu;

const OPEN = new Set(['{', '(', '[']);
const CLOSE = new Set(['}', ')', ']']);

/**
 * Fields, methods and accessors of a class in the order of its source text. The compiler leaves fields and comments in
 * the text of a class (ES2022 fields, comments kept), so neither a file nor an instance is needed. Text it cannot follow
 * gives fewer members, never an error.
 */
export function sourceMembers(cls: Class): readonly SourceMember[] {
  const tokens = tokensOf(Function.prototype.toString.call(cls));
  const start = tokens.findIndex((token) => token.type === 'sign' && token.text === '{');
  return start < 0 ? [] : membersFrom(tokens, start + 1);
}

function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  for (const match of source.matchAll(TOKEN)) {
    const found = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined);
    if (found) tokens.push({ type: found[0] as Token['type'], text: match[0] });
  }
  return tokens;
}

function membersFrom(tokens: readonly Token[], start: number): SourceMember[] {
  const members: SourceMember[] = [];
  let at = start;
  while (at < tokens.length && tokens[at]?.text !== '}') {
    const head: Token[] = [];
    let comment: string | undefined;
    // The head of a member: modifiers and name, up to what tells its kind.
    for (; at < tokens.length; at++) {
      const token = tokens[at] as Token;
      if (token.type === 'comment') {
        if (head.length === 0) comment = token.text;
      } else if (token.type === 'line') {
        if (head.length > 0 && !isModifierOnly(head)) break;
      } else if (token.type === 'word' || (token.type === 'text' && head.every(isModifier))) head.push(token);
      else break;
    }
    const sign = tokens[at]?.text;
    const member = memberOf(head, sign, comment);
    if (member) members.push(member);
    if (sign === '}') break;
    at = skip(tokens, at, sign === '(' || sign === '{');
  }
  return members;
}

const MODIFIERS = new Set(['static', 'async', 'get', 'set', 'accessor']);
const isModifier = (token: Token): boolean => token.type === 'word' && MODIFIERS.has(token.text);
const isModifierOnly = (head: readonly Token[]): boolean => head.every(isModifier);

function memberOf(head: readonly Token[], sign: string | undefined, comment?: string): SourceMember | undefined {
  const last = head.at(-1);
  if (!last || last.text.startsWith('#')) return undefined;
  const modifiers = new Set(head.slice(0, -1).map((token) => token.text));
  const name = last.type === 'text' ? last.text.slice(1, -1) : last.text;
  const accessor = modifiers.has('get') || modifiers.has('set');
  if (last.text === 'static' && sign === '{') return undefined;
  const kind = accessor ? 'accessor' : sign === '(' ? 'method' : 'field';
  const description = comment === undefined ? undefined : describe(comment);
  return { name, kind, static: modifiers.has('static'), ...(description !== undefined && { description }) };
}

/** The index after the member that starts at `at`: past its body if it has one, else past its `;` or line end. */
function skip(tokens: readonly Token[], at: number, hasBody: boolean): number {
  let depth = 0;
  for (let index = at; index < tokens.length; index++) {
    const { type, text } = tokens[index] as Token;
    if (type === 'sign' && OPEN.has(text)) depth++;
    else if (type === 'sign' && CLOSE.has(text)) {
      if (depth === 0) return index;
      if (--depth === 0 && text === '}' && hasBody) return index + 1;
    } else if (depth === 0 && (text === ';' || (type === 'line' && !hasBody))) return index + 1;
  }
  return tokens.length;
}

/** The plain text of a documentation comment; undefined for other comments. */
function describe(comment: string): string | undefined {
  if (!comment.startsWith('/**')) return undefined;
  const lines = comment
    .slice(3, -2)
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/, '').trimEnd());
  const tag = lines.findIndex((line) => line.trimStart().startsWith('@'));
  const text = (tag < 0 ? lines : lines.slice(0, tag)).join('\n').trim();
  return text === '' ? undefined : text.replace(/\{@link\s+([^}|\s]+)[^}]*\}/g, '$1');
}
