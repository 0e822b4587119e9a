import { errorFields } from '../error-fields.js';
import type { ErrorText } from './contract.js';

/** Code and message, without the stack. */
export function errorText(error: unknown): ErrorText {
  const { code, message } = errorFields(error);
  return code === undefined ? { message } : { code, message };
}
