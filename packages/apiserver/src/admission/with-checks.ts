import type { AdmissionAttributes, AdmissionPort } from '../core/types.js';

/** A check of the server itself; throws a StatusError to deny. */
export interface AdmissionCheck {
  validate(attributes: AdmissionAttributes): Promise<void>;
}

/** The server's own checks before the validating webhooks, in this order. */
export function withChecks(port: AdmissionPort, checks: readonly AdmissionCheck[]): AdmissionPort {
  return {
    mutate: (attributes) => port.mutate(attributes),
    async validate(attributes) {
      for (const check of checks) await check.validate(attributes);
      await port.validate(attributes);
    },
  };
}
