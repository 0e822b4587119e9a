import { Client, type KindToken, Logger } from '@kubewright/api';
import {
  bootstrapError,
  type ControllerDefinition,
  define,
  type Fault,
  type ResourceDefinition,
  settingFaults,
} from '@kubewright/metadata';
import { OperatorContainer } from './container.js';
import { groupKindText } from './build-controller.js';
import { withEnvironment } from './environment.js';
import { bindClasses } from './instances.js';
import type { OperatorOptions } from './options.js';

/** What is known of an operator before anything of it exists. */
export interface Scan {
  /** Options, environment and flags applied. */
  readonly options: OperatorOptions;
  readonly controllers: readonly ControllerDefinition[];
  readonly resources: readonly ResourceDefinition[];
  readonly container: OperatorContainer;
}

/** What the container hands out for `Client` and `Logger`; asked for when the first class is constructed. */
export interface Framework {
  readonly client: () => Client;
  readonly logger: () => Logger;
}

/**
 * Reads everything an operator lists and checks it, constructing nothing and asking nobody. Throws one `KW_BOOTSTRAP` with
 * every fault of every class (M2).
 */
export function scan(given: OperatorOptions, framework: Framework): Scan {
  const faults: Fault[] = [];
  const options = withEnvironment(given, faults);
  const { controllers, resources, faults: found } = define(options);
  faults.push(...found, ...optionFaults(options, controllers));

  const container = new OperatorContainer();
  container.bind(Client).toDynamicValue(framework.client).inSingletonScope();
  container.bind(Logger).toDynamicValue(framework.logger).inSingletonScope();
  try {
    options.bindings?.(container);
  } catch (error) {
    faults.push(bindingsFault(error));
  }
  bindClasses(controllers, container);
  faults.push(...container.faults());
  if (faults.length > 0) throw bootstrapError(faults);
  return { options, controllers, resources, container };
}

/** What is wrong with options for several controllers (C3). */
function optionFaults(
  { controllerDefaults = {}, perKind = {} }: OperatorOptions,
  controllers: readonly ControllerDefinition[],
): Fault[] {
  const primaries = controllers.flatMap(({ sources }) => sources.filter(({ role }) => role === 'For'));
  const kinds = new Set(
    primaries.map(({ kind, ref }) => groupKindText(kind ?? (ref as unknown as KindToken<unknown>))),
  );
  const unknown = Object.keys(perKind)
    .filter((name) => !kinds.has(name))
    .map((name): Fault => ({
      code: 'KW_OPTION',
      owner: `perKind["${name}"]`,
      found: 'names a kind that no controller reconciles',
      expected: `one of ${[...kinds].join(', ') || 'none: no controller has @For'}`,
      fix: 'write kind and group as in PodSet.app.example.com',
    }));
  const wrong = Object.entries(perKind).flatMap(([name, settings]) => settingFaults(settings, `perKind["${name}"]`));
  return [...settingFaults(controllerDefaults, 'controllerDefaults'), ...wrong, ...unknown];
}

const bindingsFault = (error: unknown): Fault => ({
  code: 'KW_DI_BINDINGS',
  owner: 'bindings',
  found: `threw: ${error instanceof Error ? error.message : String(error)}`,
  expected: 'a function that only binds',
  fix: 'correct the function given as option `bindings`',
});
