import { expect } from 'chai';
import { describe, it } from 'mocha';
import { requestInfo } from './path.js';

const info = (method: string, url: string) => {
  const [path = '', query = ''] = url.split('?');
  return requestInfo(method, path, new URLSearchParams(query));
};

describe('Path grammar', () => {
  it('TR-1 reads group, version, namespace, resource, name and subresource', () => {
    expect(info('GET', '/api/v1/namespaces/t/pods/p/log')).to.include({
      resourceRequest: true,
      verb: 'get',
      group: '',
      version: 'v1',
      namespace: 't',
      resource: 'pods',
      name: 'p',
      subresource: 'log',
    });
    expect(info('GET', '/apis/apps/v1/deployments')).to.include({
      group: 'apps',
      version: 'v1',
      resource: 'deployments',
      verb: 'list',
      namespace: undefined,
    });
    expect(info('GET', '/apis/demo.example.com/v1/namespaces/t/widgets/a%2Fb')).to.include({ name: 'a/b' });
  });

  it('TR-1 a namespace is a resource with its own subresources', () => {
    expect(info('GET', '/api/v1/namespaces/t')).to.include({
      resource: 'namespaces',
      name: 't',
      namespace: 't',
      verb: 'get',
    });
    for (const sub of ['status', 'finalize']) {
      expect(info('PUT', `/api/v1/namespaces/t/${sub}`)).to.include({
        resource: 'namespaces',
        name: 't',
        subresource: sub,
        verb: 'update',
      });
    }
    expect(info('GET', '/api/v1/namespaces')).to.include({
      resource: 'namespaces',
      name: undefined,
      namespace: undefined,
      verb: 'list',
    });
  });

  it('TR-2 reads the verb from method, name and query', () => {
    const p = '/api/v1/namespaces/t/pods';
    const verbs: [string, string, string][] = [
      ['POST', p, 'create'],
      ['PUT', `${p}/a`, 'update'],
      ['PATCH', `${p}/a`, 'patch'],
      ['DELETE', `${p}/a`, 'delete'],
      ['DELETE', p, 'deletecollection'],
      ['GET', `${p}/a`, 'get'],
      ['HEAD', `${p}/a`, 'get'],
      ['GET', p, 'list'],
      ['GET', `${p}?watch`, 'watch'],
      ['GET', `${p}?watch=true`, 'watch'],
      ['GET', `${p}?watch=1`, 'watch'],
      ['GET', `${p}?watch=0`, 'list'],
      ['GET', `${p}?watch=false`, 'list'],
      ['GET', `${p}/a?watch=true`, 'get'],
      ['GET', '/api/v1/watch/namespaces/t/pods', 'watch'],
    ];
    for (const [method, url, verb] of verbs) expect(info(method, url).verb, `${method} ${url}`).to.equal(verb);
  });

  it('TR-3 a selector by name alone is the name for authorisation', () => {
    expect(info('GET', '/api/v1/pods?fieldSelector=metadata.name%3Dx')).to.include({ name: undefined, authName: 'x' });
    expect(info('GET', '/api/v1/pods?fieldSelector=metadata.name%3Dx%2Cstatus.phase%3DRunning').authName).to.equal(
      undefined,
    );
  });

  it('paths that name no resource keep their method as verb', () => {
    for (const path of ['/', '/version', '/api', '/api/v1', '/apis/apps', '/apis/apps/v1', '/openapi/v3/api/v1']) {
      expect(info('GET', path), path).to.include({ resourceRequest: false, verb: 'get', path });
    }
    expect(info('GET', '/api/v1/').path).to.equal('/api/v1');
  });
});
