import { expect } from 'chai';
import { describe, it } from 'mocha';
import { StatusError } from '../core/errors.js';
import { CredentialsAuthenticator, openAuthenticator } from './authenticate.js';
import type { Credentials } from './ports.js';
import type { ServiceAccountTokens } from './service-account-tokens.js';

const nobody: Credentials = { authorization: undefined, certificate: undefined };
const bearer = (token: string): Credentials => ({ ...nobody, authorization: `Bearer ${token}` });
const tokens = { verify: () => Promise.resolve(undefined) } as unknown as ServiceAccountTokens;
const users = [{ token: 'secret', name: 'ann', uid: '7', groups: ['dev'] }];

async function code(authenticator: CredentialsAuthenticator, credentials: Credentials): Promise<number> {
  try {
    await authenticator.authenticate(credentials);
    return 200;
  } catch (error) {
    if (error instanceof StatusError) return error.code;
    throw error;
  }
}

describe('Authentication', () => {
  it('AU-1 in open mode everybody is the administrator, whatever they show', async () => {
    for (const credentials of [nobody, bearer('wrong'), { ...nobody, certificate: 'invalid' as const }]) {
      expect(await openAuthenticator.authenticate(credentials)).to.deep.equal({
        name: 'embedded-admin',
        groups: ['system:masters', 'system:authenticated'],
      });
    }
  });

  it('AU-2 a static token names its user, uid and groups', async () => {
    const authenticator = new CredentialsAuthenticator({ users, anonymous: true, tokens });
    expect(await authenticator.authenticate(bearer('secret'))).to.deep.equal({
      name: 'ann',
      uid: '7',
      groups: ['dev', 'system:authenticated'],
    });
  });

  it('AU-2 requests without credentials are anonymous, or refused where that is off; wrong ones never pass', async () => {
    const lenient = new CredentialsAuthenticator({ users, anonymous: true, tokens });
    const strict = new CredentialsAuthenticator({ users, anonymous: false, tokens });
    expect((await lenient.authenticate(nobody)).name).to.equal('system:anonymous');
    expect((await lenient.authenticate({ ...nobody, authorization: 'Basic eDp5' })).name).to.equal('system:anonymous');
    expect(await code(strict, nobody)).to.equal(401);
    for (const authenticator of [lenient, strict]) {
      expect(await code(authenticator, bearer('wrong'))).to.equal(401);
      expect(await code(authenticator, { ...nobody, certificate: 'invalid' })).to.equal(401);
    }
  });
});
