import { expect } from 'chai';
import { describe, it } from 'mocha';
import { MANAGER_DEFAULTS } from './defaults.js';

describe('defaults of the manager', () => {
  it('M8 M11 M13 M16 are these', () => {
    expect(MANAGER_DEFAULTS).to.deep.equal({
      gracefulTimeout: 30_000,
      restTimeout: 5_000,
      cacheSyncTimeout: 120_000,
      firstFaultReport: 5_000,
      faultReportEvery: 10_000,
      diagnosisTimeout: 2_000,
      lagBeat: 500,
      lagWarning: 1_000,
      lagWarnEvery: 60_000,
      hangAfter: 600_000,
    });
  });
});
