import type { IncomingHttpHeaders } from 'node:http';
import { badRequest, failure, forbidden } from '../core/errors.js';
import type { Principal } from '../core/types.js';
import type { Attributes, Authorizer } from './ports.js';

const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):([^:]+)$/;
const EXTRA = 'impersonate-extra-';

export interface ImpersonationRequest {
  readonly caller: Principal;
  readonly headers: IncomingHttpHeaders;
  readonly attributes: Attributes;
  readonly authorizer: Authorizer;
}

interface Wanted {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** Node joins repeated headers with a comma and a blank. */
const list = (value: string | string[] | undefined): string[] =>
  value === undefined ? [] : (Array.isArray(value) ? value : value.split(', ')).filter((v) => v !== '');

function wanted(headers: IncomingHttpHeaders): Wanted | undefined {
  let any = false;
  const extra: Record<string, string[]> = {};
  for (const name in headers) {
    if (!name.startsWith('impersonate-')) continue;
    any = true;
    if (name.startsWith(EXTRA)) extra[decodeURIComponent(name.slice(EXTRA.length))] = list(headers[name]);
  }
  if (!any) return undefined;
  const one = (name: string): string => list(headers[name])[0] ?? '';
  return {
    name: one('impersonate-user'),
    uid: one('impersonate-uid'),
    groups: list(headers['impersonate-group']),
    extra,
  };
}

/** Who the request acts as (AU-6). Throws 400 without a user, 403 when the caller may not. */
export async function impersonate(request: ImpersonationRequest): Promise<Principal> {
  const want = wanted(request.headers);
  if (!want) return request.caller;
  if (want.name === '') throw badRequest(`requested ${goUser(want)} without impersonating a user name`);
  for (const attributes of rights(want)) {
    const { allowed } = await request.authorizer.authorize(request.caller, attributes);
    if (!allowed) throw refused(request, want);
  }
  return principal(want);
}

function principal(want: Wanted): Principal {
  const account = SERVICE_ACCOUNT.exec(want.name);
  const groups =
    want.groups.length === 0 && account
      ? ['system:serviceaccounts', `system:serviceaccounts:${account[1]}`]
      : [...want.groups];
  const own = want.name === 'system:anonymous' ? 'system:unauthenticated' : 'system:authenticated';
  if (!groups.includes(own)) groups.push(own);
  return {
    name: want.name,
    ...(want.uid ? { uid: want.uid } : {}),
    groups,
    ...(Object.keys(want.extra).length > 0 ? { extra: want.extra } : {}),
  };
}

/** What the caller must be allowed to `impersonate`. */
function rights(want: Wanted): Attributes[] {
  const right = (resource: string, name: string, more: Partial<Attributes> = {}): Attributes => ({
    verb: 'impersonate',
    resourceRequest: true,
    group: '',
    version: 'v1',
    resource,
    subresource: undefined,
    namespace: undefined,
    name,
    path: '',
    ...more,
  });
  const account = SERVICE_ACCOUNT.exec(want.name);
  const authentication = { group: 'authentication.k8s.io' };
  return [
    account ? right('serviceaccounts', account[2] ?? '', { namespace: account[1] }) : right('users', want.name),
    ...want.groups.map((group) => right('groups', group)),
    ...(want.uid ? [right('uids', want.uid, authentication)] : []),
    ...Object.entries(want.extra).flatMap(([key, values]) =>
      values.map((value) => right('userextras', value, { ...authentication, subresource: key })),
    ),
  ];
}

function refused({ caller, attributes }: ImpersonationRequest, want: Wanted): Error {
  const kind = SERVICE_ACCOUNT.test(want.name)
    ? 'serviceaccount'
    : want.name.startsWith('system:node:')
      ? 'arbitrary-node'
      : 'user-info';
  const verb = `impersonate-on:${kind}:${attributes.verb}`;
  const user = `User ${JSON.stringify(caller.name)} cannot ${verb}`;
  if (!attributes.resourceRequest) {
    return failure(403, 'Forbidden', `forbidden: ${user} path ${JSON.stringify(attributes.path)}`, {});
  }
  const { group, resource, subresource, namespace } = attributes;
  const what = subresource === undefined ? resource : `${resource}/${subresource}`;
  const where = namespace ? `in the namespace "${namespace}"` : 'at the cluster scope';
  return forbidden(
    { group, plural: resource, kind: '' },
    attributes.name ?? '',
    `${user} resource "${what}" in API group "${group}" ${where}`,
  );
}

/** The Go server prints its user structure. */
function goUser(want: Wanted): string {
  const text = (value: string): string => JSON.stringify(value);
  const groups = want.groups.length === 0 ? '[]string(nil)' : `[]string{${want.groups.map(text).join(', ')}}`;
  const pairs = Object.entries(want.extra).map(
    ([key, values]) => `${text(key)}:[]string{${values.map(text).join(', ')}}`,
  );
  const extra = pairs.length === 0 ? 'map[string][]string(nil)' : `map[string][]string{${pairs.join(', ')}}`;
  return `&user.DefaultInfo{Name:"", UID:${text(want.uid)}, Groups:${groups}, Extra:${extra}}`;
}
