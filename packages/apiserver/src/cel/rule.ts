import type { FieldError, JsonValue, ValidationRule } from '../core/types.js';
import { rootField } from '../schema/validate.js';
import { compileExpression, type Expression } from './compile.js';

/** A validation rule of a schema, compiled. */
export class Rule {
  readonly rule: ValidationRule;
  readonly expression: Expression;
  readonly message: Expression | undefined;
  readonly #fieldPath: string;

  /** Throws CompileError. */
  constructor(rule: ValidationRule) {
    this.rule = rule;
    this.expression = compileExpression(rule.rule);
    this.message = rule.messageExpression ? compileExpression(rule.messageExpression) : undefined;
    this.#fieldPath = (rule.fieldPath ?? '').trim().replace(/\['((?:\\.|[^'])*)'\]/g, '[$1]');
  }

  /** A transition rule needs an old value, unless the rule takes an optional one. */
  get isTransition(): boolean {
    return this.expression.usesOldSelf;
  }

  get takesOptional(): boolean {
    return this.rule.optionalOldSelf === true;
  }

  /** The text of errors about the rule itself. */
  get name(): string {
    return this.rule.message?.trim() || this.rule.rule.trim();
  }

  /** The error of a failed rule (CE-2, NM-3). */
  failed(at: string, value: JsonValue, detail: string): FieldError {
    const field = this.#fieldPath
      ? at === ''
        ? this.#fieldPath.replace(/^\./, '')
        : at + this.#fieldPath
      : at || rootField;
    const shown = typeof value === 'object' && value !== null ? undefined : JSON.stringify(value);
    switch (this.rule.reason) {
      case 'FieldValueForbidden':
        return { type: 'FieldValueForbidden', field, message: `Forbidden: ${detail}` };
      case 'FieldValueRequired':
        return { type: 'FieldValueRequired', field, message: `Required value: ${detail}` };
      case 'FieldValueDuplicate':
        return {
          type: 'FieldValueDuplicate',
          field,
          message: shown === undefined ? 'Duplicate value' : `Duplicate value: ${shown}`,
        };
      default:
        return {
          type: 'FieldValueInvalid',
          field,
          message: shown === undefined ? `Invalid value: ${detail}` : `Invalid value: ${shown}: ${detail}`,
        };
    }
  }

  /** What a failed rule says when its message expression says nothing. */
  get defaultDetail(): string {
    return this.rule.message?.trim() || `failed rule: ${this.rule.rule.trim()}`;
  }
}
