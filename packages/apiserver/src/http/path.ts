/** What a request asks for, read from method, path and query alone (TR-1 … TR-3). */
export interface RequestInfo {
  /** Decoded path without query. */
  readonly path: string;
  /** Kubernetes verb, empty for methods without one; for paths that name no resource the method in lower case. */
  readonly verb: string;
  /** True when the path names a resource below a group version. */
  readonly resourceRequest: boolean;
  readonly group: string;
  readonly version: string;
  readonly namespace: string | undefined;
  readonly resource: string;
  readonly subresource: string | undefined;
  /** Of the path; `authName` also knows `fieldSelector=metadata.name=…` (TR-3). */
  readonly name: string | undefined;
  readonly authName: string | undefined;
  /** Segments behind the subresource, as `proxy` has them. */
  readonly rest: readonly string[];
}

const WRITES: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch' };
const ONLY_NAME = /^metadata\.name=([^,=!]+)$/;

const plain = (path: string, method: string): RequestInfo => ({
  path,
  verb: method === 'HEAD' ? 'get' : method.toLowerCase(),
  resourceRequest: false,
  group: '',
  version: '',
  namespace: undefined,
  resource: '',
  subresource: undefined,
  name: undefined,
  authName: undefined,
  rest: [],
});

function decode(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** `true` for a flag that is there and not `false` or `0` (TR-2). */
export const flag = (value: string | null): boolean => value !== null && value !== 'false' && value !== '0';

/** `rawPath` is the path of the URL, still encoded. */
export function requestInfo(method: string, rawPath: string, query: URLSearchParams): RequestInfo {
  const segments = rawPath.split('/').slice(1).map(decode);
  while (segments.at(-1) === '') segments.pop();
  const path = `/${segments.join('/')}`;
  const root = segments[0];
  const skip = root === 'api' ? 2 : root === 'apis' ? 3 : 0;
  if (skip === 0 || segments.length <= skip) return plain(path, method);
  const group = skip === 2 ? '' : (segments[1] ?? '');
  const version = segments[skip - 1] ?? '';
  let parts = segments.slice(skip);
  const watchPrefix = parts[0] === 'watch' && parts.length > 1;
  if (watchPrefix) parts = parts.slice(1);
  let namespace: string | undefined;
  if (parts[0] === 'namespaces' && parts.length > 1) {
    namespace = parts[1];
    if (parts.length > 2 && parts[2] !== 'status' && parts[2] !== 'finalize') parts = parts.slice(2);
  }
  const [resource = '', name, subresource, ...rest] = parts;
  const reading = method === 'GET' || method === 'HEAD';
  let verb = WRITES[method] ?? '';
  if (reading)
    verb =
      name === undefined ? (watchPrefix || flag(query.get('watch')) ? 'watch' : 'list') : watchPrefix ? 'watch' : 'get';
  else if (method === 'DELETE') verb = name === undefined ? 'deletecollection' : 'delete';
  let authName = name;
  if (name === undefined && (verb === 'list' || verb === 'watch')) {
    authName = ONLY_NAME.exec(query.get('fieldSelector') ?? '')?.[1];
  }
  return { path, verb, resourceRequest: true, group, version, namespace, resource, subresource, name, authName, rest };
}
