import 'reflect-metadata';
import { KubernetesResource, type KubewrightError } from '@kubewright/api';
import { type Class, type PrinterColumnOptions, updateRecord, withColumn } from '@kubewright/metadata';
import { expect } from 'chai';
import { ArrayMaxSize, IsIn, IsInt, IsObject, IsOptional, IsString, Matches, Max, Min } from 'class-validator';
import { describe, it } from 'mocha';
import { crdFor, crdsFor } from './crd.js';
import { Default, facts, faultsOf, Nested, Resource } from './crd-fixtures.test.js';

describe('faults of resource classes (§1.6)', () => {
  class Loop {
    @Nested(() => Loop) next!: unknown;
  }
  class Undecorated {
    @IsString() name!: string;
    forgotten!: string;
  }
  class Contradiction {
    @IsInt() @Min(5) @Max(3) size!: number;
    @IsString() @Min(1) text!: string;
  }
  class Conflict {
    @IsString() size!: number;
  }
  class Unknown {
    @IsOptional() union?: string | number;
    @ArrayMaxSize(2) list!: unknown[];
    @IsOptional() when?: Date;
    @IsOptional() bare?: object;
  }
  class BadDefault {
    @IsInt() @Min(1) @Default(0) size!: number;
  }
  class BadPattern {
    @Matches(/^(?=a)a$/) text!: string;
  }
  class BadValues {
    @IsIn(['a', 1]) value!: unknown;
    @IsInt() @Max(2 ** 60) big!: number;
  }
  const cases: [Class, string[]][] = [
    [Loop, ['KW_CRD_RECURSIVE Loop.next']],
    [Undecorated, ['KW_CRD_UNDECORATED Undecorated.forgotten']],
    [Contradiction, ['KW_CRD_CONTRADICTION Contradiction.size', 'KW_CRD_CONTRADICTION Contradiction.text']],
    [Conflict, ['KW_CRD_TYPE_CONFLICT Conflict.size']],
    [
      Unknown,
      [
        'KW_CRD_TYPE_UNKNOWN Unknown.union',
        'KW_CRD_ITEMS_UNKNOWN Unknown.list',
        'KW_CRD_NOT_JSON Unknown.when',
        'KW_CRD_TYPE_UNKNOWN Unknown.bare',
      ],
    ],
    [BadDefault, ['KW_CRD_DEFAULT BadDefault.size']],
    [BadPattern, ['KW_CRD_PATTERN BadPattern.text']],
    [
      BadValues,
      ['KW_CRD_MIXED_ENUM BadValues.value', 'KW_CRD_TYPE_UNKNOWN BadValues.value', 'KW_CRD_NUMBER BadValues.big'],
    ],
  ];
  for (const [cls, codes] of cases)
    it(`${codes.map((code) => code.split(' ')[0]).join(', ')}`, () => {
      expect(faultsOf(cls)).to.deep.equal(codes);
    });

  it('KW_CRD_NESTED_RESOURCE, KW_CRD_BARE_OBJECT', () => {
    @Resource()
    class Other extends KubernetesResource {
      @IsString() name!: string;
    }
    class Spec {
      @Nested(() => Other) other!: Other;
      @IsObject() anything!: object;
    }
    expect(faultsOf(Spec)).to.deep.equal(['KW_CRD_NESTED_RESOURCE Spec.other', 'KW_CRD_BARE_OBJECT Spec.anything']);
  });

  it('KW_CRD_COLUMN_PATH: LINT-37 paths from a dot, without index; types that kubectl shows; names once', () => {
    const build = (column: PrinterColumnOptions, twice = false): (() => unknown) => {
      @Resource()
      class Thing extends KubernetesResource {}
      updateRecord(Thing, withColumn(column));
      if (twice) updateRecord(Thing, withColumn(column));
      return () => crdFor(Thing);
    };
    const good = { name: 'A', type: 'string', jsonPath: '.spec.a' } as const;
    expect(build(good)).not.to.throw();
    expect(build({ ...good, jsonPath: 'spec.a' })).to.throw(
      /KW_CRD_COLUMN_PATH: Thing has the column "A" with jsonPath "spec\.a"/,
    );
    expect(build({ ...good, jsonPath: '.spec.a[0]' })).to.throw(/with jsonPath/);
    expect(build({ ...good, type: 'object' as never })).to.throw(/of type object/);
    expect(build(good, true)).to.throw(/twice/);
  });

  it('CRD-9 KW_META_NO_TYPES is told alone when the compiler wrote nothing down', () => {
    class Untyped extends KubernetesResource {
      spec!: object;
    }
    Resource()(Untyped);
    facts({ optional: true })(Untyped.prototype, 'spec');
    expect(() => crdFor(Untyped))
      .to.throw(/^KW_META_NO_TYPES: the resource classes carry no type information/)
      .with.property('details')
      .that.has.length(1);
  });

  it('are told for all classes at once, in three lines each', () => {
    @Resource()
    class First extends KubernetesResource {
      @Nested(() => Conflict) spec!: Conflict;
    }
    @Resource({ group: 'nodot' })
    class Second extends KubernetesResource {
      @Nested(() => BadDefault) spec!: BadDefault;
      @Nested(() => Conflict) status!: Conflict;
    }
    class Plain {}
    expect(() => crdsFor([First, Second, Plain]))
      .to.throw()
      .and.to.satisfy((error: KubewrightError) => {
        expect(error.code).to.equal('KW_CRD_INVALID');
        expect(error.details.map((detail) => detail.code)).to.deep.equal([
          'KW_CRD_TYPE_CONFLICT',
          'KW_CRD_IDENTITY',
          'KW_CRD_DEFAULT',
          'KW_CRD_STATUS_PLAIN',
          'KW_CRD_NO_RESOURCE',
        ]);
        expect(error.message.split('\n').slice(0, 3)).to.deep.equal([
          'KW_CRD_TYPE_CONFLICT: Conflict.size is string by @isString and number by its type.',
          '  cause: a property has one type',
          '  fix: remove one of the two, or change the type of the property',
        ]);
        return error.message.endsWith('\n5 faults');
      });
  });
});
