import { hashSecret, type KeyRecord, newApiKey, type Peppers } from '@mediagate/identity';
import type { Request } from 'express';
import { createAuthenticator } from './authenticate';

const PEPPER = 'a pepper for tests only';
const { id, secret } = newApiKey();
const KEY: KeyRecord = {
  id,
  accountId: 'account_1',
  name: '',
  secretHash: hashSecret(PEPPER, secret),
  lastFour: secret.slice(-4),
  quotaNano: undefined,
  families: [],
  models: [],
  submitPerMinute: 300,
  queryPerMinute: 3000,
  maxConcurrent: undefined,
  canManage: false,
  scope: 'account',
  ownKeyId: null,
  accountState: 'active',
  accountSubmitPerMinute: null,
  accountQueryPerMinute: null,
  isTest: false,
  madeBy: null,
  isOfUser: false,
  maker: undefined,
  expiresAt: undefined,
  createdAt: new Date(),
  revokedAt: undefined,
};

function requestWith(keyId: string, offered = secret): Request {
  const authorization = `Bearer mg_${keyId}_${offered}`;
  return { headers: { authorization }, rawHeaders: ['Authorization', authorization] } as Request;
}

/** The authenticator over one key, the ids it looked up, and what it noted. */
function openAuthenticator(readKey = () => KEY, peppers: Peppers = [PEPPER]) {
  const [lookedUp, noted]: [string[], unknown[]] = [[], []];
  const findKey = async (keyId: string) => {
    lookedUp.push(keyId);
    return keyId === id ? readKey() : undefined;
  };
  const authenticator = createAuthenticator({
    findKey,
    peppers,
    noteUse: (...use) => noted.push(use),
    clock: Date,
  });
  return {
    lookedUp,
    noted,
    authenticator,
    authenticate: async (keyId: string, offered?: string) => authenticator.authenticate(requestWith(keyId, offered)),
  };
}

const refused = { code: 'authentication' };

describe('the authenticator', () => {
  it('looks an unknown key up once, however often it is tried', async () => {
    const { lookedUp, authenticate } = openAuthenticator();
    for (let tries = 0; tries < 5; tries += 1)
      await expect(authenticate('0'.repeat(12))).rejects.toMatchObject(refused);
    expect(lookedUp).toEqual(['0'.repeat(12)]);
  });

  it('refuses another secret of a key that it knows, before and after it has let the right one in', async () => {
    const { authenticate } = openAuthenticator();
    const other = newApiKey().secret;
    for (let round = 0; round < 2; round += 1) {
      await expect(authenticate(id, other)).rejects.toMatchObject(refused);
      await expect(authenticate(id)).resolves.toBe(KEY);
      await expect(authenticate(id)).resolves.toBe(KEY);
    }
    await expect(authenticate(id, other)).rejects.toMatchObject(refused);
  });

  it('lets a key in by the pepper before, and notes what its hash shall be', async () => {
    const { noted, authenticate } = openAuthenticator(() => KEY, ['a new pepper', PEPPER]);
    await expect(authenticate(id)).resolves.toBe(KEY);
    expect(noted).toEqual([[id, { id, from: KEY.secretHash, to: hashSecret('a new pepper', secret) }]]);
    await expect(authenticate(id, newApiKey().secret)).rejects.toMatchObject(refused);
    await expect(openAuthenticator(() => KEY, ['a new pepper']).authenticate(id)).rejects.toMatchObject(refused);
  });

  it.each<[what: string, header: string, taken: boolean]>([
    ['nothing', '', true],
    ['the same key', `mg_${id}_${secret}`, true],
    ['the same key with its scheme', `Bearer mg_${id}_${secret}`, true],
    ['another key', `mg_${id}_${newApiKey().secret}`, false],
    ['no key', 'placeholder', false],
  ])('beside Authorization, judges %s in another header', async (_what, header, taken) => {
    const { authenticator } = openAuthenticator();
    const both = requestWith(id);
    both.headers['mj-api-secret'] = header;
    both.rawHeaders.push('mj-api-secret', header);
    const letIn = async (keyHeader?: string) => authenticator.authenticate(both, keyHeader);
    await expect(letIn()).resolves.toBe(KEY);
    const found = letIn('mj-api-secret');
    if (taken) await expect(found).resolves.toBe(KEY);
    else
      await expect(found).rejects.toMatchObject({ code: 'authentication', failure: { message: { key: 'two_keys' } } });
  });

  it('refuses a key 5 s after another process revoked it', async () => {
    jest.useFakeTimers();
    try {
      let key = KEY;
      const { authenticate } = openAuthenticator(() => key);
      await authenticate(id);
      key = { ...KEY, revokedAt: new Date() };
      jest.advanceTimersByTime(4_999);
      await expect(authenticate(id)).resolves.toBe(KEY);
      jest.advanceTimersByTime(2);
      await expect(authenticate(id)).rejects.toMatchObject({ code: 'authentication', reason: 'key_revoked' });
    } finally {
      jest.useRealTimers();
    }
  });

  it('remembers a good key through any number of unknown ones', async () => {
    jest.useFakeTimers();
    try {
      const { lookedUp, authenticate } = openAuthenticator();
      await authenticate(id);
      const unknown = Array.from({ length: 20_000 }, () => newApiKey().id);
      const outcomes = await Promise.allSettled(unknown.map((keyId) => authenticate(keyId)));
      expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
      await expect(authenticate(id)).resolves.toBe(KEY);
      expect(lookedUp.filter((keyId) => keyId === id)).toHaveLength(1);
    } finally {
      jest.useRealTimers();
    }
  });
});
