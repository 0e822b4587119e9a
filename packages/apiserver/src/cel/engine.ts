import { createRequire } from 'node:module';
import type * as Cel from '@marcbachmann/cel-js';
import { celEqual } from './lib/equal.js';
import { registerFormats } from './lib/formats.js';
import { registerLists } from './lib/lists.js';
import { registerNetwork } from './lib/network.js';
import { registerQuantities } from './lib/quantities.js';
import { registerRegex } from './lib/regex.js';
import { registerSemver } from './lib/semver.js';
import { registerSets } from './lib/sets.js';
import { registerStrings } from './lib/strings.js';
import { registerTwoVariables } from './lib/two-variables.js';
import { registerUrls } from './lib/urls.js';

/** The expression engine with the libraries of Kubernetes. */
export interface Engine {
  readonly cel: typeof Cel;
  /** The environment of validation rules on values of a type: `dyn`, `string`, `int`, `double` or `bool`. */
  rules(type: string): Cel.Environment;
}

let engine: Engine | undefined;

/** Loads the engine on first use: it costs more time than the rest of the start, and most servers need it late or never. */
export function celEngine(): Engine {
  return (engine ??= load());
}

function load(): Engine {
  const cel = createRequire(import.meta.url)('@marcbachmann/cel-js') as typeof Cel;
  const base = new cel.Environment({
    unlistedVariablesAreDyn: false,
    homogeneousAggregateLiterals: false,
    enableOptionalTypes: true,
  });
  registerStrings(base);
  registerRegex(base);
  registerLists(base);
  registerSets(base);
  registerTwoVariables(base);
  registerUrls(base);
  registerNetwork(base);
  registerQuantities(base);
  registerSemver(base);
  registerFormats(base, cel);
  type Maybe = InstanceType<typeof cel.Optional>;
  const same = (a: Maybe, b: Maybe): boolean =>
    a.hasValue() === b.hasValue() && (!a.hasValue() || celEqual(a.value(), b.value()));
  base.registerOperator('optional<A> == optional<A>', same);
  // An optional without a value is no null.
  base.registerOperator('optional<dyn> == null', () => false);
  const environments = new Map<string, Cel.Environment>();
  const rules = (type: string): Cel.Environment => {
    let found = environments.get(type);
    if (!found) {
      found = base.clone().registerVariable('self', type).registerVariable('oldSelf', type);
      environments.set(type, found);
    }
    return found;
  };
  return { cel, rules };
}
