import { expect } from 'chai';
import { describe, it } from 'mocha';
import { CONTROLLER_DEFAULTS } from './defaults.js';

describe('defaults of controllers', () => {
  it('C4 C10 C13 C16 C20 M16 M18 are these', () => {
    expect(CONTROLLER_DEFAULTS).to.deep.equal({
      maxConcurrentReconciles: 1,
      reconcileTimeout: 600_000,
      failsafeInterval: 36_000_000,
      failsafeJitter: 0.1,
      failsafeSweeps: 20,
      failsafePriority: -100,
      earlyRunFloor: 1_000,
      quietErrors: 10,
      stuckAfter: 30_000,
      stuckLogEvery: 60_000,
      sameFailureLines: 20,
      runsPerTurn: 64,
      turnLength: 8,
      hangAfter: 600_000,
    });
  });
});
