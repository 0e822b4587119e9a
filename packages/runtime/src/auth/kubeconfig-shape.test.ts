import { expect } from 'chai';
import { describe, it } from 'mocha';
import { parseKubeconfig } from './kubeconfig.js';

describe('the shape of a kubeconfig', () => {
  const refused: readonly (readonly [what: string, text: string, message: RegExp])[] = [
    ['nothing', '', /is no kubeconfig; fix: /],
    ['a text', 'hello', /is no kubeconfig; fix: /],
    ['a list', '[]', /is no kubeconfig; fix: /],
    ['another kind', '{"kind":"Pod"}', /holds an object of kind Pod, not a kubeconfig/],
    ['clusters that are a map', '{"clusters":{}}', /clusters is no list; fix: /],
    ['users that are a text', '{"users":"SECRET"}', /users is no list; fix: /],
    ['an empty entry', '{"contexts":[null]}', /contexts\[0\] has no name; fix: give it name and context/],
    [
      'an entry without a name',
      'users:\n- user: {token: SECRET}',
      /users\[0\] has no name; fix: give it name and user/,
    ],
    ['a part that is a text', '{"users":[{"name":"a","user":"SECRET"}]}', /users\[0\]\.user is no map/],
  ];
  for (const [what, text, message] of refused)
    it(`T5 ${what} is refused with file and field, and without secrets`, async () => {
      const error = await parseKubeconfig(text, 'dev.yaml').then(
        () => undefined,
        (fault: unknown) => fault as Error & { code: string },
      );
      expect(error?.code).to.equal('KW_CLUSTER_CONFIG');
      expect(error?.message).to.contain('dev.yaml').and.to.match(message).and.not.to.contain('SECRET');
    });

  it('T5 lists may be empty or null', async () => {
    const config = { kind: 'Config', clusters: null, users: [], contexts: [{ name: 'a', context: null }] };
    expect(await parseKubeconfig(JSON.stringify(config), 'dev.yaml')).to.deep.equal(config);
  });
});
