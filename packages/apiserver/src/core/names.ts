/** What is wrong with a name, in the words of the API; empty = nothing (ME-2). */
export type NameCheck = (name: string) => string[];

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const labelPattern = new RegExp(`^${LABEL}$`);
const subdomainPattern = new RegExp(`^${SUBDOMAIN}$`);
const QUALIFIED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const qualifiedPattern = new RegExp(`^${QUALIFIED}$`);

const LABEL_TEXT =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric " +
  `character (e.g. 'my-name',  or '123-abc', regex used for validation is '${LABEL}')`;
const SUBDOMAIN_TEXT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an " +
  `alphanumeric character (e.g. 'example.com', regex used for validation is '${SUBDOMAIN}')`;
const QUALIFIED_TEXT =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or " +
  `'my.name',  or '123-abc', regex used for validation is '${QUALIFIED}')`;
const VALUE_TEXT =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an " +
  `alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(${QUALIFIED})?')`;
const tooLong = (max: number): string => `must be no more than ${max} characters`;
/** Labels are measured in other words than names. */
const tooManyBytes = (max: number): string => `must be no more than ${max} bytes`;

/** DNS-1123 subdomain, at most 253 characters. */
export const checkSubdomain: NameCheck = (name) => {
  const problems: string[] = [];
  if (name.length > 253) problems.push(tooLong(253));
  if (!subdomainPattern.test(name)) problems.push(SUBDOMAIN_TEXT);
  return problems;
};

/** DNS-1123 label, at most 63 characters. */
export const checkLabel: NameCheck = (name) => {
  const problems: string[] = [];
  if (name.length > 63) problems.push(tooLong(63));
  if (!labelPattern.test(name)) problems.push(subdomainPattern.test(name) ? 'must not contain dots' : LABEL_TEXT);
  return problems;
};

/** A segment of a path, as RBAC names are. */
export const checkPathSegment: NameCheck = (name) => {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return ['/', '%'].filter((c) => name.includes(c)).map((c) => `may not contain '${c}'`);
};

/** `[prefix/]name` of label keys, annotation keys and finalizers. */
export const checkQualifiedName: NameCheck = (text) => {
  const parts = text.split('/');
  const problems: string[] = [];
  if (parts.length > 2) {
    return [
      `a valid label key ${QUALIFIED_TEXT} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = parts.at(-1) as string;
  const prefix = parts.length === 2 ? (parts[0] as string) : undefined;
  if (prefix === '') problems.push('prefix part must be non-empty');
  else if (prefix !== undefined) problems.push(...checkSubdomain(prefix).map((problem) => `prefix part ${problem}`));
  if (name === '') problems.push('name part must be non-empty');
  else if (name.length > 63) problems.push(`name part ${tooManyBytes(63)}`);
  if (!qualifiedPattern.test(name)) problems.push(`name part ${QUALIFIED_TEXT}`);
  return problems;
};

export const checkLabelValue: NameCheck = (value) => {
  const problems: string[] = [];
  if (value.length > 63) problems.push(tooManyBytes(63));
  if (value !== '' && !qualifiedPattern.test(value)) problems.push(VALUE_TEXT);
  return problems;
};
