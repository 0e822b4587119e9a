import { expect } from 'chai';
import { describe, it } from 'mocha';
import { sourceMembers } from './class-source.js';

const mark = (): PropertyDecorator => () => undefined;

class Plain {
  /** How many. */
  count!: number;
  // not documentation
  note?: string;
  /**
   * Two lines
   * with a {@link Plain} in them.
   * @deprecated gone
   */
  text = 'a; b { c }';
  list = [1, { a: '}' }];
  pattern = /[}"/]+;/;
  template = `x ${'}'} y`;
  static shared = 1;
  'quoted-name' = 1;
  readonly arrow = (): number => {
    return 1;
  };
  get twice(): number {
    return this.count * 2;
  }
  async run(): Promise<void> {
    const inner = { field: 1 };
    void inner;
  }
  last!: boolean;
}

class Decorated {
  @mark()
  first!: string;

  /** The second. */
  @mark()
  second!: string;
}

const fieldsOf = (cls: new () => object): string[] =>
  sourceMembers(cls)
    .filter((member) => member.kind === 'field' && !member.static)
    .map((member) => member.name);

describe('members of a class from its source text', () => {
  it('lists fields in order, whatever their initialisers hold', () => {
    expect(fieldsOf(Plain)).to.deep.equal([
      'count',
      'note',
      'text',
      'list',
      'pattern',
      'template',
      'quoted-name',
      'arrow',
      'last',
    ]);
  });

  it('tells methods, accessors and static fields apart', () => {
    const kinds = Object.fromEntries(sourceMembers(Plain).map((member) => [member.name, member.kind]));
    expect(kinds).to.include({ twice: 'accessor', run: 'method', count: 'field' });
    expect(sourceMembers(Plain).find((member) => member.name === 'shared')?.static).to.equal(true);
  });

  it('CRD-26 reads the documentation comment before a field, without tags and links', () => {
    const texts = Object.fromEntries(sourceMembers(Plain).map((member) => [member.name, member.description]));
    expect(texts['count']).to.equal('How many.');
    expect(texts['note']).to.equal(undefined);
    expect(texts['text']).to.equal('Two lines\nwith a Plain in them.');
  });

  it('sees fields and comments of decorated classes', () => {
    expect(sourceMembers(Decorated)).to.deep.equal([
      { name: 'first', kind: 'field', static: false },
      { name: 'second', kind: 'field', static: false, description: 'The second.' },
    ]);
  });

  it('gives nothing, and no error, for what is no class text', () => {
    expect(sourceMembers(Date as never)).to.deep.equal([]);
  });
});
