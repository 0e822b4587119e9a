import { type GroupVersionKind, type KindInfo, type KindRef, parseDuration } from '@kubewright/api';
import {
  type ControllerDefinition,
  type ControllerSettings,
  isChannel,
  type SourceDefinition,
} from '@kubewright/metadata';
import { Controller, type ControllerOptions, EverySource, LateSource, type Source } from '@kubewright/runtime';
import type { Engine } from './engine.js';
import type { Instances } from './instances.js';
import type { OperatorOptions } from './options.js';
import { informersOf, type SourceContext, sourcesOf } from './sources.js';

/** A definition with the objects of the user that stand behind it. */
export interface ControllerPlan {
  readonly definition: ControllerDefinition;
  readonly instances: Instances;
}

type Wishes = Pick<OperatorOptions, 'namespaces' | 'controllerDefaults' | 'perKind'>;

/** Builds the controller of a plan. Kinds whose plural only the server knows are looked for from the start on. */
export function buildController({ definition, instances }: ControllerPlan, engine: Engine, wishes: Wishes): Controller {
  const primary = definition.sources.find(({ role }) => role === 'For');
  const kind = primary && (knownKind(primary, engine) ?? (primary.ref as unknown as GroupVersionKind));
  const context = { cache: engine.cache, namespaces: wishes.namespaces, reconciler: instances.reconciler };
  const sources = definition.sources.flatMap((source, index) => {
    const needed = source.role === 'Owns' && primary ? [primary, source] : [source];
    return whenKnown(source, needed, engine, (kinds) =>
      sourcesOf(source, kinds.at(-1), { ...context, primary: kinds[0], parts: instances.sources[index] }),
    );
  });
  if (primary && definition.every !== undefined) sources.push(...everySource(definition, primary, { engine, context }));
  return new Controller({
    name: definition.name,
    reconciler: instances.reconciler,
    sources,
    clock: engine.clock,
    random: engine.random,
    logger: engine.logger,
    runContext: engine.runContexts,
    predicates: instances.predicates,
    options: controllerOptions(settingsOf(definition, kind, wishes)),
    ...(kind && { kind }),
  });
}

function everySource(
  definition: ControllerDefinition,
  primary: SourceDefinition,
  { engine, context }: { engine: Engine; context: Omit<SourceContext, 'primary' | 'parts'> },
): Source[] {
  const interval = definition.every as number;
  const label = `${definition.cls.name} @Every(${interval} ms)`;
  // Optional: that the kind is missing is told once, by the source of @For.
  const source = { ...primary, label, options: { ...primary.options, optional: true } };
  return whenKnown(source, [primary], engine, ([kind]) =>
    kind ? [new EverySource({ label, interval, informers: informersOf(primary, kind, context), kind: kind.kind })] : [],
  );
}

/** What `make` answers: at once where all kinds are known, else a source that asks the server for them first. */
function whenKnown(
  source: SourceDefinition,
  needed: readonly SourceDefinition[],
  engine: Engine,
  make: (kinds: readonly (KindInfo | undefined)[]) => Source[],
): Source[] {
  const unknown = needed.find((one) => !isChannel(one.ref) && knownKind(one, engine) === undefined);
  if (!unknown) return make(needed.map((one) => knownKind(one, engine)));
  const find = async (): Promise<Source[]> => {
    const kinds: KindInfo[] = [];
    for (const one of needed)
      kinds.push(knownKind(one, engine) ?? (await engine.kinds.find(one.ref as KindRef<unknown>, one.label)));
    return make(kinds);
  };
  const { label, options } = source;
  return [
    new LateSource({ label, kind: unknown.ref as unknown as GroupVersionKind, find, optional: options.optional }),
  ];
}

const knownKind = ({ kind, ref }: SourceDefinition, engine: Engine): KindInfo | undefined =>
  kind ?? (isChannel(ref) ? undefined : engine.kinds.known(ref));

/** Controller > kind > operator (C3). */
function settingsOf(
  { settings }: ControllerDefinition,
  kind: Pick<KindInfo, 'group' | 'kind'> | undefined,
  { controllerDefaults, perKind = {} }: Wishes,
): ControllerSettings {
  const ofKind = kind && perKind[groupKindText(kind)];
  return { ...controllerDefaults, ...ofKind, ...settings };
}

/** `PodSet.app.example.com`, or `Pod` in the core group. */
export const groupKindText = ({ group, kind }: Pick<KindInfo, 'group' | 'kind'>): string =>
  group === '' ? kind : `${kind}.${group}`;

function controllerOptions({ coalesce, ...settings }: ControllerSettings): ControllerOptions {
  if (!coalesce) return settings;
  const { window, maxDelay } = coalesce;
  return {
    ...settings,
    coalesce: { window: parseDuration(window), ...(maxDelay !== undefined && { maxDelay: parseDuration(maxDelay) }) },
  };
}
