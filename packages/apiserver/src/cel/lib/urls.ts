import type { Environment } from '@marcbachmann/cel-js';

/** A URL with the parts of its text as they were written. */
class CelUrl {
  readonly text: string;
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string[]>>;

  constructor(text: string) {
    const parts = /^([a-zA-Z][a-zA-Z0-9+.-]*):(?:\/\/(?:[^/?#@]*@)?([^/?#]*))?([^?#]*)(?:\?([^#]*))?/.exec(text);
    if (/[^!-~\u0080-\uffff]/.test(text) || (!parts && !text.startsWith('/')))
      throw new Error(
        `URL parse error during conversion from string: parse ${JSON.stringify(text)}: invalid URI for request`,
      );
    const [path = '', query = ''] = parts ? [parts[3] ?? '', parts[4] ?? ''] : text.split('?');
    const host = parts?.[2] ?? '';
    if (/:(?!\d*$)[^\]]*$/.test(host.replace(/^\[[^\]]*\]/, '')))
      throw new Error(`URL parse error during conversion from string: parse ${JSON.stringify(text)}: invalid port`);
    if (/%(?![0-9a-fA-F]{2})/.test(path))
      throw new Error(
        `URL parse error during conversion from string: parse ${JSON.stringify(text)}: invalid URL escape`,
      );
    this.text = text;
    this.scheme = (parts?.[1] ?? '').toLowerCase();
    this.host = host;
    this.path = path;
    const found: Record<string, string[]> = {};
    for (const [key, value] of new URLSearchParams(query)) (found[key] ??= []).push(value);
    this.query = found;
  }

  get hostname(): string {
    return this.host.replace(/:\d*$/, '').replace(/^\[|\]$/g, '');
  }

  get port(): string {
    return /:(\d*)$/.exec(this.host)?.[1] ?? '';
  }
}

/** `url`, `isURL` and the parts of URLs. */
export function registerUrls(env: Environment): void {
  const type = 'kubernetes.URL';
  env.registerType(type, CelUrl);
  env.registerOperator(`${type} == ${type}`, (a: CelUrl, b: CelUrl) => a.text === b.text);
  env.registerFunction(`url(string): ${type}`, (text: string) => new CelUrl(text));
  env.registerFunction('isURL(string): bool', (text: string) => {
    try {
      return new CelUrl(text).text === text;
    } catch {
      return false;
    }
  });
  env.registerFunction(`${type}.getScheme(): string`, (url: CelUrl) => url.scheme);
  env.registerFunction(`${type}.getHost(): string`, (url: CelUrl) => url.host);
  env.registerFunction(`${type}.getHostname(): string`, (url: CelUrl) => url.hostname);
  env.registerFunction(`${type}.getPort(): string`, (url: CelUrl) => url.port);
  env.registerFunction(`${type}.getEscapedPath(): string`, (url: CelUrl) => url.path);
  env.registerFunction(`${type}.getQuery(): map<string, list<string>>`, (url: CelUrl) => url.query);
}
