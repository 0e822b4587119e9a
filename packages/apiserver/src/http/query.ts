import { badRequest, forbiddenField, invalid, invalidValue, notSupported, required, tooLong } from '../core/errors.js';
import type {
  CallOptions,
  DeleteOptions,
  FieldError,
  FieldValidation,
  GetOptions,
  JsonObject,
  JsonValue,
  ListOptions,
  PatchType,
  WatchOptions,
} from '../core/types.js';
import type { Exchange } from './exchange.js';
import { flag } from './path.js';

type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions' | 'ListOptions';

const VALIDATIONS: readonly string[] = ['', 'Ignore', 'Strict', 'Warn'];
const POLICIES: readonly string[] = ['Foreground', 'Background', 'Orphan'];
const MAX_MANAGER = 128;
/** Unicode's idea of a printable character, near enough to Go's. */
const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;
const UNPRINTABLES = new RegExp(UNPRINTABLE, 'gu');

function check(kind: OptionsKind, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind }, '', errors);
}

/** An empty parameter counts as not given. */
const given = (x: Exchange, name: string): string | undefined => x.query.get(name) || undefined;

function integer(x: Exchange, name: string): number | undefined {
  const text = given(x, name);
  if (text === undefined) return undefined;
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

function dryRunErrors(values: readonly string[]): FieldError[] {
  return values.every((v) => v === 'All') ? [] : [notSupported('dryRun', [...values], ['All'])];
}

function managerErrors(manager: string): FieldError[] {
  if (Buffer.byteLength(manager) > MAX_MANAGER) return [tooLong('fieldManager', MAX_MANAGER)];
  const bad = UNPRINTABLE.exec(manager);
  if (!bad) return [];
  const code = (bad[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return [invalidValue('fieldManager', manager, `invalid character U+${code} (at position ${bad.index})`)];
}

/** QP-11: without the parameter the name of the client program. */
function userAgentManager(userAgent: string): string {
  const name = (userAgent.split('/')[0] ?? '').replaceAll(UNPRINTABLES, '');
  return name.slice(0, MAX_MANAGER) || 'unknown';
}

/** `manager`: what the client named itself; core sees the default too. */
export interface WriteOptions extends CallOptions {
  force?: boolean;
}

/** QP-10 … QP-13 */
export function writeOptions(
  x: Exchange,
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  patch?: PatchType,
): WriteOptions {
  const dryRun = x.query.getAll('dryRun').filter((v) => v !== '');
  const manager = given(x, 'fieldManager') ?? '';
  const validation = x.query.get('fieldValidation') ?? '';
  const forced = x.query.get('force');
  const errors: FieldError[] = [];
  if (patch === 'apply' && manager === '') errors.push(required('fieldManager', 'is required for apply patch'));
  if (patch !== undefined && patch !== 'apply' && forced !== null) {
    errors.push(forbiddenField('force', 'may not be specified for non-apply patch'));
  }
  errors.push(...managerErrors(manager), ...dryRunErrors(dryRun));
  if (!VALIDATIONS.includes(validation)) errors.push(notSupported('fieldValidation', validation, VALIDATIONS));
  check(kind, errors);
  return {
    principal: x.principal,
    warn: x.warnings.add,
    userAgent: x.userAgent,
    dryRun: dryRun.length > 0,
    fieldManager: manager || userAgentManager(x.userAgent),
    fieldValidation: (validation || 'Warn') as FieldValidation,
    ...(patch === 'apply' && flag(forced) ? { force: true } : {}),
  };
}

export function getOptions(x: Exchange): GetOptions {
  if (x.query.get('export') === 'true') {
    throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
  }
  return {
    principal: x.principal,
    warn: x.warnings.add,
    userAgent: x.userAgent,
    resourceVersion: given(x, 'resourceVersion'),
  };
}

export function listOptions(x: Exchange): ListOptions {
  if (given(x, 'sendInitialEvents') !== undefined) {
    check('ListOptions', [forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list')]);
  }
  integer(x, 'timeoutSeconds');
  return {
    principal: x.principal,
    warn: x.warnings.add,
    userAgent: x.userAgent,
    labelSelector: given(x, 'labelSelector'),
    fieldSelector: given(x, 'fieldSelector'),
    limit: integer(x, 'limit'),
    continue: given(x, 'continue'),
    resourceVersion: given(x, 'resourceVersion'),
    resourceVersionMatch: given(x, 'resourceVersionMatch'),
  };
}

export function watchOptions(x: Exchange): WatchOptions {
  integer(x, 'limit');
  const initial = x.query.get('sendInitialEvents');
  return {
    principal: x.principal,
    warn: x.warnings.add,
    userAgent: x.userAgent,
    labelSelector: given(x, 'labelSelector'),
    fieldSelector: given(x, 'fieldSelector'),
    resourceVersion: given(x, 'resourceVersion'),
    resourceVersionMatch: given(x, 'resourceVersionMatch'),
    continue: given(x, 'continue'),
    allowWatchBookmarks: flag(x.query.get('allowWatchBookmarks')),
    sendInitialEvents: initial === null || initial === '' ? undefined : flag(initial),
    timeoutSeconds: integer(x, 'timeoutSeconds'),
  };
}

/** QP-14: the body, or the query when the body is empty. */
export function deleteOptions(x: Exchange, body: JsonObject | undefined): DeleteOptions {
  const source = body ?? fromQuery(x);
  const policy = stringOf(source['propagationPolicy'], 'propagationPolicy');
  const orphan = typed(source['orphanDependents'], 'orphanDependents', 'boolean', 'bool') as boolean | undefined;
  const grace = typed(source['gracePeriodSeconds'], 'gracePeriodSeconds', 'number', 'int64') as number | undefined;
  const dryRun = Array.isArray(source['dryRun']) ? source['dryRun'].map(String) : [];
  const errors: FieldError[] = [];
  if (policy !== undefined && orphan !== undefined) {
    errors.push(
      invalidValue('propagationPolicy', policy, 'orphanDependents and deletionPropagation cannot be both set'),
    );
  }
  if (policy !== undefined && !POLICIES.includes(policy)) {
    errors.push(notSupported('propagationPolicy', policy, [...POLICIES, 'nil']));
  }
  check('DeleteOptions', [...errors, ...dryRunErrors(dryRun)]);
  const wanted = source['preconditions'];
  const precondition = wanted !== null && typeof wanted === 'object' && !Array.isArray(wanted) ? wanted : undefined;
  return {
    principal: x.principal,
    warn: x.warnings.add,
    userAgent: x.userAgent,
    dryRun: dryRun.length > 0,
    ...(grace === undefined ? {} : { gracePeriodSeconds: grace < 0 ? 1 : grace }),
    ...(policy === undefined ? {} : { propagationPolicy: policy as 'Orphan' }),
    ...(orphan === undefined ? {} : { orphanDependents: orphan }),
    ...(precondition
      ? {
          preconditions: {
            uid: stringOf(precondition['uid'], 'preconditions.uid'),
            resourceVersion: stringOf(precondition['resourceVersion'], 'preconditions.resourceVersion'),
          },
        }
      : {}),
  };
}

function fromQuery(x: Exchange): JsonObject {
  const out: JsonObject = {};
  const grace = integer(x, 'gracePeriodSeconds');
  if (grace !== undefined) out['gracePeriodSeconds'] = grace;
  const policy = given(x, 'propagationPolicy');
  if (policy !== undefined) out['propagationPolicy'] = policy;
  if (x.query.has('orphanDependents')) out['orphanDependents'] = flag(x.query.get('orphanDependents'));
  const dryRun = x.query.getAll('dryRun').filter((v) => v !== '');
  if (dryRun.length > 0) out['dryRun'] = dryRun;
  return out;
}

function typed(
  value: JsonValue | undefined,
  name: string,
  type: 'boolean' | 'number' | 'string',
  goType: string,
): unknown {
  if (value === undefined || value === null) return undefined;
  if (typeof value === type) return value;
  const got = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  throw badRequest(`json: cannot unmarshal ${got} into Go struct field DeleteOptions.${name} of type ${goType}`);
}

const stringOf = (value: JsonValue | undefined, name: string): string | undefined =>
  typed(value, name, 'string', 'string') as string | undefined;
