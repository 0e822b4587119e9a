import { expect } from 'chai';
import { describe, it } from 'mocha';
import { type AnyJson, Kinds } from './harness.test.js';

const service = (spec: Parameters<Kinds['create']>[1]): Parameters<Kinds['create']>[1] => ({
  metadata: { name: 's' },
  spec,
});
const ports = [{ port: 80 }];

describe('Service', () => {
  it('DF-2 defaults and a cluster address of 10.96.0.0/16', () => {
    const { object, errors } = new Kinds().create('Service', service({ selector: { a: 'b' }, ports }));
    expect(errors).to.deep.equal([]);
    expect(object.spec).to.deep.include({
      type: 'ClusterIP',
      sessionAffinity: 'None',
      internalTrafficPolicy: 'Cluster',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
    });
    expect(object.spec.clusterIP).to.match(/^10\.96\.\d+\.\d+$/);
    expect(object.spec.clusterIPs).to.deep.equal([object.spec.clusterIP]);
  });

  it('DF-2 no two Services get the same address or node port', () => {
    const kinds = new Kinds();
    const seen = new Set<string>();
    for (let i = 0; i < 300; i++) {
      const { object } = kinds.create('Service', service({ type: 'NodePort', ports }));
      kinds.services.push({ ...object, metadata: { ...object.metadata, uid: `${i}` } });
      seen.add(`${object.spec.clusterIP}`).add(`${object.spec.ports[0].nodePort}`);
      expect(object.spec.ports[0].nodePort).to.be.within(30_000, 32_767);
    }
    expect(seen.size).to.equal(600);
  });

  it('DF-2 what another Service has is refused', () => {
    const kinds = new Kinds();
    const { object } = kinds.create(
      'Service',
      service({ type: 'NodePort', clusterIP: '10.96.7.7', ports: [{ port: 80, nodePort: 31_000 }] }),
    );
    kinds.services.push({ ...object, metadata: { ...object.metadata, uid: 'other' } });
    const { errors } = kinds.create(
      'Service',
      service({ type: 'NodePort', clusterIP: '10.96.7.7', ports: [{ port: 80, nodePort: 31_000 }] }),
    );
    expect(errors).to.deep.equal([
      'spec.ports[0].nodePort: Invalid value: 31000: provided port is already allocated',
      'spec.clusterIPs: Invalid value: ["10.96.7.7"]: failed to allocate IP 10.96.7.7: provided IP is already allocated',
    ]);
    expect(kinds.create('Service', service({ clusterIP: '11.0.0.1', ports })).errors[0]).to.contain(
      'is not in the valid range',
    );
  });

  it('DF-2 headless and ExternalName Services get no address', () => {
    const kinds = new Kinds();
    expect(kinds.create('Service', service({ clusterIP: 'None', selector: { a: 'b' }, ports })).object.spec).to.include(
      { clusterIP: 'None' },
    );
    const { object, errors } = kinds.create('Service', service({ type: 'ExternalName', externalName: 'a.b' }));
    expect(errors).to.deep.equal([]);
    expect(object.spec).to.have.all.keys('type', 'externalName', 'sessionAffinity');
  });

  it('DF-2 the address stays: kept when left out, refused when changed', () => {
    const kinds = new Kinds();
    const { object: old } = kinds.create('Service', service({ ports }));
    kinds.services.push(old);
    const kept = kinds.update('Service', old, service({ ports: [{ port: 81 }] }));
    expect(kept.errors).to.deep.equal([]);
    expect(kept.object.spec.clusterIP).to.equal(old.spec.clusterIP);
    const { errors } = kinds.update('Service', old, service({ clusterIP: '10.96.9.9', ports }));
    expect(errors).to.deep.equal(['spec.clusterIPs[0]: Invalid value: ["10.96.9.9"]: may not change once set']);
  });

  it('DF-2 a change of type gives and takes node ports', () => {
    const kinds = new Kinds();
    const { object: old } = kinds.create('Service', service({ ports }));
    const exposed = kinds.update('Service', old, { ...old, spec: { ...old.spec, type: 'NodePort' } });
    const { nodePort } = exposed.object.spec.ports[0];
    expect(nodePort).to.be.within(30_000, 32_767);
    const again = kinds.update('Service', exposed.object, service({ type: 'NodePort', ports }));
    expect(again.object.spec.ports[0].nodePort, 'kept').to.equal(nodePort);
    const back = kinds.update('Service', exposed.object, {
      ...exposed.object,
      spec: { ...exposed.object.spec, type: 'ClusterIP' },
    });
    expect(back.errors).to.deep.equal([]);
    expect(back.object.spec.ports[0]).not.to.have.property('nodePort');
    expect(back.object.spec).not.to.have.property('externalTrafficPolicy');
  });

  it('DF-2 several ports need names', () => {
    const { errors } = new Kinds().create(
      'Service',
      service({ ports: [{ port: 80 }, { port: 81, targetPort: 'A_' }] }),
    );
    expect(errors).to.include.members(['spec.ports[0].name: Required value', 'spec.ports[1].name: Required value']);
    expect(errors.join()).to.contain(
      'spec.ports[1].targetPort: Invalid value: "A_": must contain at least one letter (a-z)',
    );
  });

  it('TV-3 shows addresses and ports', () => {
    const kinds = new Kinds();
    const made = (spec: Parameters<Kinds['create']>[1]): AnyJson => kinds.create('Service', service(spec)).object;
    const row = kinds.row(
      'Service',
      made({ type: 'LoadBalancer', selector: { b: '2', a: '1' }, ports: [{ port: 80, nodePort: 30_001 }] }),
    );
    expect(row).to.include({
      Type: 'LoadBalancer',
      'External-IP': '<pending>',
      'Port(s)': '80:30001/TCP',
      Selector: 'a=1,b=2',
    });
    expect(kinds.row('Service', made({ type: 'ExternalName', externalName: 'a.b' }))).to.include({
      'Cluster-IP': '<none>',
      'External-IP': 'a.b',
    });
  });
});
