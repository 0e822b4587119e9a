import { expect } from 'chai';
import { describe, it } from 'mocha';
import { clientDefaults } from './defaults.js';

describe('defaults of the client', () => {
  it('are what the documentation says', () => {
    expect(clientDefaults).to.deep.equal({
      missRemembered: 10000,
      fieldManagerLength: 128,
      liveLists: 100,
      liveListWindow: 600000,
      editAttempts: 5,
      editWaits: [10, 20, 40, 80],
      fightWrites: 3,
      fightWindow: 60000,
      fightsRemembered: 1000,
      appliedRemembered: 10000,
      tokenSeconds: 3600,
      tokenSecondsMin: 600,
    });
  });
});
