import { duplicate, forbiddenField, invalidValue, required } from '../core/errors.js';
import type { FieldError } from '../core/types.js';
import {
  checkCount,
  checkLabelName,
  checkPort,
  checkPortName,
  checkPortOrName,
  checkText,
  configKey,
  NOT_NEGATIVE,
} from './label-rules.js';
import { compareQuantities, isWhole } from './quantity.js';
import type { Container, EnvVar, Probe } from './shapes.js';

/** Checks of one container (DF-3, DF-6). */

const UNIX_ID = 'must be between 0 and 2147483647, inclusive';

function checkPorts(container: Container, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, port] of (container.ports ?? []).entries()) {
    const at = `${path}.ports[${i}]`;
    if (port.name) {
      errors.push(...checkPortName(`${at}.name`, port.name));
      if (seen.has(port.name)) errors.push(duplicate(`${at}.name`, port.name));
      seen.add(port.name);
    }
    if (!port.containerPort) errors.push(required(`${at}.containerPort`));
    else errors.push(...checkPort(`${at}.containerPort`, port.containerPort));
    errors.push(...checkPort(`${at}.hostPort`, port.hostPort || undefined));
  }
  return errors;
}

/** Paths of the downward API, the part before a `['key']`. */
const FIELD_PATH =
  /^(metadata\.(name|namespace|uid|labels|annotations)|spec\.(nodeName|serviceAccountName)|status\.(hostIP|hostIPs|podIP|podIPs))(\['.+'\])?$/;
const NAME_TEXT = "a valid environment variable name must consist only of printable ASCII characters other than '='";

function checkSource(source: NonNullable<EnvVar['valueFrom']>, at: string): FieldError[] {
  const errors: FieldError[] = [];
  const { fieldRef } = source;
  if (fieldRef?.fieldPath && !FIELD_PATH.test(fieldRef.fieldPath)) {
    const why = `error converting fieldPath: field label not supported: ${fieldRef.fieldPath}`;
    errors.push(invalidValue(`${at}.fieldRef.fieldPath`, fieldRef.fieldPath, why));
  }
  for (const name of ['configMapKeyRef', 'secretKeyRef'] as const) {
    errors.push(...checkText(`${at}.${name}.key`, source[name]?.key, configKey));
  }
  return errors;
}

function checkEnv(container: Container, path: string): FieldError[] {
  return (container.env ?? []).flatMap((env, i) => {
    const at = `${path}.env[${i}]`;
    const errors =
      env.name && !/^[\x20-\x3c\x3e-\x7e]+$/.test(env.name) ? [invalidValue(`${at}.name`, env.name, NAME_TEXT)] : [];
    if (!env.valueFrom) return errors;
    const sources = Object.keys(env.valueFrom).length;
    const refuse = (why: string): unknown => errors.push(invalidValue(`${at}.valueFrom`, '', why));
    if (!sources)
      refuse('must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`');
    else if (env.value) refuse('may not be specified when `value` is not empty');
    else if (sources > 1) refuse('may not have more than one field specified at a time');
    return [...errors, ...checkSource(env.valueFrom, `${at}.valueFrom`)];
  });
}

function checkEnvFrom(container: Container, path: string): FieldError[] {
  return (container.envFrom ?? []).flatMap(({ configMapRef, secretRef }) => {
    if (configMapRef && secretRef)
      return [invalidValue(`${path}.envFrom`, '', 'may not have more than one field specified at a time')];
    return configMapRef || secretRef
      ? []
      : [invalidValue(`${path}.envFrom`, '', 'must specify one of: `configMapRef` or `secretRef`')];
  });
}

function checkResources(container: Container, path: string): FieldError[] {
  const { limits = {}, requests = {} } = container.resources ?? {};
  const errors: FieldError[] = [];
  for (const [kind, list] of Object.entries({ limits, requests })) {
    for (const [name, amount] of Object.entries(list)) {
      const at = `${path}.resources.${kind}[${name}]`;
      if (!name.includes('/') && !/^(cpu|memory|ephemeral-storage|hugepages-.+)$/.test(name)) {
        errors.push(
          invalidValue(at, name, 'must be a standard resource type or fully qualified'),
          invalidValue(at, name, 'must be a standard resource for containers'),
        );
      }
      if (compareQuantities(amount, '0') < 0) errors.push(invalidValue(at, amount, NOT_NEGATIVE));
      if (name.includes('/') && !isWhole(amount)) errors.push(invalidValue(at, amount, 'must be an integer'));
    }
  }
  for (const [name, amount] of Object.entries(requests)) {
    const limit = limits[name];
    if (limit !== undefined && compareQuantities(amount, limit) > 0) {
      errors.push(
        invalidValue(`${path}.resources.requests`, amount, `must be less than or equal to ${name} limit of ${limit}`),
      );
    }
  }
  return errors;
}

const HEADER =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";
const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const;
type Handler = Pick<Probe, (typeof HANDLERS)[number]>;

function checkHandler(handler: Handler, path: string): FieldError[] {
  const [first, ...others] = HANDLERS.filter((name) => handler[name] !== undefined);
  if (!first) return [required(path, 'must specify a handler type')];
  const errors = others.map((name) => forbiddenField(`${path}.${name}`, 'may not specify more than 1 handler type'));
  const { exec, httpGet, tcpSocket, grpc } = handler;
  if (first === 'exec' && !exec?.command?.length) errors.push(required(`${path}.exec.command`));
  if (first === 'tcpSocket') errors.push(...checkPortOrName(`${path}.tcpSocket.port`, tcpSocket?.port));
  if (first === 'grpc') errors.push(...checkPort(`${path}.grpc.port`, grpc?.port));
  if (first === 'httpGet') {
    errors.push(...checkPortOrName(`${path}.httpGet.port`, httpGet?.port));
    for (const { name } of httpGet?.httpHeaders ?? []) {
      if (!/^[-A-Za-z0-9]+$/.test(name)) errors.push(invalidValue(`${path}.httpGet.httpHeaders`, name, HEADER));
    }
  }
  return errors;
}

const COUNTS = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const;

function checkProbe(probe: Probe | undefined, path: string, single: boolean): FieldError[] {
  if (!probe) return [];
  const errors = checkHandler(probe, path);
  for (const name of COUNTS) errors.push(...checkCount(`${path}.${name}`, probe[name]));
  if (single && probe.successThreshold !== undefined && probe.successThreshold > 1) {
    errors.push(invalidValue(`${path}.successThreshold`, probe.successThreshold, 'must be 1'));
  }
  return errors;
}

function checkMounts(container: Container, path: string, volumes: ReadonlySet<string>): FieldError[] {
  const seen = new Set<string>();
  return (container.volumeMounts ?? []).flatMap((mount, i) => {
    const at = `${path}.volumeMounts[${i}]`;
    const errors: FieldError[] = [];
    if (mount.name && !volumes.has(mount.name)) {
      errors.push({
        type: 'FieldValueNotFound',
        field: `${at}.name`,
        message: `Not found: ${JSON.stringify(mount.name)}`,
      });
    }
    if (mount.mountPath && seen.has(mount.mountPath))
      errors.push(invalidValue(`${at}.mountPath`, mount.mountPath, 'must be unique'));
    seen.add(mount.mountPath);
    if (mount.subPath?.startsWith('/'))
      errors.push(invalidValue(`${path}.volumeMounts.subPath`, mount.subPath, 'must be a relative path'));
    return errors;
  });
}

/** User and group numbers at `path`. */
export function checkIds(context: { runAsUser?: number; runAsGroup?: number } | undefined, path: string): FieldError[] {
  return (['runAsUser', 'runAsGroup'] as const).flatMap((name) => {
    const id = context?.[name];
    return id !== undefined && (id < 0 || id > 2_147_483_647) ? [invalidValue(`${path}.${name}`, id, UNIX_ID)] : [];
  });
}

/** Everything of one container at `path`; `volumes` are the names it may mount. */
export function checkContainer(container: Container, path: string, volumes: ReadonlySet<string>): FieldError[] {
  const errors = checkLabelName(`${path}.name`, container.name);
  const { image = '', lifecycle = {}, securityContext } = container;
  if (!image) errors.push(required(`${path}.image`));
  else if (image.trim() !== image)
    errors.push(invalidValue(`${path}.image`, image, 'must not have leading or trailing whitespace'));
  for (const [hook, handler] of Object.entries(lifecycle)) {
    if (handler && hook !== 'stopSignal') errors.push(...checkHandler(handler, `${path}.lifecycle.${hook}`));
  }
  if (securityContext?.privileged && securityContext.allowPrivilegeEscalation === false) {
    errors.push(
      invalidValue(
        `${path}.securityContext`,
        securityContext,
        'cannot set `allowPrivilegeEscalation` to false and `privileged` to true',
      ),
    );
  }
  return [
    ...errors,
    ...checkPorts(container, path),
    ...checkEnv(container, path),
    ...checkEnvFrom(container, path),
    ...checkResources(container, path),
    ...checkMounts(container, path, volumes),
    ...checkProbe(container.livenessProbe, `${path}.livenessProbe`, true),
    ...checkProbe(container.readinessProbe, `${path}.readinessProbe`, false),
    ...checkProbe(container.startupProbe, `${path}.startupProbe`, true),
    ...checkIds(securityContext, `${path}.securityContext`),
  ];
}
