import { crdFor } from '@kubewright/manifests';
import { expect } from 'chai';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  Contains,
  IsAlpha,
  IsAlphanumeric,
  IsBoolean,
  IsDivisibleBy,
  IsEmail,
  IsEnum,
  IsHexadecimal,
  IsIn,
  IsInt,
  IsIP,
  IsNegative,
  IsNotEmpty,
  IsNotIn,
  IsNumber,
  IsOptional,
  IsPort,
  IsPositive,
  IsRFC3339,
  IsString,
  IsUUID,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  validateSync,
} from 'class-validator';
import { createOperator, KubernetesResource, Nested, type Operator, Resource } from 'kubewright';
import { after, before, describe, it } from 'mocha';
import { startTestServer, type TestServer } from '../support/servers.js';
import { until } from '../support/until.js';

enum Phase {
  Ready = 'Ready',
  Waiting = 'Waiting',
}

class Spec {
  @IsOptional() @IsString() string?: string;
  @IsOptional() @IsBoolean() boolean?: boolean;
  @IsOptional() @IsNumber() number?: number;
  @IsOptional() @IsInt() @Min(-3) @Max(7) bounded?: number;
  @IsOptional() @IsInt() @IsPositive() positive?: number;
  @IsOptional() @IsNumber() @IsNegative() negative?: number;
  @IsOptional() @IsInt() @IsDivisibleBy(5) fives?: number;
  @IsOptional() @IsString() @IsNotEmpty() filled?: string;
  @IsOptional() @MinLength(2) @MaxLength(4) short?: string;
  @IsOptional() @Length(3) long?: string;
  @IsOptional() @Matches(/^[a-z]+(?:-\d{2})?$/i) pattern?: string;
  @IsOptional() @Contains('a.b') contains?: string;
  @IsOptional() @IsIn(['x', 'y']) oneOf?: string;
  @IsOptional() @IsString() @IsNotIn(['x', 'y']) noneOf?: string;
  @IsOptional() @IsEnum(Phase) phase?: Phase;
  @IsOptional() @IsRFC3339() time?: string;
  @IsOptional() @IsEmail() email?: string;
  @IsOptional() @IsIP(4) ipv4?: string;
  @IsOptional() @IsIP(6) ipv6?: string;
  @IsOptional() @IsIP() ip?: string;
  @IsOptional() @IsUUID() uuid?: string;
  @IsOptional() @IsPort() port?: string;
  @IsOptional() @IsAlpha() alpha?: string;
  @IsOptional() @IsAlphanumeric() alphanumeric?: string;
  @IsOptional() @IsHexadecimal() hex?: string;
  @IsOptional() @IsString({ each: true }) @ArrayMinSize(1) @ArrayMaxSize(2) @ArrayUnique() list?: string[];
}

@Resource({ group: 'agreement.example.com', version: 'v1' })
class Agreement extends KubernetesResource {
  @Nested(() => Spec) spec!: Spec;
}

/** Values of each property: class-validator and the API server have to judge them alike. */
const CORPUS: { readonly [P in keyof Spec]-?: readonly unknown[] } = {
  string: ['', 'a', 'ü', 1, true, ['a'], { a: 1 }],
  boolean: [true, false, 'true', 0],
  number: [0, -1.5, 1e10, '1'],
  bounded: [-3, 7, 0, -4, 8, 1.5, '1'],
  positive: [1, 100, 0, -1],
  negative: [-0.5, -7, 0, 1],
  fives: [0, 5, -10, 3],
  filled: ['a', ' ', ''],
  short: ['ab', 'abcd', 'a', 'abcde', 'äöü'],
  long: ['abc', 'ab'],
  pattern: ['abc', 'ABC-12', 'abc-1', '', 'a b'],
  contains: ['a.b', 'xa.by', 'axb', ''],
  oneOf: ['x', 'y', 'z', ''],
  noneOf: ['z', '', 'x'],
  phase: ['Ready', 'Waiting', 'ready', ''],
  time: ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.123+02:00', '2026-01-02', 'soon'],
  email: ['a@example.com', 'a', ''],
  ipv4: ['10.0.0.1', '10.0.0.256', '::1', ''],
  ipv6: ['::1', 'fe80::1', '10.0.0.1', ''],
  ip: ['10.0.0.1', '::1', 'x', ''],
  uuid: ['d9428888-122b-11e1-b85c-61cd3cbb3210', 'd9428888', ''],
  port: ['0', '80', '65535', '65536', '080', '-1', ''],
  alpha: ['abc', 'ab1', ''],
  alphanumeric: ['ab1', 'ab-1', ''],
  hex: ['ff', '0xFF', 'fg', ''],
  list: [['a'], ['a', 'b'], [], ['a', 'b', 'c'], ['a', 'a'], 'a', [1]],
};

describe('CRD-13 the schema and class-validator judge values alike', function () {
  this.timeout(120_000);
  let server: TestServer;
  let operator: Operator;

  before(async () => {
    server = await startTestServer();
    operator = await createOperator({
      controllers: [],
      kubeConfig: server.kubeconfigPath,
      environment: false,
      logLevel: 'silent',
    });
    await operator.client.apply(crdFor(Agreement));
    await until('the new kind is served', () => operator.client.create(anAgreement({}), { dryRun: true }));
  });
  after(async () => {
    await operator?.stop();
    await server?.stop();
  });

  for (const [property, values] of Object.entries(CORPUS))
    it(property, async () => {
      const judged = await Promise.all(
        values.map(async (value) => {
          const spec = Object.assign(new Spec(), { [property]: value });
          return {
            value,
            classValidator: validateSync(spec).length === 0,
            server: await accepted(operator, { [property]: value }),
          };
        }),
      );
      for (const { value, classValidator, server: answer } of judged)
        expect(answer, `${property}: ${JSON.stringify(value)}`).to.equal(classValidator);
    });
});

const anAgreement = (spec: object) => ({
  apiVersion: 'agreement.example.com/v1',
  kind: 'Agreement',
  metadata: { namespace: 'default', generateName: 'a-' },
  spec,
});

/** Whether the API server takes the object; unknown members inside wrong values are not what is asked. */
async function accepted(operator: Operator, spec: object): Promise<boolean> {
  try {
    await operator.client.create(anAgreement(spec), { dryRun: true, fieldValidation: 'Ignore' });
    return true;
  } catch (error) {
    expect(error).to.have.property('code', 'KW_API_INVALID');
    return false;
  }
}
