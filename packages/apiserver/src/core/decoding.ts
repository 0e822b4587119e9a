import { badRequest, failure, invalidValue, isStatusError } from './errors.js';
import { jsonCopy } from './json.js';
import { inOrder } from './problem-order.js';
import type { Body, CallOptions, Decoded, JsonObject, JsonValue, KubeObject } from './types.js';

/** Reads bodies as one kind. */
export interface Decoder {
  readonly kind: string;
  readonly version: string;
  /** Kinds that a patch may not turn into something unreadable answer in other words than custom resources (ER-22). */
  readonly builtin: boolean;
  decode(body: JsonObject, mode: 'create' | 'update'): Decoded;
}

/** Decodes a body and says what a strict decoder would (QP-12). */
export function decodeBody(
  decoder: Decoder,
  body: Body,
  { mode, call }: { mode: 'create' | 'update'; call: CallOptions },
): KubeObject {
  const { value } = body;
  if (!isObject(value)) {
    throw badRequest(
      `the object provided is unrecognized (must be of type ${decoder.kind}): the body is not a JSON object`,
    );
  }
  const { object, problems } = decoder.decode(body.owned ? value : jsonCopy(value), mode);
  const all = body.problems?.length ? inOrder([...body.problems, ...problems], value) : problems;
  if (all.length && call.fieldValidation === 'Strict') {
    const why = `strict decoding error: ${all.join(', ')}`;
    throw badRequest(
      `${decoder.kind} in version ${JSON.stringify(decoder.version)} cannot be handled as a ${decoder.kind}: ${why}`,
    );
  }
  warnOf(all, call);
  object.metadata ??= {};
  return object;
}

/** Decodes the result of a patch. What is wrong with it is told as an error of the field `patch` (QP-12, ER-22). */
export function decodePatched(
  decoder: Decoder,
  patched: JsonValue,
  { problems = [], call }: { problems?: readonly string[] | undefined; call: CallOptions },
): KubeObject {
  if (!isObject(patched)) throw badRequest('the patched object is no JSON object');
  const refuse = (why: string): Error => {
    const { message } = invalidValue('patch', JSON.stringify(patched), why);
    const causes = [{ reason: 'FieldValueInvalid', message, field: 'patch' }];
    return failure(422, 'Invalid', ` "" is invalid: patch: ${message}`, { causes });
  };
  try {
    const { object, problems: unknown } = decoder.decode(patched, 'update');
    const all = [...problems, ...unknown];
    if (all.length && call.fieldValidation === 'Strict') throw refuse(`strict decoding error: ${all.join(', ')}`);
    warnOf(all, call);
    object.metadata ??= {};
    return object;
  } catch (error) {
    const unreadable = decoder.builtin && isStatusError(error) && error.code === 400;
    const why = unreadable ? / cannot be handled as a \S+: (.*)$/s.exec(error.message) : null;
    throw why ? refuse(why[1] as string) : error;
  }
}

function warnOf(problems: readonly string[], call: CallOptions): void {
  if (call.fieldValidation === 'Ignore') return;
  for (const problem of problems) call.warn?.(problem);
}

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
