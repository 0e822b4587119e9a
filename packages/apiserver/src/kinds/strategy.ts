import { badRequest } from '../core/errors.js';
import { jsonCopy } from '../core/json.js';
import { apiVersionOf, parseApiVersion } from '../core/registry.js';
import type {
  Decoded,
  FieldError,
  JsonObject,
  JsonValue,
  KubeObject,
  Strategy,
  TypingNode,
  WriteContext,
} from '../core/types.js';
import { builtinDefinitionName, builtinSchema, isBuiltinKind } from '../schema/builtin.js';
import { typingOf } from '../schema/typing.js';
import { readAs } from './decoder.js';
import { validateGenerally } from './generic-validation.js';
import { Unreadable } from './go-text.js';

/** What is particular to one built-in kind; everything is optional. */
export interface KindBehaviour {
  /** Fills defaults; called on each decoded body, so before managed fields are reckoned. */
  defaults?(object: KubeObject): void;
  /** Initial fields and what admission adds; after managed fields, before validation. */
  prepareCreate?(object: KubeObject, context: WriteContext): void;
  prepareUpdate?(next: KubeObject, old: KubeObject, context: WriteContext): void;
  /** On create and on updates of the main resource, beside required members and enumerations. */
  validate?(object: KubeObject): FieldError[];
  /** Paths whose required members and values `validate` checks in words of its own. */
  checkedHere?: RegExp;
  /** On create only. */
  validateNew?(object: KubeObject): FieldError[];
  validateUpdate?(next: KubeObject, old: KubeObject): FieldError[];
  validateStatus?(next: KubeObject, old: KubeObject): FieldError[];
  /** Status of a new object; default: what Go writes for an empty one. */
  initialStatus?(object: KubeObject): JsonObject;
}

interface Identity {
  group: string;
  version: string;
  kind: string;
  /** A create starts with a fresh status. */
  resetsStatus: boolean;
}

function definitionOf(apiVersion: string, kind: string): string {
  const name = builtinDefinitionName(apiVersion, kind);
  if (!name) throw new Error(`no built-in schema of ${apiVersion} ${kind}: add it to scripts/served-kinds.mjs`);
  return name;
}

const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

/** ER-11: a body of another kind or version. */
function checkIdentity(body: JsonObject, expected: { group: string; version: string; kind: string }): void {
  const kind = text(body.kind) || expected.kind;
  const apiVersion = text(body.apiVersion) || apiVersionOf(expected.group, expected.version);
  if (kind === expected.kind && apiVersion === apiVersionOf(expected.group, expected.version)) return;
  const { version } = parseApiVersion(apiVersion);
  const head = `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${expected.kind}: `;
  if (!isBuiltinKind(apiVersion, kind)) {
    throw badRequest(
      `${head}no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  const internal = expected.group.split('.')[0] || 'core';
  throw badRequest(`${head}converting (${version}.${kind}) to (${internal}.${expected.kind}): unknown conversion`);
}

/**
 * Reads a body as a built-in kind, without the defaults of the kind: for bodies of subresources and reviews that no resource
 * stores. Throws StatusError 400 (ER-11).
 */
export function decodeBuiltin(body: JsonObject, as: { group: string; version: string; kind: string }): Decoded {
  checkIdentity(body, as);
  try {
    const { value, unknown } = readAs(definitionOf(apiVersionOf(as.group, as.version), as.kind), body);
    value.kind = as.kind;
    value.apiVersion = apiVersionOf(as.group, as.version);
    return { object: value as unknown as KubeObject, problems: unknown };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw badRequest(
      `${as.kind} in version ${JSON.stringify(as.version)} cannot be handled as a ${as.kind}: ${error.message}`,
    );
  }
}

/** The strategy of a built-in kind with one version. */
export class BuiltinStrategy implements Strategy {
  readonly #identity: Identity;
  readonly #behaviour: KindBehaviour;
  readonly #apiVersion: string;
  #typing: TypingNode | undefined;
  #emptyStatus: JsonValue | undefined;

  constructor(identity: Identity, behaviour: KindBehaviour) {
    this.#identity = identity;
    this.#behaviour = behaviour;
    this.#apiVersion = apiVersionOf(identity.group, identity.version);
  }

  get #definition(): string {
    return definitionOf(this.#apiVersion, this.#identity.kind);
  }

  decode(body: JsonObject): Decoded {
    const decoded = decodeBuiltin(body, this.#identity);
    this.#behaviour.defaults?.(decoded.object);
    return decoded;
  }

  defaultInPlace(object: KubeObject): void {
    const again = this.decode(object as unknown as JsonObject).object;
    for (const key of Object.keys(object)) if (!(key in again)) delete object[key];
    Object.assign(object, again);
  }

  convert(object: KubeObject): KubeObject {
    return object;
  }

  prepareForCreateInPlace(object: KubeObject, context: WriteContext): void {
    if (this.#identity.resetsStatus) {
      const status = this.#behaviour.initialStatus?.(object) ?? this.#freshStatus();
      if (status === undefined) delete object.status;
      else object.status = status;
    }
    this.#behaviour.prepareCreate?.(object, context);
  }

  #freshStatus(): JsonValue | undefined {
    this.#emptyStatus ??= readAs(this.#definition, {}).value.status;
    return jsonCopy(this.#emptyStatus);
  }

  prepareForUpdateInPlace(next: KubeObject, old: KubeObject, context: WriteContext): void {
    this.#behaviour.prepareUpdate?.(next, old, context);
  }

  validateCreate(object: KubeObject): FieldError[] {
    return [...this.#validate(object), ...(this.#behaviour.validateNew?.(object) ?? [])];
  }

  validateUpdate(next: KubeObject, old: KubeObject, context: WriteContext): FieldError[] {
    if (context.subresource === 'status') return this.#behaviour.validateStatus?.(next, old) ?? [];
    if (context.subresource === 'ephemeralcontainers') return this.#validate(next);
    if (context.subresource !== undefined) return [];
    return [...this.#validate(next), ...(this.#behaviour.validateUpdate?.(next, old) ?? [])];
  }

  #validate(object: KubeObject): FieldError[] {
    const { checkedHere } = this.#behaviour;
    const general = validateGenerally(object, this.#definition);
    const kept = checkedHere ? general.filter((error) => !checkedHere.test(error.field)) : general;
    return [...kept, ...(this.#behaviour.validate?.(object) ?? [])];
  }

  typing(): TypingNode {
    return (this.#typing ??= typingOf(builtinSchema(this.#apiVersion, this.#identity.kind)));
  }
}
