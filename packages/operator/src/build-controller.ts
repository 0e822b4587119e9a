import { type KindInfo, parseDuration } from '@kubewright/api';
import { type ControllerDefinition, type ControllerSettings, isChannel } from '@kubewright/metadata';
import { Controller, type ControllerOptions } from '@kubewright/runtime';
import type { Engine } from './engine.js';
import type { Instances } from './instances.js';
import { sourcesOf } from './sources.js';

/** A definition with the objects of the user that stand behind it. */
export interface ControllerPlan {
  readonly definition: ControllerDefinition;
  readonly instances: Instances;
}

/** Builds the controller of a plan. Kinds without a known plural cost one discovery read each. */
export async function buildController(
  { definition, instances }: ControllerPlan,
  engine: Engine,
  namespaces: readonly string[] | undefined,
): Promise<Controller> {
  const kinds: (KindInfo | undefined)[] = [];
  for (const { kind, ref, label } of definition.sources)
    kinds.push(kind ?? (isChannel(ref) ? undefined : await engine.kinds.find(ref, label)));
  const primary = kinds[definition.sources.findIndex((source) => source.role === 'For')];
  const context = { cache: engine.cache, namespaces, primary, reconciler: instances.reconciler };
  return new Controller({
    name: definition.name,
    reconciler: instances.reconciler,
    sources: definition.sources.flatMap((source, index) =>
      sourcesOf(source, kinds[index], { ...context, parts: instances.sources[index] }),
    ),
    clock: engine.clock,
    random: engine.random,
    logger: engine.logger,
    runContext: engine.runContexts,
    predicates: instances.predicates,
    options: controllerOptions(definition.settings),
    ...(primary && { kind: primary }),
  });
}

function controllerOptions({ coalesce, ...settings }: ControllerSettings): ControllerOptions {
  if (!coalesce) return settings;
  const { window, maxDelay } = coalesce;
  return {
    ...settings,
    coalesce: { window: parseDuration(window), ...(maxDelay !== undefined && { maxDelay: parseDuration(maxDelay) }) },
  };
}
