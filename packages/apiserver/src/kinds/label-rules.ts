import { isIP } from 'node:net';
import { forbiddenField, invalidValue, required } from '../core/errors.js';
import { checkLabel, checkLabelValue, checkQualifiedName, checkSubdomain, type NameCheck } from '../core/names.js';
import type { FieldError } from '../core/types.js';
import type { LabelSelector } from './shapes.js';

/** Names, keys, numbers and selectors inside specs. */

export const PORT_RANGE = 'must be between 1 and 65535, inclusive';
export const NOT_NEGATIVE = 'must be greater than or equal to 0';
const BAD_IP = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';

/** One error for each thing `check` holds against the text; none for an empty one. */
export function checkText(path: string, text: string | undefined, check: NameCheck): FieldError[] {
  return text ? check(text).map((why) => invalidValue(path, text, why)) : [];
}

/** A name that must be an RFC 1123 label. */
export const checkLabelName = (path: string, name: string | undefined): FieldError[] =>
  checkText(path, name, checkLabel);
/** A name that must be an RFC 1123 subdomain. */
export const checkSubdomainName = (path: string, name: string | undefined): FieldError[] =>
  checkText(path, name, checkSubdomain);
/** A name with an optional prefix, like a label key. */
export const checkQualified = (path: string, name: string | undefined): FieldError[] =>
  checkText(path, name, checkQualifiedName);

/** A number that may not be negative. */
export function checkCount(path: string, value: number | undefined): FieldError[] {
  return value !== undefined && value < 0 ? [invalidValue(path, value, NOT_NEGATIVE)] : [];
}

/** A port number. */
export function checkPort(path: string, port: number | undefined): FieldError[] {
  return port !== undefined && (port < 1 || port > 65535) ? [invalidValue(path, port, PORT_RANGE)] : [];
}

/** A port by number or by name. */
export function checkPortOrName(path: string, port: number | string | undefined): FieldError[] {
  if (typeof port !== 'string') return checkPort(path, port);
  return checkPortName(path, port);
}

/** A name of a port: letters, digits and hyphens, at most 15, at least one letter. */
export function checkPortName(path: string, name: string): FieldError[] {
  const errors: FieldError[] = [];
  const refuse = (why: string): unknown => errors.push(invalidValue(path, name, why));
  if (name.length > 15) refuse('must be no more than 15 characters');
  if (!/^[a-z0-9-]*$/.test(name)) refuse('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(name)) refuse('must contain at least one letter (a-z)');
  if (name.includes('--')) refuse('must not contain consecutive hyphens');
  if (name.startsWith('-') || name.endsWith('-')) refuse('must not begin or end with a hyphen');
  return errors;
}

/** An IP address of either family. */
export function checkIp(path: string, ip: string | undefined): FieldError[] {
  return ip && !isIP(ip) ? [invalidValue(path, ip, BAD_IP)] : [];
}

/** A network in CIDR form. */
export function checkCidr(path: string, cidr: string | undefined): FieldError[] {
  const [address = '', bits = ''] = (cidr ?? '').split('/');
  const family = isIP(address);
  const valid = family !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
  return cidr && !valid
    ? [invalidValue(path, cidr, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')]
    : [];
}

const PERCENT =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** A number or a share in percent; with `most100` a share above 100% is refused. */
export function checkShare(path: string, value: number | string | undefined, most100: boolean): FieldError[] {
  if (value === undefined) return [];
  if (typeof value === 'number') return checkCount(path, value);
  if (!/^\d+%$/.test(value)) return [invalidValue(path, value, PERCENT)];
  return most100 && Number.parseInt(value, 10) > 100
    ? [invalidValue(path, value, 'must not be greater than 100%')]
    : [];
}

const KEY_TEXT =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

/** A key of ConfigMap or Secret data, wherever it stands. */
export const configKey: NameCheck = (key) => {
  if (key.length > 253) return ['must be no more than 253 characters'];
  if (key === '.' || key === '..') return [`must not be '${key}'`];
  if (key.startsWith('..')) return ["must not start with '..'"];
  return /^[-._a-zA-Z0-9]+$/.test(key) ? [] : [KEY_TEXT];
};

/** Keys of ConfigMap and Secret data. */
export function checkDataKeys(path: string, data: object | undefined): FieldError[] {
  return Object.keys(data ?? {}).flatMap((key) =>
    configKey(key).map((why) => invalidValue(`${path}[${key}]`, key, why)),
  );
}

/** Labels inside a spec: keys and values. */
export function checkLabels(path: string, labels: Readonly<Record<string, string>> | undefined): FieldError[] {
  return Object.entries(labels ?? {}).flatMap(([key, value]) => [
    ...checkQualified(path, key),
    ...checkText(path, value, checkLabelValue),
  ]);
}

/** Whether a label selector chooses nothing particular. */
export function isEmptySelector(selector: LabelSelector | undefined): boolean {
  return Object.keys(selector?.matchLabels ?? {}).length === 0 && !selector?.matchExpressions?.length;
}

/** A label selector. */
export function checkSelector(path: string, selector: LabelSelector | undefined): FieldError[] {
  const errors = checkLabels(`${path}.matchLabels`, selector?.matchLabels);
  for (const [i, { key, operator, values }] of (selector?.matchExpressions ?? []).entries()) {
    const at = `${path}.matchExpressions[${i}]`;
    const listed = values?.length ?? 0;
    if (operator === 'In' || operator === 'NotIn') {
      if (!listed) errors.push(required(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (listed)
        errors.push(
          forbiddenField(`${at}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
        );
    } else errors.push(invalidValue(`${at}.operator`, operator, 'not a valid selector operator'));
    errors.push(...checkQualified(`${at}.key`, key));
  }
  return errors;
}

/** Whether labels match a selector; an absent selector matches nothing, an empty one everything. */
export function matchesSelector(
  selector: LabelSelector | undefined,
  labels: Readonly<Record<string, string>> | undefined,
): boolean {
  if (!selector) return false;
  const own = labels ?? {};
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) if (own[key] !== value) return false;
  return (selector.matchExpressions ?? []).every(({ key, operator, values = [] }) => {
    const value = own[key];
    if (operator === 'Exists') return value !== undefined;
    if (operator === 'DoesNotExist') return value === undefined;
    const listed = value !== undefined && values.includes(value);
    return operator === 'In' ? listed : !listed;
  });
}
