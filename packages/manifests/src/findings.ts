import { type ErrorDetail, KubewrightError } from '@kubewright/api';
import type { FaultCode } from '@kubewright/metadata';
import type { SchemaCode } from './schema-codes.js';

/** Something in a class that no CRD can say, or that the API server would refuse. */
export interface SchemaFault {
  readonly code: SchemaCode | FaultCode;
  /** `Class.property`, or the class alone. */
  readonly where: string;
  readonly found: string;
  readonly cause: string;
  readonly fix: string;
}

/** A check that stays with webhook validation: the schema cannot say it. */
export interface SchemaNotice {
  readonly code: 'KW_CRD_WEBHOOK_ONLY';
  readonly where: string;
  readonly message: string;
}

/** Collects while a schema is built, so that all faults are told together. */
export class Findings {
  readonly faults: SchemaFault[] = [];
  readonly notices: SchemaNotice[] = [];

  fault(code: SchemaFault['code'], where: string, text: Pick<SchemaFault, 'found' | 'cause' | 'fix'>): void {
    if (!this.faults.some((known) => known.code === code && known.where === where && known.found === text.found))
      this.faults.push({ code, where, ...text });
  }

  webhookOnly(where: string, rule: string): void {
    const message = `${where}: @${rule} is checked by the webhook only; the schema has no word for it`;
    if (!this.notices.some((known) => known.message === message))
      this.notices.push({ code: 'KW_CRD_WEBHOOK_ONLY', where, message });
  }
}

const textOf = (fault: SchemaFault): string =>
  `${fault.code}: ${fault.where} ${fault.found}.\n  cause: ${fault.cause}\n  fix: ${fault.fix}`;

/** All faults of all classes in one error, in class order. */
export function definitionsError(faults: readonly SchemaFault[]): KubewrightError {
  const details: ErrorDetail[] = faults.map((fault) => ({
    code: fault.code,
    where: fault.where,
    message: `${fault.where} ${fault.found}; ${fault.cause}`,
    fix: fault.fix,
  }));
  const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`;
  return new KubewrightError('KW_CRD_INVALID', `${faults.map(textOf).join('\n')}\n${count}`, { details });
}
