import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import tls from 'node:tls';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { Authority, SERVER_NAMES } from './x509.js';
import { integer, oid, time, tlv } from './der.js';

describe('Certificates', () => {
  const authority = Authority.create();
  const ca = new X509Certificate(authority.cert);

  it('TL-1 makes an authority and a server certificate that OpenSSL reads as meant', () => {
    expect(ca.ca).to.equal(true);
    expect(ca.verify(ca.publicKey)).to.equal(true);
    const server = new X509Certificate(authority.server([...SERVER_NAMES, 'example.test', 'fd00::1:2']).cert);
    expect(server.ca).to.equal(false);
    expect(server.checkIssued(ca)).to.equal(true);
    expect(server.verify(ca.publicKey)).to.equal(true);
    expect(server.publicKey.asymmetricKeyDetails?.namedCurve).to.equal('prime256v1');
    for (const host of ['localhost', 'kubernetes.default.svc.cluster.local', 'example.test']) {
      expect(server.checkHost(host), host).to.equal(host);
    }
    for (const ip of ['127.0.0.1', '::1', '10.96.0.1', 'fd00::1:2']) expect(server.checkIP(ip), ip).to.equal(ip);
    expect(server.keyUsage).to.deep.equal(['1.3.6.1.5.5.7.3.1']);
  });

  it('TL-1 is valid from five minutes before it was made, with a positive serial number', () => {
    const now = Date.UTC(2026, 5, 1, 12);
    const cert = new X509Certificate(Authority.create(now).cert);
    expect(new Date(cert.validFrom).getTime()).to.equal(now - 300_000);
    expect(new Date(cert.validTo).getTime()).to.be.greaterThan(now + 365 * 86_400_000);
    expect(Number.parseInt(cert.serialNumber[0] as string, 16)).to.be.within(4, 7);
  });

  it('TL-2 says user and groups in a client certificate', () => {
    const cert = new X509Certificate(authority.client('bob', ['dev', 'ops']).cert);
    expect(cert.subject.split('\n')).to.deep.equal(['O=dev', 'O=ops', 'CN=bob']);
    expect(cert.keyUsage).to.deep.equal(['1.3.6.1.5.5.7.3.2']);
    expect(cert.verify(ca.publicKey)).to.equal(true);
  });

  it('TL-3 an authority read back from PEM goes on signing', () => {
    const again = new Authority({ cert: authority.cert, key: authority.key });
    const cert = new X509Certificate(again.client('eve', []).cert);
    expect(cert.checkIssued(ca)).to.equal(true);
    expect(cert.verify(ca.publicKey)).to.equal(true);
  });

  it('TL-3 both sides of a TLS connection accept the certificates', async () => {
    const server = tls.createServer({
      ...authority.server(SERVER_NAMES),
      ca: authority.cert,
      requestCert: true,
      rejectUnauthorized: true,
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = tls.connect({ host: '127.0.0.1', port, ca: authority.cert, ...authority.client('bob', ['dev']) });
    const [[accepted]] = await Promise.all([once(server, 'secureConnection'), once(client, 'secureConnect')]);
    expect(client.authorized).to.equal(true);
    expect((accepted as tls.TLSSocket).getPeerCertificate().subject).to.deep.include({ CN: 'bob', O: 'dev' });
    client.destroy();
    server.close();
  });

  it('TL-3 writes lengths, numbers, dates and object ids in their shortest form', () => {
    expect(tlv(4, Buffer.alloc(300)).subarray(0, 4).toString('hex')).to.equal('0482012c');
    expect(integer(Buffer.from([0, 0, 0x80])).toString('hex')).to.equal('02020080');
    expect(integer(Buffer.from([0])).toString('hex')).to.equal('020100');
    expect(oid('1.2.840.10045.4.3.2').toString('hex')).to.equal('06082a8648ce3d040302');
    expect(
      time(Date.UTC(2049, 11, 31))
        .toString('latin1')
        .slice(2),
    ).to.equal('491231000000Z');
    expect(
      time(Date.UTC(2050, 0, 1))
        .toString('latin1')
        .slice(2),
    ).to.equal('20500101000000Z');
  });
});
