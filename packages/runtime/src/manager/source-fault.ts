import { apiVersionOf, type ErrorDetail, isKubewrightError } from '@kubewright/api';
import type { StreamStatus } from '../cache/contract.js';
import type { Source } from '../source/contract.js';

/** Reads of the cluster that complete a fault's text. */
export interface Diagnostics {
  /** Versions in which the kind is served; undefined when the server does not tell. */
  servedVersions(kind: StreamStatus['kind']): Promise<readonly string[] | undefined>;
  /** Of get, list and watch those that the account may not do; undefined when the server does not tell. */
  missingVerbs(kind: StreamStatus['kind'], namespace: string | undefined): Promise<readonly string[] | undefined>;
}

/** Why a source did not deliver its first list, and what to do (M11, M12, M13). */
export async function describeFault(source: Source, diagnostics: Diagnostics | undefined): Promise<ErrorDetail> {
  const stream = source.stream?.();
  const detail = { code: 'KW_CACHE_SYNC', where: source.label };
  if (stream === undefined) return { ...detail, message: `${source.label}: not ready` };
  if (stream.state === 'forbidden') return { ...detail, ...(await forbidden(source, stream, diagnostics)) };
  if (stream.state === 'missing') return { ...detail, ...(await missing(source, stream, diagnostics)) };
  const tries =
    stream.failures > 0 ? ` after ${stream.failures} failed ${stream.failures === 1 ? 'try' : 'tries'}` : '';
  const said = stream.lastError === undefined ? '' : `: ${stream.lastError.message}`;
  const fix = fixOf(stream.lastError);
  const message = `${source.label}: ${nameOf(stream)} is not listed yet, its stream is in state ${stream.state}${tries}${said}`;
  return fix === undefined ? { ...detail, message } : { ...detail, message: `${message}; fix: ${fix}`, fix };
}

/** What to do about a stream that gets no answer. */
function fixOf(error: Error | undefined): string | undefined {
  if (!isKubewrightError(error, 'KW_TRANSPORT_FAILED')) return isKubewrightError(error) ? error.fix : undefined;
  const { code } = (error.cause ?? {}) as { code?: unknown };
  if (code === 'ECONNREFUSED')
    return 'is the API server up? kubectl cluster-info tells, and the kubeconfig says where it should be';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'the name of the server in the kubeconfig is not known here: see its spelling, and DNS';
  return 'see that the API server of the kubeconfig runs and can be reached from here';
}

async function forbidden(
  { label }: Source,
  { kind, scope, lastError }: StreamStatus,
  diagnostics: Diagnostics | undefined,
): Promise<Pick<ErrorDetail, 'message' | 'fix'>> {
  const asked = await diagnostics?.missingVerbs(kind, scope.namespace);
  const verbs = asked === undefined || asked.length === 0 ? ['list', 'watch'] : asked;
  const where =
    kind.scope === 'Cluster'
      ? ''
      : scope.namespace === undefined
        ? ' in all namespaces'
        : ` in namespace ${scope.namespace}`;
  const resource = `${kind.plural} (${kind.group === '' ? 'core' : kind.group})`;
  const said = lastError === undefined ? '' : `; the server said: ${lastError.message}`;
  const fix = 'apply the generated RBAC, or add @Rbac(…)';
  return { message: `${label} needs ${verbs.join(', ')} on ${resource}${where}${said}; fix: ${fix}`, fix };
}

async function missing(
  { label }: Source,
  stream: StreamStatus,
  diagnostics: Diagnostics | undefined,
): Promise<Pick<ErrorDetail, 'message' | 'fix'>> {
  const served = await diagnostics?.servedVersions(stream.kind);
  const versions =
    served === undefined ? '' : ` (served versions: ${served.length === 0 ? 'none' : served.join(', ')})`;
  const fix = 'apply the CRD';
  return { message: `${label}: ${nameOf(stream)} is not served${versions}; fix: ${fix}`, fix };
}

const nameOf = ({ kind }: StreamStatus): string => `${apiVersionOf(kind)} ${kind.kind}`;
