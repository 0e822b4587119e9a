import type { Clock } from '@kubewright/api';
import type { Cache, StreamStatus } from '../cache/contract.js';
import type { Controller } from '../controller/controller.js';
import type { HealthCheck } from '../health/health-check.js';
import { MANAGER_DEFAULTS } from './defaults.js';

/** Live: every loop made a step lately; retries during an outage are steps (M16). */
export function loopsCheck(
  clock: Clock,
  caches: () => readonly Cache[],
  controllers: () => readonly Controller[],
): HealthCheck {
  return {
    name: 'loops',
    check() {
      const now = clock.monotonic();
      const streams = caches()
        .flatMap((cache) => cache.streams())
        .filter(({ state, lastStep }) => state !== 'stopped' && now - lastStep >= MANAGER_DEFAULTS.hangAfter);
      const hanging = [
        ...streams.map((stream) => `stream of ${nameOf(stream)}`),
        ...controllers()
          .filter((controller) => !controller.isAlive())
          .map(({ name }) => `controller ${name}`),
      ];
      if (hanging.length > 0) throw new Error(`no step for 10 min: ${hanging.join(', ')}`);
    },
  };
}

/** Ready: every stream that the start waits for was synced once; whether one is open just now is told, not judged (M15). */
export function cachesCheck(synced: () => boolean, caches: () => readonly Cache[]): HealthCheck {
  return {
    name: 'caches',
    check() {
      const streams = caches().flatMap((cache) => cache.streams());
      if (!synced()) {
        const open = streams.filter((stream) => !stream.synced).map(nameOf);
        throw new Error(`not synced yet${open.length === 0 ? '' : `: ${open.join(', ')}`}`);
      }
      const troubled = streams.filter(({ state }) => state !== 'watching' && state !== 'stopped');
      if (troubled.length === 0) return undefined;
      return troubled.map((stream) => `${nameOf(stream)} ${stream.state}`).join(', ');
    },
  };
}

/** Not ready from the first stop signal on (X40). */
export function shutdownCheck(stopping: () => boolean): HealthCheck {
  return {
    name: 'shutdown',
    check() {
      if (stopping()) throw new Error('the process is stopping');
    },
  };
}

const nameOf = ({ kind, scope }: StreamStatus): string =>
  scope.namespace === undefined ? kind.plural : `${kind.plural} in ${scope.namespace}`;
