import { createHash, createPrivateKey, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import { bits, boolean, explicit, implicit, integer, octets, oid, sequence, set, time, utf8 } from './der.js';

/** A certificate and its private key, both PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

interface Profile {
  readonly subject: Buffer;
  readonly days: number;
  readonly extensions: (subjectKey: Buffer) => Buffer[];
}

const DAY = 86_400_000;
/** Clocks differ between machines: a certificate is valid five minutes before it was made. */
const BACKDATE = 5 * 60_000;
const ECDSA_SHA256 = sequence(oid('1.2.840.10045.4.3.2'));

const attribute = (type: string, value: string): Buffer => set(sequence(oid(type), utf8(value)));
const commonName = (name: string): Buffer => attribute('2.5.4.3', name);
const organization = (name: string): Buffer => attribute('2.5.4.10', name);

const extension = (type: string, critical: boolean, value: Buffer): Buffer =>
  sequence(oid(type), ...(critical ? [boolean(true)] : []), octets(value));
const keyUsage = (byte: number, unused: number): Buffer =>
  extension('2.5.29.15', true, bits(Buffer.from([byte]), unused));
const subjectKeyId = (id: Buffer): Buffer => extension('2.5.29.14', false, octets(id));
const authorityKeyId = (id: Buffer): Buffer => extension('2.5.29.35', false, sequence(implicit(0, id)));
const extendedUsage = (purpose: string): Buffer => extension('2.5.29.37', false, sequence(oid(purpose)));

/** RFC 5280 method 1: SHA-1 of the public key bits; for P-256 these are the last 65 bytes of the SPKI. */
const keyId = (spki: Buffer): Buffer => createHash('sha1').update(spki.subarray(-65)).digest();

function ipBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail] = address.split('::');
  const groups = (text: string): number[] => (text ? text.split(':').map((g) => Number.parseInt(g, 16)) : []);
  const left = groups(head);
  const right = tail === undefined ? [] : groups(tail);
  const all =
    tail === undefined ? left : [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right];
  return Buffer.from(all.flatMap((g) => [g >> 8, g & 0xff]));
}

function subjectAltName(hosts: readonly string[]): Buffer {
  const names = hosts.map((h) => (isIP(h) ? implicit(7, ipBytes(h)) : implicit(2, Buffer.from(h))));
  return extension('2.5.29.17', false, sequence(...names));
}

const pem = (label: string, der: Buffer): string =>
  `-----BEGIN ${label}-----\n${der.toString('base64').replace(/.{64}(?=.)/g, '$&\n')}\n-----END ${label}-----\n`;

/** Certificate authority on P-256 with ECDSA-SHA256 (TL-1). Made fresh, or read back from a data folder. */
export class Authority {
  readonly cert: string;
  readonly key: string;
  readonly #signer: KeyObject;
  readonly #name: Buffer;
  readonly #keyId: Buffer;

  /** Reads an authority that `create` made. */
  constructor(pair: KeyPair) {
    this.cert = pair.cert;
    this.key = pair.key;
    this.#signer = createPrivateKey(pair.key);
    const read = new X509Certificate(pair.cert);
    this.#keyId = keyId(read.publicKey.export({ type: 'spki', format: 'der' }));
    this.#name = sequence(commonName(/^CN=(.*)$/m.exec(read.subject)?.[1] ?? ''));
  }

  /** `now` in ms; validity of certificates follows the machine's clock, never a controlled one. */
  static create(now: number = Date.now()): Authority {
    const subject = sequence(commonName('kubewright-embedded-ca'));
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const profile: Profile = {
      subject,
      days: 3650,
      extensions: (id) => [
        extension('2.5.29.19', true, sequence(boolean(true))),
        keyUsage(0b1010_0110, 1),
        subjectKeyId(id),
        authorityKeyId(id),
      ],
    };
    return new Authority(issue(profile, { publicKey, privateKey, signer: privateKey, issuer: subject, now }));
  }

  /** Certificate of a server that answers under `hosts` (names and addresses). */
  server(hosts: readonly string[], now: number = Date.now()): KeyPair {
    return this.#leaf(sequence(commonName('kube-apiserver')), '1.3.6.1.5.5.7.3.1', {
      now,
      extra: [subjectAltName(hosts)],
    });
  }

  /** Certificate that says who a client is: CN = user, one O per group (TL-2). */
  client(user: string, groups: readonly string[], now: number = Date.now()): KeyPair {
    return this.#leaf(sequence(...groups.map(organization), commonName(user)), '1.3.6.1.5.5.7.3.2', { now, extra: [] });
  }

  #leaf(subject: Buffer, purpose: string, rest: { now: number; extra: Buffer[] }): KeyPair {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const profile: Profile = {
      subject,
      days: 3650,
      extensions: (id) => [
        keyUsage(0b1000_0000, 7),
        extendedUsage(purpose),
        subjectKeyId(id),
        authorityKeyId(this.#keyId),
        ...rest.extra,
      ],
    };
    return issue(profile, { publicKey, privateKey, signer: this.#signer, issuer: this.#name, now: rest.now });
  }
}

function issue(
  profile: Profile,
  keys: { publicKey: KeyObject; privateKey: KeyObject; signer: KeyObject; issuer: Buffer; now: number },
): KeyPair {
  const spki = keys.publicKey.export({ type: 'spki', format: 'der' });
  const serial = randomBytes(16);
  // Never zero and never with leading zero bytes, so that the number has one form only.
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  const from = keys.now - BACKDATE;
  const body = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(serial),
    ECDSA_SHA256,
    keys.issuer,
    sequence(time(from), time(from + profile.days * DAY)),
    profile.subject,
    spki,
    explicit(3, sequence(...profile.extensions(keyId(spki)))),
  );
  const cert = sequence(body, ECDSA_SHA256, bits(sign('sha256', body, keys.signer)));
  return { cert: pem('CERTIFICATE', cert), key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

/** Names every server certificate carries besides the host it listens on. */
export const SERVER_NAMES: readonly string[] = [
  'localhost',
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
  '127.0.0.1',
  '::1',
  '10.96.0.1',
];
