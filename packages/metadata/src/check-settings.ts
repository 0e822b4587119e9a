import { type Duration, parseDuration } from '@kubewright/api';
import type { Fault } from './fault.js';
import { FaultList } from './fault-list.js';
import type { ControllerDefaults, ControllerSettings } from './record.js';

const DURATIONS = ['cacheSyncTimeout', 'reconcileTimeout', 'failsafeInterval', 'promoteAfter'] as const;
const WHOLE = { maxConcurrentReconciles: 1, maxRetries: 0 } as const;

/** What is wrong with options of controllers that stand at `place`: `perKind["PodSet.app.example.com"]`. */
export function settingFaults(settings: ControllerDefaults, place: string): readonly Fault[] {
  const list = new FaultList(place);
  checkSettings(settings, list, place);
  return list.faults;
}

/** Options of a controller that no queue or controller could work with. */
export function checkSettings(settings: ControllerSettings, list: FaultList, place: string = '@Controller'): void {
  const wrong = (option: keyof ControllerSettings, expected: string, proposal: string): void => {
    const found = `${place} has ${option}: ${JSON.stringify(settings[option])}`;
    list.add('KW_CONTROLLER_OPTION', { found, expected, fix: `${option}: ${proposal}` });
  };
  for (const name of DURATIONS) {
    const value = settings[name];
    if (value !== undefined && !isDuration(value))
      wrong(name, 'milliseconds or text such as "90s" or "1h30m", 0 or more', `'10m'`);
  }
  for (const [name, least] of Object.entries(WHOLE) as [keyof typeof WHOLE, number][]) {
    const value = settings[name];
    if (value !== undefined && !(Number.isInteger(value) && value >= least))
      wrong(name, `a whole number ≥ ${least}`, String(least));
  }
  const { jitter, coalesce } = settings;
  if (jitter !== undefined && !(jitter >= 0 && jitter <= 1)) wrong('jitter', 'a number from 0 to 1', '0.2');
  if (coalesce && !(isDuration(coalesce.window) && isDuration(coalesce.maxDelay ?? 0)))
    wrong('coalesce', 'durations, 0 or more', `{ window: '1s' }`);
}

/** Whether a value is a duration of 0 or more. */
export function isDuration(value: Duration): boolean {
  try {
    return parseDuration(value) >= 0;
  } catch {
    return false;
  }
}
