import 'reflect-metadata';
import { KubernetesResource } from '@kubewright/api';
import { type Class, updateRecord, withColumn, withScale } from '@kubewright/metadata';
import { expect } from 'chai';
import {
  ArrayMaxSize,
  ArrayUnique,
  Contains,
  IsBoolean,
  IsDivisibleBy,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsIP,
  IsISO8601,
  IsJWT,
  IsNotIn,
  IsNumber,
  IsOptional,
  IsPositive,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { describe, it } from 'mocha';
import { crdFor, crdsFor } from './crd.js';
import { Default, facts, Nested, Resource, specOf } from './crd-fixtures.test.js';
import type { JsonSchema } from './json-schema.js';

const propertiesOf = (spec: Class): Record<string, JsonSchema> => specOf(spec).properties ?? {};
enum Phase {
  Ready,
  Waiting,
}

describe('CRD of a resource class', () => {
  it('§1.1 names, scope and options have their defaults', () => {
    @Resource({ shortNames: ['pl'], categories: ['all'], scope: 'Cluster', deprecated: 'use v2', labels: { a: 'b' } })
    class Policy extends KubernetesResource {}
    const crd = crdFor(Policy);
    expect(crd.metadata.name).to.equal('policies.app.example.com');
    expect(crd.metadata.labels).to.deep.equal({ a: 'b' });
    expect(crd.spec.names).to.deep.equal({
      kind: 'Policy',
      listKind: 'PolicyList',
      plural: 'policies',
      singular: 'policy',
      shortNames: ['pl'],
      categories: ['all'],
    });
    expect(crd.spec.scope).to.equal('Cluster');
    expect(crd.spec.versions).to.have.length(1);
    expect(crd.spec.versions[0]).to.include({ name: 'v1', served: true, storage: true, deprecationWarning: 'use v2' });
  });

  it('CRD-4 spec is required exactly when it has required properties, and gets default {} for defaults below it', () => {
    class Required {
      @IsString() name!: string;
    }
    class Defaults {
      @IsInt() @Default(1) size!: number;
    }
    @Resource()
    class A extends KubernetesResource {
      @Nested(() => Required) spec!: Required;
    }
    @Resource()
    class B extends KubernetesResource {
      @Nested(() => Defaults) spec!: Defaults;
    }
    const [a, b] = [A, B].map((cls) => crdFor(cls).spec.versions[0]?.schema.openAPIV3Schema);
    expect(a?.required).to.deep.equal(['spec']);
    expect(b).not.to.have.property('required');
    expect(b?.properties?.['spec']?.default).to.deep.equal({});
  });

  it('CRD-3 a status is optional and a subresource', () => {
    class Status {
      @IsString() phase!: string;
    }
    @Resource()
    class Thing extends KubernetesResource {
      @facts({ type: () => Status, optional: true, status: { subresource: true } }) status?: Status;
    }
    const [version] = crdFor(Thing).spec.versions;
    expect(version?.subresources).to.deep.equal({ status: {} });
    expect(version?.schema.openAPIV3Schema).not.to.have.property('required');
    expect(version?.schema.openAPIV3Schema.properties?.['status']?.required).to.deep.equal(['phase']);
  });

  it('CRD-25 carries a hash that changes with its schema and with nothing else', () => {
    class A {
      @IsInt() size!: number;
    }
    const build = (version: string, labels: Record<string, string>): string => {
      @Resource({ version, labels })
      class Thing extends KubernetesResource {
        @Nested(() => A) spec!: A;
      }
      return crdFor(Thing).metadata.annotations['kubewright.dev/schema-hash'] ?? '';
    };
    expect(build('v1', { a: 'b' }))
      .to.match(/^[0-9a-f]{12}$/)
      .and.to.equal(build('v1', { a: 'c' }));
    expect(build('v2', { a: 'b' })).not.to.equal(build('v1', { a: 'b' }));
  });

  it('leaves out kinds of other people', () => {
    @Resource({ external: true })
    class Foreign extends KubernetesResource {}
    expect(crdsFor([Foreign]).crds).to.deep.equal([]);
  });
});

describe('class-validator rules in the schema (§1.3)', () => {
  it('types: the rule decides over what the compiler wrote, and may narrow it', () => {
    class Spec {
      @IsInt() whole!: number;
      @IsInt() @Min(0) @Max(10) small!: number;
      @IsNumber() any!: number;
      @IsBoolean() flag!: boolean;
      @IsString({ each: true }) @ArrayMaxSize(3) @ArrayUnique() names!: string[];
      @IsISO8601() at!: string;
    }
    expect(propertiesOf(Spec)).to.deep.equal({
      whole: { type: 'integer', format: 'int64' },
      small: { type: 'integer', format: 'int32', minimum: 0, maximum: 10 },
      any: { type: 'number' },
      flag: { type: 'boolean' },
      names: { type: 'array', items: { type: 'string' }, maxItems: 3, 'x-kubernetes-list-type': 'set' },
      at: { type: 'string', format: 'date-time' },
    });
  });

  it('bounds, lengths, values and patterns', () => {
    class Spec {
      @IsInt() @IsPositive() @IsDivisibleBy(5) step!: number;
      @IsPositive() @IsNumber() ratio!: number;
      @Length(2, 9) @MaxLength(7) code!: string;
      @IsIn(['b', 'a', 'b']) letter!: string;
      @IsNotIn(['x']) @IsString() other!: string;
      @IsEnum(Phase) phase!: Phase;
      @Matches(/^[a-z]+\/$/i) path!: string;
      @Contains('a.b') @IsEmail() mail!: string;
      @IsIP() ip!: string;
    }
    expect(propertiesOf(Spec)).to.deep.equal({
      step: { type: 'integer', format: 'int64', minimum: 1, multipleOf: 5 },
      ratio: { type: 'number', minimum: 0, exclusiveMinimum: true },
      code: { type: 'string', minLength: 2, maxLength: 7 },
      letter: { type: 'string', enum: ['b', 'a'] },
      other: { type: 'string', not: { enum: ['x'] } },
      phase: { type: 'integer', enum: [0, 1] },
      path: { type: 'string', pattern: '(?i)^[a-z]+/$' },
      mail: { type: 'string', pattern: 'a\\.b', format: 'email' },
      ip: { type: 'string', anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] },
    });
  });

  it('CRD-10 of two bounds on one side the strictest wins', () => {
    class Spec {
      @Min(1) @Min(3) @IsInt() a!: number;
      @Max(1) @Max(3) @IsInt() b!: number;
    }
    expect(propertiesOf(Spec)['a']?.minimum).to.equal(3);
    expect(propertiesOf(Spec)['b']?.maximum).to.equal(1);
  });

  it('required: everything but optional and defaulted properties, sorted', () => {
    class Spec {
      @IsString() z!: string;
      @IsString() @IsOptional() m?: string;
      @IsString() @Default('x') d!: string;
      @IsString() a!: string;
    }
    expect(specOf(Spec).required).to.deep.equal(['a', 'z']);
  });

  it('nested classes are inlined, in lists too', () => {
    class Item {
      @IsString() name!: string;
    }
    class Spec {
      @ValidateNested() one!: Item;
      @Nested(() => Item, true) many!: Item[];
      @Nested(() => Number, true) @Min(1, { each: true }) numbers!: number[];
    }
    const item = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    expect(propertiesOf(Spec)).to.deep.equal({
      one: item,
      many: { type: 'array', items: item },
      numbers: { type: 'array', items: { type: 'number', minimum: 1 } },
    });
  });

  it('checks that no schema can say are told, and stay out', () => {
    class Spec {
      @IsString() @IsJWT() token!: string;
    }
    @Resource()
    class Thing extends KubernetesResource {
      @Nested(() => Spec) spec!: Spec;
    }
    const { crds, notices } = crdsFor([Thing]);
    expect(crds[0]?.spec.versions[0]?.schema.openAPIV3Schema.properties?.['spec']?.properties).to.deep.equal({
      token: { type: 'string' },
    });
    expect(notices.map((notice) => notice.message)).to.deep.equal([
      'Spec.token: @isJwt is checked by the webhook only; the schema has no word for it',
    ]);
  });
});

describe('columns and scale', () => {
  class Status {
    @IsInt() @IsOptional() replicas?: number;
    @IsISO8601() @IsOptional() @facts({ columns: [{ name: 'Since' }] }) since?: string;
  }
  class Spec {
    @IsInt() @facts({ columns: [{ name: 'Desired' }] }) replicas!: number;
  }

  it('CRD-24 columns: spec, status, class; then Age', () => {
    @Resource()
    class Thing extends KubernetesResource {
      @facts({ type: () => Status, optional: true, status: { subresource: true } }) status?: Status;
      @Nested(() => Spec) spec!: Spec;
    }
    updateRecord(Thing, withColumn({ name: 'Host', type: 'string', jsonPath: '.spec.host', priority: 1 }));
    expect(crdFor(Thing).spec.versions[0]?.additionalPrinterColumns).to.deep.equal([
      { name: 'Desired', type: 'integer', jsonPath: '.spec.replicas' },
      { name: 'Since', type: 'date', jsonPath: '.status.since' },
      { name: 'Host', type: 'string', jsonPath: '.spec.host', priority: 1 },
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    ]);
  });

  it('LINT-39 scale paths lead to integers', () => {
    @Resource()
    class Thing extends KubernetesResource {
      @Nested(() => Spec) spec!: Spec;
    }
    updateRecord(Thing, withScale({ spec: '.spec.replicas', status: '.status.replicas' }));
    expect(() => crdFor(Thing)).to.throw(
      /KW_CRD_SCALE: Thing has @Scale status: "\.status\.replicas", which leads to nothing/,
    );
  });
});
