import { Actor } from './actor.js';
import type { SimContext } from './context.js';
import { SimLoop } from './loop.js';
import { keyOfObject } from './mirror.js';

const EVENTS = { group: '', plural: 'events' };
/** How long an Event lives after it was last written, in ms. */
const LIFETIME_MS = 60 * 60 * 1000;
/** Events go in batches, so that ten thousand need no ten thousand timers. */
const SWEEP_MS = 60 * 1000;
const SWEEP = 'sweep';

/** Lets Events go an hour after their last write (DF-5); always on. */
export function startEventExpiry(context: SimContext): SimLoop {
  const events = context.mirror('events');
  const actor = new Actor(context.semantics.objects, 'event-expiry');
  /** Key → time of the last write, oldest first. */
  const written = new Map<string, number>();

  const work = async (): Promise<number | undefined> => {
    const old = context.clock.now() - LIFETIME_MS;
    for (const [key, time] of written) {
      if (time > old) break;
      written.delete(key);
      const event = events.get(key);
      if (event) await actor.delete(EVENTS, event);
    }
    return written.size ? SWEEP_MS : undefined;
  };

  const loop = new SimLoop({ name: 'event-expiry', clock: context.clock, work });
  events.each((event, change) => {
    const key = keyOfObject(event);
    written.delete(key);
    if (change?.type === 'DELETED') return;
    written.set(key, context.clock.now());
    loop.add(SWEEP, SWEEP_MS);
  });
  return loop;
}
