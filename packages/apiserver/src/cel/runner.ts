import { jsonEqual } from '../core/json.js';
import type { FieldError, JsonObject, JsonValue, KubeObject, SchemaSource } from '../core/types.js';
import { correlate } from '../schema/correlate.js';
import { rootField } from '../schema/validate.js';
import { aligned } from './align.js';
import { celEngine } from './engine.js';
import type { Rule } from './rule.js';
import type { RuleTree } from './tree.js';
import { escapedName, toCel, type CelValue } from './values.js';

type Old = JsonValue | undefined;

/** One value on the way through an object, beside its old self. */
interface Place {
  readonly path: string;
  readonly value: JsonValue;
  readonly cel: CelValue;
  readonly old: Old;
  /** The old value as rules see it; computed only when one asks. */
  oldCel(): CelValue | undefined;
  /** Whether this part, or the nearest part around it that has a past, is as it was (VA-4). */
  unchanged(): boolean;
}

const self: SchemaSource = { root: {}, resolve: (node) => node };

/** Runs the rules of a tree on an object; `old` undefined = create. */
export function runRules(
  tree: RuleTree,
  object: KubeObject,
  old: KubeObject | undefined,
): { errors: FieldError[]; warnings: string[] } {
  const run = new Run();
  const value = object as unknown as JsonObject;
  const oldValue = old as unknown as JsonObject | undefined;
  run.visit(tree, {
    path: '',
    value,
    cel: toCel(value, tree.schema, true),
    old: oldValue,
    oldCel: () => oldValue && toCel(aligned(oldValue, value, tree.schema), tree.schema, true),
    unchanged: () => oldValue !== undefined && jsonEqual(value, oldValue),
  });
  return run;
}

class Run {
  readonly errors: FieldError[] = [];
  readonly warnings: string[] = [];

  visit(tree: RuleTree, place: Place): void {
    const { value } = place;
    if (value === null) return;
    for (const rule of tree.rules) this.#rule(rule, tree, place);
    if (Array.isArray(value)) this.#list(tree, place, value);
    else if (typeof value === 'object') this.#map(tree, place, value);
  }

  #list(tree: RuleTree, place: Place, list: JsonValue[]): void {
    if (!tree.items) return;
    const olds = correlate(self, tree.schema, list, place.old);
    for (const [i, value] of list.entries()) {
      const old = olds?.(i);
      this.visit(
        tree.items,
        below(place, `${place.path}[${i}]`, {
          value,
          cel: (place.cel as CelValue[])[i] as CelValue,
          old,
          tree: tree.items,
        }),
      );
    }
  }

  #map(tree: RuleTree, place: Place, map: JsonObject): void {
    const oldMap =
      typeof place.old === 'object' && place.old !== null && !Array.isArray(place.old) ? place.old : undefined;
    const cel = place.cel as { [key: string]: CelValue };
    for (const [key, value] of Object.entries(map)) {
      const declared = tree.properties.get(key);
      const child =
        declared ??
        (tree.schema.properties && Object.hasOwn(tree.schema.properties, key) ? undefined : tree.additional);
      if (!child || value === undefined) continue;
      const name = declared ? escapedName(key) : key;
      const path = declared ? (place.path ? `${place.path}.${key}` : key) : `${place.path}[${key}]`;
      const known = name === undefined ? undefined : cel[name];
      this.visit(
        child,
        below(place, path, { value, cel: known ?? toCel(value, child.schema), old: oldMap?.[key], tree: child }),
      );
    }
  }

  #rule(rule: Rule, tree: RuleTree, place: Place): void {
    const hasOld = place.old !== undefined && place.old !== null;
    if (rule.isTransition && !hasOld && !rule.takesOptional) return;
    const variables = { self: place.cel, oldSelf: oldSelfOf(rule, place, hasOld) };
    const at = place.path || rootField;
    const broken = (why: string): void => {
      this.errors.push({
        type: 'FieldValueInvalid',
        field: at,
        message: `Invalid value: ${JSON.stringify(tree.schema.type ?? '')}: ${why}`,
      });
    };
    let holds: unknown;
    try {
      holds = rule.expression.run(variables);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const overload = why.startsWith('no such overload');
      broken(
        overload
          ? `'${why}': call arguments did not match a supported operator, function or macro signature for rule: ${rule.name}`
          : `${why} evaluating rule: ${rule.name}`,
      );
      return;
    }
    if (holds === true) return;
    const error = rule.failed(place.path, place.value, detailOf(rule, variables));
    if (!rule.isTransition && place.unchanged()) this.warnings.push(`${error.field}: ${error.message}`);
    else this.errors.push(error);
  }
}

function oldSelfOf(rule: Rule, place: Place, hasOld: boolean): CelValue {
  if (!rule.isTransition) return null;
  if (!rule.takesOptional) return place.oldCel() ?? null;
  const { Optional } = celEngine().cel;
  return hasOld ? Optional.of(place.oldCel()) : Optional.none();
}

function below(
  parent: Place,
  path: string,
  { value, cel, old, tree }: { value: JsonValue; cel: CelValue; old: Old; tree: RuleTree },
): Place {
  return {
    path,
    value,
    cel,
    old,
    oldCel: () => (old === undefined ? undefined : toCel(aligned(old, value, tree.schema), tree.schema)),
    unchanged: () => (old === undefined ? parent.unchanged() : jsonEqual(value, old)),
  };
}

/** The message expression when it answers one line of text, else the message (CE-2). */
function detailOf(rule: Rule, variables: { self: CelValue; oldSelf: CelValue }): string {
  if (!rule.message) return rule.defaultDetail;
  try {
    const text = rule.message.run(variables);
    if (typeof text === 'string' && text.trim() !== '' && !/[\n\r]/.test(text)) return text.trim();
  } catch {
    // A broken message expression does not hide that the rule failed.
  }
  return rule.defaultDetail;
}
