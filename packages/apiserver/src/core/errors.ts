import type {
  FieldError,
  FieldErrorType,
  JsonValue,
  ResourceDef,
  Status,
  StatusCause,
  StatusDetails,
} from './types.js';

/** A failure with the answer a client gets. */
export class StatusError extends Error {
  override readonly name: string = 'StatusError';
  readonly status: Status;

  constructor(status: Status) {
    super(status.message ?? status.reason ?? `status ${status.code}`);
    this.status = status;
  }

  get code(): number {
    return this.status.code;
  }

  get reason(): string | undefined {
    return this.status.reason;
  }
}

/** Recognises the error across copies of the package. */
export function isStatusError(error: unknown): error is StatusError {
  return error instanceof Error && error.name === 'StatusError' && 'status' in error;
}

export function failure(code: number, reason: string, message: string, details?: StatusDetails): StatusError {
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    ...(reason ? { reason } : {}),
    ...(details ? { details } : {}),
    code,
  });
}

/** `plural[.group]`, the GR of the specification. */
export function groupResource(resource: Pick<ResourceDef, 'group' | 'plural'>): string {
  return resource.group ? `${resource.plural}.${resource.group}` : resource.plural;
}

/** `Kind[.group]`. */
export function groupKind(resource: Pick<ResourceDef, 'group' | 'kind'>): string {
  return resource.group ? `${resource.kind}.${resource.group}` : resource.kind;
}

function details(resource: Pick<ResourceDef, 'group' | 'plural'>, name: string): StatusDetails {
  return { ...(name ? { name } : {}), ...(resource.group ? { group: resource.group } : {}), kind: resource.plural };
}

type Resource = Pick<ResourceDef, 'group' | 'plural' | 'kind'>;

/** ER-1 */
export const notFound = (resource: Resource, name: string): StatusError =>
  failure(404, 'NotFound', `${groupResource(resource)} "${name}" not found`, details(resource, name));

/** ER-2 */
export const alreadyExists = (resource: Resource, name: string, terminating = false): StatusError =>
  failure(
    409,
    'AlreadyExists',
    `${terminating ? 'object is being deleted: ' : ''}${groupResource(resource)} "${name}" already exists`,
    details(resource, name),
  );

/** ER-3 and its relatives: `why` is the text after `Operation cannot be fulfilled on GR "name": `. */
export const conflict = (
  resource: Resource,
  name: string,
  why = 'the object has been modified; please apply your changes to the latest version and try again',
): StatusError =>
  failure(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${groupResource(resource)} "${name}": ${why}`,
    details(resource, name),
  );

/** ER-7. Equal texts are said once in the message; the causes keep all. */
export function invalid(
  resource: Pick<ResourceDef, 'group' | 'kind'>,
  name: string,
  errors: readonly FieldError[],
): StatusError {
  const texts = [...new Set(errors.map((e) => `${e.field}: ${e.message}`))];
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  const causes: StatusCause[] = errors.map((e) => ({ reason: e.type, message: e.message, field: e.field }));
  return failure(422, 'Invalid', `${groupKind(resource)} "${name}" is invalid: ${list}`, {
    ...(name ? { name } : {}),
    ...(resource.group ? { group: resource.group } : {}),
    kind: resource.kind,
    causes,
  });
}

export const badRequest = (message: string): StatusError => failure(400, 'BadRequest', message);

/** ER-20 */
export const internal = (message: string, causes?: StatusCause[]): StatusError =>
  failure(500, 'InternalError', `Internal error occurred: ${message}`, causes ? { causes } : { causes: [{ message }] });

/** `GR "name" is forbidden: why`; without a name `GR is forbidden: why`. */
export const forbidden = (resource: Resource, name: string, why: string, causes?: StatusCause[]): StatusError =>
  failure(403, 'Forbidden', `${groupResource(resource)}${name ? ` "${name}"` : ''} is forbidden: ${why}`, {
    ...details(resource, name),
    ...(causes ? { causes } : {}),
  });

// ---- field errors (§5.1 ER-7, §6.7) ---------------------------------------------------------------------------------

const field = (type: FieldErrorType, path: string, message: string): FieldError => ({ type, field: path, message });
/** Structures are shown with `<`, `>` and `&` escaped, texts are not. */
const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'null';
  if (typeof value !== 'object') return text;
  return text.replace(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
};

export const required = (path: string, why = ''): FieldError =>
  field('FieldValueRequired', path, `Required value${why ? `: ${why}` : ''}`);
/** NM-1: values are shown as JSON. */
export const invalidValue = (path: string, value: unknown, why: string): FieldError =>
  field('FieldValueInvalid', path, `Invalid value: ${shown(value)}: ${why}`);
export const typeInvalid = (path: string, value: unknown, why: string): FieldError =>
  field('FieldValueTypeInvalid', path, `Invalid value: ${shown(value)}: ${why}`);
export const forbiddenField = (path: string, why: string): FieldError =>
  field('FieldValueForbidden', path, `Forbidden${why ? `: ${why}` : ''}`);
export const duplicate = (path: string, value: unknown): FieldError =>
  field('FieldValueDuplicate', path, `Duplicate value: ${shown(value)}`);
export const notSupported = (path: string, value: unknown, supported: readonly JsonValue[]): FieldError =>
  field(
    'FieldValueNotSupported',
    path,
    `Unsupported value: ${shown(value)}: supported values: ${supported.map(shown).join(', ')}`,
  );
export const tooLong = (path: string, max: number): FieldError =>
  field('FieldValueTooLong', path, `Too long: may not be more than ${max} bytes`);
export const tooMany = (path: string, actual: number, max: number): FieldError =>
  field('FieldValueTooMany', path, `Too many: ${actual}: must have at most ${max} items`);
