import { type ErrorDetail, KubewrightError } from '@kubewright/api';
import type { FaultCode } from './fault-codes.js';

/** One wrong use, told so that its author can repair it (M3). */
export interface Fault {
  readonly code: FaultCode;
  /** Name of the class. */
  readonly owner: string;
  readonly property?: string | undefined;
  readonly found: string;
  readonly expected: string;
  readonly fix: string;
}

const placeOf = (fault: Fault): string =>
  fault.property === undefined ? fault.owner : `${fault.owner}.${fault.property}`;

/** `Class.property: found; expected …; fix: …`. */
export function faultText(fault: Fault): string {
  return `${placeOf(fault)}: ${fault.found}; expected ${fault.expected}; fix: ${fault.fix}`;
}

const byPlace = (a: Fault, b: Fault): number =>
  compare(a.owner, b.owner) || compare(a.property ?? '', b.property ?? '') || compare(a.found, b.found);

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** All faults in one error, sorted by class and property, equal ones once, with a closing count (M2). */
export function bootstrapError(faults: readonly Fault[]): KubewrightError {
  const unique = new Map([...faults].sort(byPlace).map((fault) => [faultText(fault), fault]));
  const details: ErrorDetail[] = [...unique].map(([message, fault]) => ({
    code: fault.code,
    where: placeOf(fault),
    message,
    fix: fault.fix,
  }));
  const classes = new Set([...unique.values()].map((fault) => fault.owner)).size;
  const lines = details.map((detail) => `  ${detail.message}`);
  return new KubewrightError(
    'KW_BOOTSTRAP',
    `the operator cannot start:\n${lines.join('\n')}\n${count(details.length, 'fault')} in ${count(classes, 'class', 'classes')}; nothing was started and no request was sent`,
    { details },
  );
}

function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}
