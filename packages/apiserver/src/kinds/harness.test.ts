import { isStatusError } from '../core/errors.js';
import type { Decoded, FieldError, JsonObject, KubeObject, ResourceDef, WriteContext } from '../core/types.js';
import { builtinResources } from './index.js';

/** Any JSON value, to be looked into without ceremony. */
export type AnyJson = ReturnType<typeof JSON.parse>;

/** Built-in kinds without a server: decoding, preparation and validation as the pipeline calls them. */
export class Kinds {
  readonly resources: ResourceDef[];
  readonly warnings: string[] = [];
  /** Stored Services, whose addresses are taken. */
  readonly services: KubeObject[] = [];

  constructor() {
    this.resources = builtinResources({ stored: (storage) => (storage === 'services' ? this.services : []) });
  }

  of(kind: string, group?: string): ResourceDef {
    const found = this.resources.find((r) => r.kind === kind && (group === undefined || r.group === group));
    if (!found) throw new Error(`no kind ${kind}`);
    return found;
  }

  context(subresource?: string): WriteContext {
    return {
      principal: { name: 'test', groups: [] },
      now: Date.parse('2030-01-01T00:00:00Z'),
      dryRun: false,
      version: 'v1',
      subresource,
      warn: (text) => this.warnings.push(text),
    };
  }

  decode(kind: string, body: JsonObject, group?: string): Decoded {
    const resource = this.of(kind, group);
    return resource.strategy.decode(body, version(resource), 'create');
  }

  /** Message of the 400 that decoding answers. */
  refusal(kind: string, body: JsonObject): string {
    try {
      this.decode(kind, body);
    } catch (error) {
      if (isStatusError(error) && error.code === 400) return error.message;
      throw error;
    }
    throw new Error(`${kind} was accepted`);
  }

  /** A new object as it would be stored. */
  create(kind: string, body: JsonObject, group?: string): { object: AnyJson; errors: string[] } {
    const { strategy } = this.of(kind, group);
    const { object } = this.decode(kind, body, group);
    object.metadata ??= {};
    object.metadata.uid ??= 'uid-1';
    strategy.prepareForCreateInPlace(object, this.context());
    return { object, errors: strategy.validateCreate(object, this.context()).map(text) };
  }

  /** Errors of an update from one stored object to another body. */
  update(kind: string, old: AnyJson, body: JsonObject): { object: AnyJson; errors: string[] } {
    const { strategy } = this.of(kind);
    const { object } = this.decode(kind, body);
    strategy.prepareForUpdateInPlace(object, old, this.context());
    return { object, errors: strategy.validateUpdate(object, old, this.context()).map(text) };
  }

  /** Cells of a row, by column name; `-` columns are wide ones. */
  row(kind: string, object: AnyJson, now = '2030-01-01T00:05:00Z'): Record<string, unknown> {
    const { columns } = version(this.of(kind));
    return Object.fromEntries(columns.map((column) => [column.name, column.cell(object, Date.parse(now))]));
  }
}

const version = (resource: ResourceDef): ResourceDef['versions'][number] => {
  const [first] = resource.versions;
  if (!first) throw new Error(`${resource.plural} has no version`);
  return first;
};

const text = (error: FieldError): string => `${error.field}: ${error.message}`;

/** A Pod spec with one container. */
export const podSpec = (spec: JsonObject = {}, container: JsonObject = {}): JsonObject => ({
  containers: [{ name: 'main', image: 'example.com/app:1', ...container }],
  ...spec,
});

/** Spec of a Deployment or a kind like it. */
export const workloadSpec = (spec: JsonObject = {}): JsonObject => ({
  selector: { matchLabels: { app: 'x' } },
  template: { metadata: { labels: { app: 'x' } }, spec: podSpec() },
  ...spec,
});
