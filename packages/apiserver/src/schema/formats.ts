import { isIP, isIPv4, isIPv6 } from 'node:net';

const hostname =
  /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.))+([a-zA-Z\p{L}]){2,63})$/u;
const uuid = (third: string, fourth: string): RegExp =>
  new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${third}-?${fourth}-?[0-9a-f]{12}$`, 'i');
const hex4 = '[0-9a-f]{4}';
const variant = '[89ab][0-9a-f]{3}';
const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const card =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;
const byte = '(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const rgb = new RegExp(`^rgb\\(\\s*${byte}\\s*,\\s*${byte}\\s*,\\s*${byte}\\s*\\)$`);

type Check = (text: string) => boolean;
const matching =
  (re: RegExp): Check =>
  (text) =>
    re.test(text);

const checks: Readonly<Record<string, Check>> = {
  bsonobjectid: matching(/^[0-9a-fA-F]{24}$/),
  uri: isUri,
  email: isEmail,
  hostname: (text) => hostname.test(text) && text.split('.').every((part) => part.length <= 63),
  ipv4: (text) => isIPv4(text),
  ipv6: (text) => isIPv6(text) && !text.includes('%'),
  cidr: isCidr,
  mac: matching(
    /^([0-9a-f]{2}([:-]))([0-9a-f]{2}\2){4}(([0-9a-f]{2}\2){2}|([0-9a-f]{2}\2){14})?[0-9a-f]{2}$|^([0-9a-f]{4}\.){2}([0-9a-f]{4}\.)?([0-9a-f]{4}\.){0,7}[0-9a-f]{4}$/i,
  ),
  uuid: matching(uuid(hex4, hex4)),
  uuid3: matching(uuid('3[0-9a-f]{3}', hex4)),
  uuid4: matching(uuid('4[0-9a-f]{3}', variant)),
  uuid5: matching(uuid('5[0-9a-f]{3}', variant)),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: (text) => card.test(text.replace(/\D+/g, '')) && luhn(text.replace(/\D+/g, '')),
  ssn: matching(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/),
  hexcolor: matching(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  rgbcolor: matching(rgb),
  byte: matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/),
  password: () => true,
  date: isDate,
  duration: isDuration,
  datetime: isDateTime,
  k8sshortname: (text) => text.length <= 63 && label.test(text),
  k8slongname: (text) => text.length <= 253 && subdomain.test(text),
};

const numeric: Readonly<Record<string, readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
};

/** The check of a string format; undefined for formats nobody enforces (VA-3). */
export function formatCheck(format: string): Check | undefined {
  const name = format.replaceAll('-', '');
  return Object.hasOwn(checks, name) ? checks[name] : undefined;
}

/** Whether a format means something on a type; others are ignored, with a warning at creation of the definition. */
export function isKnownFormat(type: string | undefined, format: string): boolean {
  if (type === undefined || type === 'string') return formatCheck(format) !== undefined;
  return numeric[type]?.includes(format) ?? false;
}

function isUri(text: string): boolean {
  if (/[^!-~\u0080-\uffff]/.test(text) || text === '') return false;
  if (text === '*' || text.startsWith('/')) return true;
  return /^[a-zA-Z][a-zA-Z0-9+.-]*:/.test(text) && URL.canParse(text);
}

function isEmail(text: string): boolean {
  const address = /^\s*(?:[^<>@]*<([^<>]+)>|([^<>]+))\s*$/.exec(text);
  const plain = address?.[1] ?? address?.[2] ?? '';
  return /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~\u0080-\uffff-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~\u0080-\uffff-]+)*@[^\s@<>()]+$/.test(
    plain.trim(),
  );
}

function isCidr(text: string): boolean {
  const slash = text.lastIndexOf('/');
  const bits = text.slice(slash + 1);
  if (slash < 0 || text.includes('%') || !/^(0|[1-9]\d*)$/.test(bits)) return false;
  const version = isIP(text.slice(0, slash));
  return version !== 0 && Number(bits) <= (version === 4 ? 32 : 128);
}

function isDate(text: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!parts) return false;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  const date = new Date(Date.UTC(year, month - 1, day));
  date.setUTCFullYear(year);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function isDateTime(text: string): boolean {
  const parts = /^(\d{4}-\d{2}-\d{2})[tT ](\d{2}):(\d{2}):(\d{2})(\.\d+)?([zZ]|[+-](\d{2}):(\d{2}))$/.exec(text);
  if (!parts || !isDate(parts[1] as string)) return false;
  const [hour, minute, second] = [Number(parts[2]), Number(parts[3]), Number(parts[4])];
  return hour < 24 && minute < 60 && second < 60;
}

/** Go durations (`1h30m`), and number plus unit as Scala writes them (`3 days`). */
function isDuration(text: string): boolean {
  if (/^[+-]?(0|((\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)$/.test(text)) return true;
  return /^((\d+)\s*([A-Za-zµ]+)\s*)+$/.test(text) && units(text).every((unit) => scalaUnits.has(unit));
}

const scalaUnits = new Set(
  (
    'ns nano nanos nanosecond nanoseconds us µs micro micros microsecond microseconds ms milli millis millisecond ' +
    'milliseconds s sec secs second seconds m min mins minute minutes h hr hrs hour hours d day days w wk wks week weeks'
  ).split(' '),
);

function units(text: string): string[] {
  return (text.match(/[A-Za-zµ]+/g) ?? []).map((unit) => unit.toLowerCase());
}

function luhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    let digit = Number(digits[digits.length - 1 - i]);
    if (i % 2 === 1) digit = digit > 4 ? digit * 2 - 9 : digit * 2;
    sum += digit;
  }
  return sum % 10 === 0;
}

function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, '');
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < 10; i++) sum += (i + 1) * (digits[i] === 'X' ? 10 : Number(digits[i]));
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, '');
  if (!/^\d{13}$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < 12; i++) sum += (i % 2 === 0 ? 1 : 3) * Number(digits[i]);
  return (10 - (sum % 10)) % 10 === Number(digits[12]);
}
