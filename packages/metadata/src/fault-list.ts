import type { FaultCode } from './fault-codes.js';
import type { Fault } from './fault.js';

/** Faults of one class while it is read. */
export class FaultList {
  readonly faults: Fault[] = [];

  constructor(readonly owner: string) {}

  add(code: FaultCode, text: Pick<Fault, 'found' | 'expected' | 'fix'>, property?: string): void {
    this.faults.push({ code, owner: this.owner, ...text, ...(property !== undefined && { property }) });
  }
}
