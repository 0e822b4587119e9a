import { isIPv4, isIPv6 } from 'node:net';
import type { Environment } from '@marcbachmann/cel-js';

/** An IP address as a number. */
class Ip {
  readonly family: 4 | 6;
  readonly bits: bigint;

  constructor(family: 4 | 6, bits: bigint) {
    this.family = family;
    this.bits = bits;
  }

  toString(): string {
    if (this.family === 4) return [24n, 16n, 8n, 0n].map((shift) => (this.bits >> shift) & 255n).join('.');
    const groups = Array.from({ length: 8 }, (_, i) => ((this.bits >> BigInt(112 - 16 * i)) & 0xffffn).toString(16));
    return shortest(groups);
  }

  within(prefix: number, network: bigint): boolean {
    const shift = BigInt((this.family === 4 ? 32 : 128) - prefix);
    return this.bits >> shift === network >> shift;
  }
}

/** Eight groups with the longest run of zeros left out. */
function shortest(groups: readonly string[]): string {
  let [start, length] = [-1, 1];
  for (let i = 0; i < groups.length; i++) {
    let run = 0;
    while (groups[i + run] === '0') run++;
    if (run > length) [start, length] = [i, run];
  }
  if (start < 0) return groups.join(':');
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`;
}

function parseIp(text: string): Ip {
  if (isIPv4(text))
    return new Ip(
      4,
      text.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), 0n),
    );
  if (!isIPv6(text) || text.includes('%'))
    throw new Error(`IP Address ${JSON.stringify(text)} parse error during conversion from string: unable to parse IP`);
  const mapped = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  if (mapped) throw new Error(`IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`);
  const [head = '', tail] = text.split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const middle = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0');
  return new Ip(
    6,
    [...left, ...middle, ...right].reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n),
  );
}

class Cidr {
  readonly ip: Ip;
  readonly prefix: number;

  constructor(text: string) {
    const [address = '', bits = ''] = text.split('/');
    this.ip = parseIp(address);
    if (
      !/^(0|[1-9]\d*)$/.test(bits) ||
      Number(bits) > (this.ip.family === 4 ? 32 : 128) ||
      text.split('/').length !== 2
    ) {
      throw new Error(`network address parse error during conversion from string: ${JSON.stringify(text)}`);
    }
    this.prefix = Number(bits);
  }

  contains(ip: Ip): boolean {
    return ip.family === this.ip.family && ip.within(this.prefix, this.ip.bits);
  }

  masked(): Cidr {
    const shift = BigInt((this.ip.family === 4 ? 32 : 128) - this.prefix);
    return new Cidr(`${new Ip(this.ip.family, (this.ip.bits >> shift) << shift).toString()}/${this.prefix}`);
  }

  toString(): string {
    return `${this.ip.toString()}/${this.prefix}`;
  }
}

const canParse = (parse: () => unknown): boolean => {
  try {
    parse();
    return true;
  } catch {
    return false;
  }
};

const inAny = (ip: Ip, ...cidrs: string[]): boolean => cidrs.some((cidr) => new Cidr(cidr).contains(ip));

const isUnspecified = (ip: Ip): boolean => ip.bits === 0n;
const isLoopback = (ip: Ip): boolean => inAny(ip, '127.0.0.0/8', '::1/128');
const isLinkLocalMulticast = (ip: Ip): boolean =>
  inAny(ip, '224.0.0.0/24') || (ip.family === 6 && ((ip.bits >> 112n) & 0xff0fn) === 0xff02n);
const isLinkLocalUnicast = (ip: Ip): boolean => inAny(ip, '169.254.0.0/16', 'fe80::/10');
const isMulticast = (ip: Ip): boolean => inAny(ip, '224.0.0.0/4', 'ff00::/8');
const isGlobalUnicast = (ip: Ip): boolean =>
  !isUnspecified(ip) &&
  !isLoopback(ip) &&
  !isMulticast(ip) &&
  !isLinkLocalUnicast(ip) &&
  !inAny(ip, '255.255.255.255/32');

/** `ip`, `cidr` and what they answer. */
export function registerNetwork(env: Environment): void {
  const [ipType, cidrType] = ['net.IP', 'net.CIDR'];
  env.registerType(ipType, Ip);
  env.registerType(cidrType, Cidr);
  env.registerFunction(`ip(string): ${ipType}`, parseIp);
  env.registerFunction('isIP(string): bool', (text: string) => canParse(() => parseIp(text)));
  env.registerOperator(`${ipType} == ${ipType}`, (a: Ip, b: Ip) => a.toString() === b.toString());
  env.registerOperator(`${cidrType} == ${cidrType}`, (a: Cidr, b: Cidr) => a.toString() === b.toString());
  env.registerFunction(`string(${ipType}): string`, (ip: Ip) => ip.toString());
  env.registerFunction(`${ipType}.family(): int`, (ip: Ip) => BigInt(ip.family));
  const tests = { isUnspecified, isLoopback, isLinkLocalMulticast, isLinkLocalUnicast, isGlobalUnicast };
  for (const [name, test] of Object.entries(tests)) env.registerFunction(`${ipType}.${name}(): bool`, test);
  class IpFunctions {}
  env.registerType('net.IPFunctions', IpFunctions);
  env.registerConstant('ip', 'net.IPFunctions', new IpFunctions());
  env.registerFunction(
    'net.IPFunctions.isCanonical(string): bool',
    (_: IpFunctions, text: string) => parseIp(text).toString() === text,
  );

  env.registerFunction(`cidr(string): ${cidrType}`, (text: string) => new Cidr(text));
  env.registerFunction('isCIDR(string): bool', (text: string) => canParse(() => new Cidr(text)));
  env.registerFunction(`string(${cidrType}): string`, (cidr: Cidr) => cidr.toString());
  env.registerFunction(`${cidrType}.containsIP(string): bool`, (cidr: Cidr, text: string) =>
    cidr.contains(parseIp(text)),
  );
  env.registerFunction(`${cidrType}.containsIP(${ipType}): bool`, (cidr: Cidr, ip: Ip) => cidr.contains(ip));
  const containsCidr = (outer: Cidr, inner: Cidr): boolean => outer.prefix <= inner.prefix && outer.contains(inner.ip);
  env.registerFunction(`${cidrType}.containsCIDR(string): bool`, (cidr: Cidr, text: string) =>
    containsCidr(cidr, new Cidr(text)),
  );
  env.registerFunction(`${cidrType}.containsCIDR(${cidrType}): bool`, containsCidr);
  env.registerFunction(`${cidrType}.ip(): ${ipType}`, (cidr: Cidr) => cidr.ip);
  env.registerFunction(`${cidrType}.masked(): ${cidrType}`, (cidr: Cidr) => cidr.masked());
  env.registerFunction(`${cidrType}.prefixLength(): int`, (cidr: Cidr) => BigInt(cidr.prefix));
}
