import { answerFaults } from './answer-faults.js';
import { connectionFaults } from './connection-faults.js';
import { eventFaults } from './event-faults.js';
import type { Fault } from './fault.js';

/** Every way in which the road between operator and server goes wrong. */
export const faults: readonly Fault[] = [...connectionFaults, ...answerFaults, ...eventFaults];
