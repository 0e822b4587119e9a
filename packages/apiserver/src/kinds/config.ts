import { forbiddenField, invalidValue, required } from '../core/errors.js';
import { jsonEqual } from '../core/json.js';
import type { FieldError, KubeObject, ResourceDef } from '../core/types.js';
import { ageColumn, column, nameColumn } from './columns.js';
import { defineKind } from './define.js';
import { checkDataKeys } from './label-rules.js';

/** ConfigMaps and Secrets (DF-1). */

interface Data extends KubeObject {
  data?: Record<string, string>;
  binaryData?: Record<string, string>;
  stringData?: Record<string, string>;
  immutable?: boolean;
  type?: string;
}

const MAX_BYTES = 1024 * 1024;

const base64Length = (text: string): number =>
  Math.floor((text.length * 3) / 4) - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);

/** Bytes of all values; base64 ones count decoded. */
function sizeOf(plain: Record<string, string> | undefined, encoded: Record<string, string> | undefined): number {
  let size = 0;
  for (const value of Object.values(plain ?? {})) size += Buffer.byteLength(value);
  for (const value of Object.values(encoded ?? {})) size += base64Length(value);
  return size;
}

function checkSize(path: string, size: number): FieldError[] {
  if (size <= MAX_BYTES) return [];
  return [{ type: 'FieldValueTooLong', field: path, message: `Too long: may not be more than ${MAX_BYTES} bytes` }];
}

/** What an immutable object may not change. */
function checkImmutable(next: KubeObject, old: KubeObject, fields: readonly ('data' | 'binaryData')[]): FieldError[] {
  const a = next as Data;
  const b = old as Data;
  if (!b.immutable) return [];
  const why = 'field is immutable when `immutable` is set';
  const errors: FieldError[] = [];
  if (!a.immutable) errors.push(forbiddenField('immutable', why));
  for (const field of fields) if (!jsonEqual(a[field] ?? {}, b[field] ?? {})) errors.push(forbiddenField(field, why));
  return errors;
}

/** Keys that the well-known types of Secrets must have. */
const REQUIRED_KEYS: ReadonlyMap<string, readonly string[]> = new Map([
  ['kubernetes.io/tls', ['tls.crt', 'tls.key']],
  ['kubernetes.io/ssh-auth', ['ssh-privatekey']],
  ['kubernetes.io/dockercfg', ['.dockercfg']],
  ['kubernetes.io/dockerconfigjson', ['.dockerconfigjson']],
]);

function validateSecret(object: KubeObject): FieldError[] {
  const secret = object as Data;
  const type = secret.type ?? '';
  const errors = [...checkDataKeys('data', secret.data), ...checkSize('data', sizeOf(undefined, secret.data))];
  for (const key of REQUIRED_KEYS.get(type) ?? [])
    if (secret.data?.[key] === undefined) errors.push(required(`data[${key}]`));
  if (type === 'kubernetes.io/basic-auth' && !secret.data?.username && !secret.data?.password) {
    errors.push(required('data[username]'), required('data[password]'));
  }
  if (
    type === 'kubernetes.io/service-account-token' &&
    !secret.metadata.annotations?.['kubernetes.io/service-account.name']
  ) {
    errors.push(required('metadata.annotations[kubernetes.io/service-account.name]'));
  }
  return errors;
}

/** Secrets. */
export const secrets = (): ResourceDef =>
  defineKind({
    kind: 'Secret',
    plural: 'secrets',
    columns: [
      nameColumn,
      column<Data>('Type', (secret) => secret.type ?? ''),
      column<Data>('Data', (secret) => Object.keys(secret.data ?? {}).length),
      ageColumn,
    ],
    fields: { type: (object) => (object as Data).type ?? '' },
    behaviour: {
      defaults: (object) => {
        const secret = object as Data;
        secret.type ||= 'Opaque';
        if (!secret.stringData) return;
        secret.data ??= {};
        for (const [key, value] of Object.entries(secret.stringData))
          secret.data[key] = Buffer.from(value).toString('base64');
        delete secret.stringData;
      },
      prepareUpdate: (next, old) => {
        // An object sent without a type keeps the one it has.
        const a = next as Data;
        const b = old as Data;
        if (!a.type && b.type) a.type = b.type;
      },
      validate: validateSecret,
      validateUpdate: (next, old) => {
        const a = next as Data;
        const immutable = checkImmutable(next, old, ['data']);
        if (a.type !== (old as Data).type) immutable.push(invalidValue('type', a.type, 'field is immutable'));
        return immutable;
      },
    },
  });

/** ConfigMaps. */
export const configMaps = (): ResourceDef =>
  defineKind({
    kind: 'ConfigMap',
    plural: 'configmaps',
    shortNames: ['cm'],
    columns: [
      nameColumn,
      column<Data>(
        'Data',
        ({ data, binaryData }) => Object.keys(data ?? {}).length + Object.keys(binaryData ?? {}).length,
      ),
      ageColumn,
    ],
    behaviour: {
      validate: (object) => {
        const map = object as Data;
        const errors = [...checkDataKeys('data', map.data), ...checkDataKeys('binaryData', map.binaryData)];
        for (const key of Object.keys(map.binaryData ?? {})) {
          if (map.data && key in map.data)
            errors.push(invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData'));
        }
        return [...errors, ...checkSize('[]', sizeOf(map.data, map.binaryData))];
      },
      validateUpdate: (next, old) => checkImmutable(next, old, ['data', 'binaryData']),
    },
  });
