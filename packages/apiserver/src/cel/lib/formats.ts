import type { Environment } from '@marcbachmann/cel-js';
import type * as Cel from '@marcbachmann/cel-js';
import { checkLabel, checkLabelValue, checkQualifiedName, checkSubdomain } from '../../core/names.js';
import { formatCheck } from '../../schema/formats.js';

/** A named format; `check` answers what is wrong with a text. */
class Format {
  readonly check: (text: string) => string[];

  constructor(check: (text: string) => string[]) {
    this.check = check;
  }
}

const label1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const dns1035 = (text: string): string[] => [
  ...(text.length > 63 ? ['must be no more than 63 characters'] : []),
  ...(label1035.test(text)
    ? []
    : [
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an " +
          "alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
      ]),
];

/** With a trailing dash for generated names. */
const prefix =
  (check: (text: string) => string[]) =>
  (text: string): string[] =>
    check(text.endsWith('-') && text.length > 1 ? `${text.slice(0, -1)}a` : text);
const schemaFormat =
  (name: string, why: string) =>
  (text: string): string[] =>
    formatCheck(name)?.(text) ? [] : [why];

const formats: Readonly<Record<string, (text: string) => string[]>> = {
  dns1123Label: checkLabel,
  dns1123Subdomain: checkSubdomain,
  dns1035Label: dns1035,
  qualifiedName: checkQualifiedName,
  dns1123LabelPrefix: prefix(checkLabel),
  dns1123SubdomainPrefix: prefix(checkSubdomain),
  dns1035LabelPrefix: prefix(dns1035),
  labelValue: checkLabelValue,
  uri: schemaFormat('uri', 'invalid URI'),
  uuid: schemaFormat('uuid', 'does not match the UUID format'),
  byte: schemaFormat('byte', 'invalid base64'),
  date: schemaFormat('date', 'invalid date'),
  datetime: schemaFormat('date-time', 'invalid datetime'),
};

/** `format.<name>()`, `format.named(name)` and `validate`. */
export function registerFormats(env: Environment, { Optional }: typeof Cel): void {
  class Formats {}
  const type = 'kubernetes.NamedFormat';
  env.registerType(type, Format);
  env.registerType('kubernetes.Formats', Formats);
  env.registerConstant('format', 'kubernetes.Formats', new Formats());
  for (const [name, check] of Object.entries(formats)) {
    const format = new Format(check);
    env.registerFunction(`kubernetes.Formats.${name}(): ${type}`, () => format);
  }
  env.registerFunction('kubernetes.Formats.named(string): optional', (_: Formats, name: string) =>
    Object.hasOwn(formats, name)
      ? Optional.of(new Format(formats[name] as (text: string) => string[]))
      : Optional.none(),
  );
  env.registerFunction(`${type}.validate(string): optional`, (format: Format, text: string) => {
    const problems = format.check(text);
    return problems.length > 0 ? Optional.of(problems) : Optional.none();
  });
}
