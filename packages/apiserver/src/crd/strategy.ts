import { forbidden, invalid, invalidValue } from '../core/errors.js';
import type {
  Decoded,
  FieldError,
  JsonObject,
  JsonValue,
  KubeObject,
  ResourceVersion,
  Strategy,
  TypingNode,
  WriteContext,
} from '../core/types.js';
import { fillDefaults } from '../schema/defaults.js';
import { validateListTypes } from '../schema/list-types.js';
import { rootField, validateValue } from '../schema/validate.js';
import { decodeCustom, pruneCustom } from './decode.js';
import { checkEmbedded } from './embedded.js';
import { checkScale } from './scale-check.js';
import type { CustomVersion } from './version.js';

/** Takes an object to another version; what that version does not know is pruned afterwards. */
export type Converter = (object: KubeObject, to: string) => KubeObject | Promise<KubeObject>;

/** Errors that keep rules from being checked (CE-3). */
const blocking = new Set([
  'FieldValueRequired',
  'FieldValueNotSupported',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const unchecked: FieldError = invalidValue(
  rootField,
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
);

const json = (object: KubeObject): JsonObject => object as unknown as JsonObject;

export interface CustomStrategyOptions {
  group: string;
  plural: string;
  kind: string;
  versions: ReadonlyMap<string, CustomVersion>;
  storageVersion: string;
  /** Default: only the apiVersion changes between versions. */
  converter?: Converter | undefined;
  /** While true, creates are refused (CR-5). */
  terminating: () => boolean;
}

/** How the objects of a CustomResourceDefinition behave. */
export class CustomStrategy implements Strategy {
  readonly #group: string;
  readonly #kind: string;
  readonly #options: CustomStrategyOptions;

  constructor(options: CustomStrategyOptions) {
    this.#group = options.group;
    this.#kind = options.kind;
    this.#options = options;
  }

  #version(name: string): CustomVersion {
    const version = this.#options.versions.get(name);
    if (!version) throw new Error(`${this.#kind}.${this.#group} has no version ${name}`);
    return version;
  }

  #as(version: string): { group: string; version: string; kind: string } {
    return { group: this.#group, version, kind: this.#kind };
  }

  decode(body: JsonObject, { name }: ResourceVersion): Decoded {
    return decodeCustom(body, this.#as(name), this.#version(name).source);
  }

  defaultInPlace(object: KubeObject, { name }: ResourceVersion): void {
    const { source } = this.#version(name);
    pruneCustom(json(object), this.#as(name), source);
    fillDefaults(source, json(object));
  }

  convert(object: KubeObject, to: string): KubeObject | Promise<KubeObject> {
    if (object.apiVersion === `${this.#group}/${to}`) return object;
    const { converter } = this.#options;
    if (!converter) return this.#pruned({ ...object, apiVersion: `${this.#group}/${to}` }, to);
    const converted = converter(object, to);
    return converted instanceof Promise ? this.#prunedLater(converted, to) : this.#pruned(converted, to);
  }

  async #prunedLater(converted: Promise<KubeObject>, to: string): Promise<KubeObject> {
    return this.#pruned(await converted, to);
  }

  /** What the target version does not know is lost (VE-1). */
  #pruned(object: KubeObject, to: string): KubeObject {
    const copy = structuredClone(object);
    const { source } = this.#version(to);
    pruneCustom(json(copy), this.#as(to), source);
    // What is stored is read back later, and a reader fills the defaults of the version it reads.
    if (to === this.#options.storageVersion) fillDefaults(source, json(copy));
    return copy;
  }

  /** A status that was dropped may have defaults of its own. */
  prepareForCreateInPlace(object: KubeObject, context: WriteContext): void {
    if (this.#options.terminating()) {
      const why = 'create not allowed while custom resource definition is terminating';
      throw forbidden(this.#options, object.metadata.name ?? '', why);
    }
    fillDefaults(this.#version(context.version).source, json(object));
  }

  prepareForUpdateInPlace(next: KubeObject, _old: KubeObject, context: WriteContext): void {
    fillDefaults(this.#version(context.version).source, json(next));
  }

  validateCreate(object: KubeObject, context: WriteContext): FieldError[] {
    this.#checkKind(object);
    const version = this.#version(context.version);
    const { source, scale } = version;
    const errors = [
      ...validateValue(source, json(object), source.root),
      ...(scale ? checkScale(object, scale, 'all') : []),
      ...checkEmbedded(source, json(object)),
      ...validateListTypes(source, json(object)),
    ];
    return this.#withRules(version, errors, { object, old: undefined, context });
  }

  validateUpdate(next: KubeObject, old: KubeObject, context: WriteContext): FieldError[] {
    this.#checkKind(next);
    const version = this.#version(context.version);
    const { source, scale } = version;
    const status = context.subresource === 'status';
    const lists = validateListTypes(source, json(next));
    const errors = [
      ...(status
        ? this.#status(version, next, old)
        : validateValue(source, json(next), source.root, { old: json(old) })),
      ...(scale ? checkScale(next, scale, status ? 'status' : 'all') : []),
      ...(status ? [] : checkEmbedded(source, json(next))),
      // Duplicates that were there before are tolerated.
      ...(lists.length > 0 && validateListTypes(source, json(old)).length === 0 ? lists : []),
    ];
    return this.#withRules(version, errors, { object: next, old, context });
  }

  #status({ source }: CustomVersion, next: KubeObject, old: KubeObject): FieldError[] {
    const schema = source.root.properties?.status;
    if (!schema || next.status === undefined) return [];
    return validateValue(source, next.status as JsonValue, schema, {
      prefix: 'status',
      old: old.status as JsonValue | undefined,
    });
  }

  #withRules(
    version: CustomVersion,
    errors: FieldError[],
    { object, old, context }: { object: KubeObject; old: KubeObject | undefined; context: WriteContext },
  ): FieldError[] {
    if (!version.rules) return errors;
    if (!object.metadata.name || errors.some((error) => blocking.has(error.type))) return [...errors, unchecked];
    const found = version.rules.run(object, old);
    for (const warning of found.warnings) context.warn(warning);
    return [...errors, ...found.errors];
  }

  /** ER-21: the answer names the kind that was sent. */
  #checkKind(object: KubeObject): void {
    if (object.kind === this.#kind) return;
    const error = invalidValue('kind', object.kind, `must be ${this.#kind}`);
    throw invalid({ group: this.#group, kind: object.kind }, object.metadata.name ?? '', [error]);
  }

  typing({ name }: ResourceVersion): TypingNode {
    return this.#version(name).typing;
  }
}
