import { BlockList, isIP } from 'node:net';
import { authErrors } from './errors.js';

type Env = Readonly<Record<string, string | undefined>>;

/** A proxy URL that can be used; throws for other schemes, naming the scheme alone (T12). */
export function checkedProxy(proxy: string): string {
  let scheme: string;
  try {
    scheme = new URL(proxy).protocol.slice(0, -1);
  } catch {
    throw authErrors.proxy('(not a URL)');
  }
  if (!['http', 'https', 'socks5'].includes(scheme)) throw authErrors.proxy(scheme);
  return proxy;
}

/** The proxy that the environment names for a server; lower case wins, loopback is never proxied. */
export function proxyFromEnv(server: URL, env: Env): string | undefined {
  const name = server.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const proxy = env[name] || env[name.toUpperCase()];
  if (!proxy || isExcluded(server, env['no_proxy'] || env['NO_PROXY'] || '')) return undefined;
  return checkedProxy(proxy);
}

function isExcluded(server: URL, list: string): boolean {
  const host = server.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = server.port || (server.protocol === 'https:' ? '443' : '80');
  if (host === 'localhost' || host.startsWith('127.') || host === '::1') return true;
  return list
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry !== '' && excludes(entry, host, port));
}

function excludes(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const withPort = /^([^:]+):(\d+)$/.exec(entry);
  if (withPort && withPort[2] !== port) return false;
  const name = withPort?.[1] ?? entry;
  if (name.includes('/')) return isInRange(name, host);
  if (isIP(name)) return name === host;
  const bare = name.replace(/^\*?\./, '');
  return host === bare || host.endsWith(`.${bare}`);
}

function isInRange(range: string, host: string): boolean {
  const [base = '', bits = ''] = range.split('/');
  const version = isIP(host);
  if (version === 0 || isIP(base) !== version) return false;
  const block = new BlockList();
  const family = version === 6 ? 'ipv6' : 'ipv4';
  block.addSubnet(base, Number(bits), family);
  return block.check(host, family);
}
