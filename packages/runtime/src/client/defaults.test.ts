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
    });
  });
});
