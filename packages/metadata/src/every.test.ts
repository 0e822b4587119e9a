import { expect } from 'chai';
import { describe, it } from 'mocha';
import { define } from './define.js';
import { recordOf, updateRecord } from './store.js';
import { withController, withEvery, withSource } from './updaters.js';

const kind = {
  group: 'other.example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Namespaced',
} as const;

describe('@Every', () => {
  it('E13 becomes an interval in ms', () => {
    class Widgets {
      reconcile(): void {}
    }
    updateRecord(Widgets, withController({}));
    updateRecord(Widgets, withSource({ role: 'For', kind: kind as never, options: {} }));
    updateRecord(Widgets, withEvery('10m'));
    expect(recordOf(Widgets).every).to.equal('10m');
    const { controllers, faults } = define({ controllers: [Widgets] });
    expect(faults).to.deep.equal([]);
    expect(controllers[0]?.every).to.equal(600_000);
  });

  it('E13 M3 is a fault without @For, and with an interval that cannot be', () => {
    class Never {
      reconcile(): void {}
    }
    updateRecord(Never, withController({ name: 'never' }));
    updateRecord(Never, withEvery('0s'));
    const { faults } = define({ controllers: [Never] });
    expect(faults.map(({ code, found }) => `${code}: ${found}`)).to.include.members([
      'KW_CONTROLLER_NO_PRIMARY: has @Every("0s") but no @For',
      'KW_CONTROLLER_OPTION: has @Every("0s")',
    ]);
  });
});
