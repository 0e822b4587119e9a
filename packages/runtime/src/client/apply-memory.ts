import { createHash } from 'node:crypto';
import {
  type ApplyOptions,
  type ApplyOutcome,
  builtinKind,
  gvkKey,
  type KubernetesObject,
  type StoredObject,
} from '@kubewright/api';
import type { ClientCore } from './core.js';
import { clientDefaults as defaults } from './defaults.js';
import { changedPaths, mergeDiff } from './json.js';
import { atPathsOf } from './intent.js';
import type { Place } from './targets.js';
import { applyAnswered } from './writes.js';

interface Applied {
  readonly uid: string;
  /** Hash of what was applied. */
  readonly intent: string;
  /** Hash of what the answer showed at the paths of the intent: defaults and normal forms are in it. */
  readonly values: string;
}

/** Remembers what was applied, so that the same is not applied again while the object still shows it (L32). */
export class ApplyMemory {
  private readonly entries = new Map<string, Applied>();

  constructor(private readonly core: ClientCore) {}

  async applyIfChanged(place: Place, object: KubernetesObject, options: ApplyOptions): Promise<ApplyOutcome> {
    const { core } = this;
    const { kind, namespace, name, key } = place;
    const id = `${options.fieldManager ?? core.fieldManager}|${gvkKey(kind)}|${key}`;
    const byKeys = builtinKind(kind) !== undefined;
    const intent = hashOf(object);
    const before = core.cached?.peek(kind, namespace, name);
    const shown = before && atPathsOf(object, before, byKeys);
    const known = this.entries.get(id);
    if (before && known?.uid === before.metadata.uid && known.intent === intent && known.values === hashOf(shown)) {
      this.keep(id, known);
      return 'skipped';
    }
    const { object: answer, created } = await applyAnswered(core, place, object, options);
    const values = atPathsOf(object, answer, byKeys);
    if (!options.dryRun) this.keep(id, { uid: answer.metadata.uid, intent, values: hashOf(values) });
    if (created) return 'created';
    if (isSameVersion(before, answer)) return 'unchanged';
    if (before) core.fights.note(place, changedPaths(mergeDiff(shown, values)));
    return 'updated';
  }

  /** The entry used longest ago goes first. */
  private keep(id: string, entry: Applied): void {
    this.entries.delete(id);
    this.entries.set(id, entry);
    if (this.entries.size > defaults.appliedRemembered) this.entries.delete(this.entries.keys().next().value as string);
  }
}

const isSameVersion = (before: StoredObject | undefined, { metadata }: StoredObject): boolean =>
  before?.metadata.resourceVersion === metadata.resourceVersion && before.metadata.uid === metadata.uid;

function hashOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value, sorted) ?? '')
    .digest('base64');
}

/** Members in order of their names, so that the order they were written in does not count. */
function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Date) return value;
  const entries = Object.entries(value as Record<string, unknown>);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
