import { createHook } from 'node:async_hooks';
import { once } from 'node:events';
import { connect } from 'node:net';
import { hashSecret, makeSignInLink, parseApiKey, setPassword } from '@mediagate/identity';
import { forAllTests } from '@mediagate/testkit';
import type { PaceOptions } from '../src/session/turns';
import { dataOf, NO_LIMIT, PASSWORD, sessionOf, startDeployment, type TestConsole } from './test-console';

const OPERATOR = 'kim@example.com';
const MEMBER = 'alex@customer.example';
const BY_TEST = { actor: 'system' };

let app: TestConsole;
let accountId: string;
const deployment = forAllTests(startDeployment);
beforeAll(async () => {
  app = await deployment.startConsole({ limit: NO_LIMIT });
  accountId = await deployment.addAccount('Customer');
  await deployment.addUser(OPERATOR, { kind: 'operator', role: 'support' });
  await deployment.addUser(MEMBER, { kind: 'account', role: 'developer', accountId });
});

describe('the sign-in', () => {
  it('says who is signed in, what they may do and what changes need', async () => {
    const response = await app.signIn({ email: ' Alex@Customer.example ', password: PASSWORD });
    expect(response.status).toBe(200);
    const answer = await dataOf(response);
    expect(answer).toEqual({
      user: {
        id: expect.stringMatching(/^usr_/),
        email: MEMBER,
        name: 'alex',
        kind: 'account',
        role: 'developer',
        account_id: accountId,
        account_name: 'Customer',
        totp: false,
      },
      csrf: expect.stringMatching(/^[\w-]{43}$/),
      gateway_url: 'https://api.example',
      expires_at: expect.any(Number),
    });
    const cookie = response.headers.getSetCookie().join('; ');
    const again = await app.request('/session', { cookie });
    expect(await dataOf(again)).toEqual({ ...answer, expires_at: expect.any(Number) });
  });

  it.each([
    [{ email: MEMBER, password: `${PASSWORD} ` }],
    [{ email: MEMBER, password: PASSWORD.toUpperCase() }],
    [{ email: 'nobody@example.com', password: PASSWORD }],
    [{ email: `${MEMBER}m`, password: PASSWORD }],
  ])('takes nothing that is only near: %j', async (given) => {
    const response = await app.signIn(given);
    expect([response.status, response.headers.getSetCookie()]).toEqual([401, []]);
    expect(await response.json()).toMatchObject({ reason: 'bad_credentials' });
  });

  it.each([
    ['no JSON', 'email=a&password=b', 'application/x-www-form-urlencoded'],
    ['a field too many', JSON.stringify({ email: MEMBER, password: PASSWORD, admin: true }), 'application/json'],
    ['a password that is no text', JSON.stringify({ email: MEMBER, password: ['a'] }), 'application/json'],
    ['no object', '[]', 'application/json'],
    ['a body that is cut', '{"email":', 'application/json'],
  ])('refuses what is no sign-in: %s', async (_name, body, type) => {
    const headers = { 'content-type': type, origin: app.origin };
    expect((await app.request('/session', { method: 'POST', body, headers })).status).toBe(400);
  });

  it('sets a cookie that scripts and other sites cannot use, and another for https alone', async () => {
    const [plain = ''] = (await app.signIn({ email: OPERATOR, password: PASSWORD })).headers.getSetCookie().reverse();
    expect(plain).toMatch(/^mediagate-console=[\w-]{43}; Max-Age=604800; Path=\/; .*HttpOnly; SameSite=Strict$/);
    const publicUrl = 'https://console.example';
    const secure = await deployment.startConsole({ config: { CONSOLE_PUBLIC_URL: publicUrl } });
    const response = await secure.signIn({ email: OPERATOR, password: PASSWORD }, { origin: publicUrl });
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-mediagate-console-device=.*HttpOnly; Secure; SameSite=Strict$/),
      expect.stringMatching(/^__Host-mediagate-console=.*HttpOnly; Secure; SameSite=Strict$/),
    ]);
    expect(response.headers.get('strict-transport-security')).toContain('max-age=');
  });

  it('gives a token of its own, whatever the browser had, and ends the session that it had', async () => {
    const first = await app.openSession(OPERATOR);
    const planted = `mediagate-console=${'A'.repeat(43)}`;
    const after = await app.signIn({ email: OPERATOR, password: PASSWORD }, { cookie: planted });
    expect(after.headers.getSetCookie().join()).not.toContain('AAAA');
    const again = await app.signIn({ email: OPERATOR, password: PASSWORD }, { cookie: first.cookie });
    const second = await sessionOf(again, app.request, app.origin);
    expect(second.cookie).not.toBe(first.cookie);
    expect((await first.ask('GET', '/session')).status).toBe(401);
    expect((await second.ask('GET', '/session')).status).toBe(200);
  });

  it('leaves no trace of password or token in the log, and only a hash of the token in the database', async () => {
    const session = await app.openSession(OPERATOR);
    await app.signIn({ email: OPERATOR, password: 'a wrong guess' });
    const token = /mediagate-console=([\w-]+)/.exec(session.cookie)?.[1] ?? '';
    expect(JSON.stringify(app.log)).not.toMatch(/wrong guess|correct horse/);
    expect(JSON.stringify(app.log)).not.toContain(token);
    const rows = await deployment.database.userSession.findMany();
    expect(rows.map(({ tokenHash }) => Buffer.from(tokenHash).toString())).not.toContain(token);
    expect(app.log).toContainEqual(expect.objectContaining({ event: 'console.sign_in', outcome: 'refused' }));
  });
});

describe('a session', () => {
  it('counts in every console, outlives a restart, and ends in all of them', async () => {
    const other = await deployment.startConsole();
    const session = await app.openSession(OPERATOR);
    expect((await other.request('/session', { cookie: session.cookie })).status).toBe(200);
    expect((await session.ask('DELETE', '/session')).status).toBe(204);
    expect((await other.request('/session', { cookie: session.cookie })).status).toBe(401);
  });

  it('ends everywhere else when its user says so', async () => {
    const [here, there] = [await app.openSession(MEMBER), await app.openSession(MEMBER)];
    const listed = async () => (await dataOf(await here.ask('GET', '/users/me/sessions'))) as unknown as object[];
    expect((await listed()).filter((each) => 'current' in each && each.current)).toHaveLength(1);
    expect((await listed()).length).toBeGreaterThan(1);
    const ended = await here.ask('DELETE', '/session/others');
    expect((await dataOf(ended))['ended']).toBeGreaterThan(0);
    expect((await there.ask('GET', '/session')).status).toBe(401);
    expect((await here.ask('GET', '/session')).status).toBe(200);
    const [left, ...others] = await listed();
    expect([left, others]).toEqual([
      { created: expect.any(Number), last_used_at: expect.any(Number), current: true },
      [],
    ]);
  });

  it.each([
    ['that idled for 12 hours', { seenAt: new Date(Date.now() - 12 * 3_600_000) }],
    ['that is 7 days old, however busy', { createdAt: new Date(Date.now() - 7 * 86_400_000) }],
  ])('%s has ended', async (_name, data) => {
    const { cookie, userId } = await app.openSession(OPERATOR);
    expect((await app.request('/session', { cookie })).status).toBe(200);
    await deployment.database.userSession.updateMany({ where: { userId }, data });
    expect((await app.request('/session', { cookie })).status).toBe(401);
  });

  it('idles anew while it is used', async () => {
    const { cookie, userId } = await app.openSession(OPERATOR);
    const before = new Date(Date.now() - 11 * 3_600_000);
    await deployment.database.userSession.updateMany({ where: { userId }, data: { seenAt: before } });
    expect((await app.request('/session', { cookie })).status).toBe(200);
    const rows = await deployment.database.userSession.findMany({ where: { userId } });
    expect(rows.every(({ seenAt }) => seenAt > before)).toBe(true);
  });

  it('ends with its user, whose token ends in the same statement', async () => {
    const userId = await deployment.addUser('leaver@example.com', { kind: 'operator', role: 'read' });
    const session = await app.openSession('leaver@example.com');
    await session.ask('GET', '/api/admin/v1/operator');
    const { credentialId } = await deployment.database.user.findUniqueOrThrow({ where: { id: userId } });
    await deployment.database.changeUser({ id: userId }, { disabled: true }, BY_TEST);
    expect((await session.ask('GET', '/session')).status).toBe(401);
    const token = await deployment.database.operatorToken.findUniqueOrThrow({ where: { id: credentialId ?? '' } });
    expect(token).toMatchObject({ name: 'leaver', role: 'read', revokedAt: expect.any(Date) });
    expect((await app.signIn({ email: 'leaver@example.com', password: PASSWORD })).status).toBe(401);
  });

  it('is opened by a link, once', async () => {
    const { userId } = await app.openSession(OPERATOR);
    const { link } = await makeSignInLink(deployment.database, userId, BY_TEST);
    const follow = () =>
      app.request('/session/one-time', {
        method: 'POST',
        body: JSON.stringify({ token: link?.token }),
        headers: { 'content-type': 'application/json', origin: app.origin },
      });
    const first = await follow();
    expect((await dataOf(first))['user']).toMatchObject({ email: OPERATOR });
    expect((await follow()).status).toBe(401);
  });
});

describe('the token or key that stands for a user', () => {
  it('is made with the first session, opens the gateway, and is kept sealed', async () => {
    deployment.gateway.asked.length = 0;
    const session = await app.openSession(MEMBER);
    expect((await session.ask('GET', '/api/v1/tasks?limit=3')).status).toBe(200);
    const [asked] = deployment.gateway.asked;
    expect([asked?.method, asked?.url]).toEqual(['GET', '/v1/tasks?limit=3']);
    const offered = asked?.headers.authorization?.replace('Bearer ', '') ?? '';
    const parts = parseApiKey(offered);
    const key = await deployment.database.apiKey.findUniqueOrThrow({ where: { id: parts?.id ?? '' } });
    expect(key).toMatchObject({ accountId, name: `console: ${MEMBER}`, canManage: false, revokedAt: null });
    expect(Buffer.from(key.secretHash)).toEqual(hashSecret(deployment.pepper, parts?.secret ?? ''));
    const user = await deployment.database.user.findUniqueOrThrow({ where: { id: session.userId } });
    expect(Buffer.from(user.credentialSecret ?? []).toString('latin1')).not.toContain(parts?.secret);
  });

  it('is the same in every session, and another once it was revoked', async () => {
    const offered = async () => {
      const session = await app.openSession(OPERATOR);
      await session.ask('GET', '/api/admin/v1/operator');
      return deployment.gateway.asked.at(-1)?.headers.authorization;
    };
    const first = await offered();
    expect(await offered()).toBe(first);
    await deployment.database.operatorToken.updateMany({ where: { name: 'kim' }, data: { revokedAt: new Date() } });
    expect(await offered()).not.toBe(first);
  });

  it('is another once it has expired', async () => {
    const keyOf = async () => {
      const { userId } = await app.openSession(MEMBER);
      return (await deployment.database.user.findUniqueOrThrow({ where: { id: userId } })).credentialId ?? '';
    };
    const id = await keyOf();
    expect(await keyOf()).toBe(id);
    await deployment.database.apiKey.update({ where: { id }, data: { expiresAt: new Date(1) } });
    expect(await keyOf()).not.toBe(id);
  });

  it('follows the role: a token gets it at once, a key is revoked for another', async () => {
    const [operator, member] = [await app.openSession(OPERATOR), await app.openSession(MEMBER)];
    const credentialOf = async (id: string) =>
      (await deployment.database.user.findUniqueOrThrow({ where: { id } })).credentialId ?? '';
    const [tokenId, keyId] = [await credentialOf(operator.userId), await credentialOf(member.userId)];
    await deployment.database.changeUser({ id: operator.userId }, { role: 'billing' }, BY_TEST);
    await deployment.database.changeUser({ id: member.userId }, { role: 'viewer' }, BY_TEST);
    const token = await deployment.database.operatorToken.findUniqueOrThrow({ where: { id: tokenId } });
    expect(token).toMatchObject({ role: 'billing', revokedAt: null });
    const key = await deployment.database.apiKey.findUniqueOrThrow({ where: { id: keyId } });
    expect(key.revokedAt).not.toBeNull();
    expect((await member.ask('GET', '/api/v1/tasks')).status).toBe(200);
    const next = await deployment.database.apiKey.findUniqueOrThrow({
      where: { id: await credentialOf(member.userId) },
    });
    expect(next).toMatchObject({ quotaNano: 0n, canManage: false, revokedAt: null });
    await deployment.database.changeUser({ id: member.userId }, { role: 'developer' }, BY_TEST);
  });
});

describe('a request that changes something', () => {
  it('needs the token of its own session against forged requests', async () => {
    const [own, other] = [await app.openSession(MEMBER), await app.openSession(MEMBER)];
    deployment.gateway.asked.length = 0;
    const post = (headers: Record<string, string>) =>
      app.request('/api/v1/keys', {
        method: 'POST',
        cookie: own.cookie,
        body: '{}',
        headers: { origin: app.origin, 'content-type': 'application/json', ...headers },
      });
    for (const headers of [{}, { 'x-csrf-token': '' }, { 'x-csrf-token': other.csrf }]) {
      const response = await post(headers as Record<string, string>);
      expect([response.status, await response.json()]).toMatchObject([403, { reason: 'csrf' }]);
    }
    expect(deployment.gateway.asked).toEqual([]);
    expect((await post({ 'x-csrf-token': own.csrf })).status).toBe(200);
    expect((await app.request('/session', { method: 'DELETE', cookie: own.cookie })).status).toBe(403);
  });

  it.each([{ origin: 'https://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }])(
    'is refused when it comes from another site: %j',
    async (headers) => {
      const session = await app.openSession(OPERATOR);
      expect((await app.signIn({ email: OPERATOR, password: PASSWORD }, headers)).status).toBe(403);
      const all = { 'x-csrf-token': session.csrf, ...headers };
      const { cookie } = session;
      expect((await app.request('/session', { method: 'DELETE', cookie, headers: all })).status).toBe(403);
      expect((await app.request('/session', { cookie })).status).toBe(200);
    },
  );
});

/** The hash, which takes little work, of a password that nobody types. */
const OF_SOMEBODY_ELSE = `scrypt$4$8$1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

describe('an address that is of users of several accounts', () => {
  it('signs in the one whose password it is, or who is named', async () => {
    const [email, other] = ['shared@example.com', 'another long password'];
    await deployment.addUser(email, { kind: 'account', role: 'viewer', accountId });
    const userId = await deployment.addUser(email, { kind: 'operator', role: 'read' });
    await setPassword(deployment.database, { userId, password: other }, BY_TEST);
    const kindOf = async (given: Record<string, string>) => {
      const response = await app.signIn({ email, ...given });
      return response.status === 200 ? ((await dataOf(response))['user'] as { kind: string }).kind : response.status;
    };
    expect(await kindOf({ password: PASSWORD })).toBe('account');
    expect(await kindOf({ password: other })).toBe('operator');
    expect(await kindOf({ password: other, account: 'operators' })).toBe('operator');
    expect(await kindOf({ password: PASSWORD, account: 'operators' })).toBe(401);
    expect(await kindOf({ password: other, account: accountId })).toBe(401);
  });

  it('signs in the one who was made first, whoever signed in last at the others', async () => {
    const email = 'crowded@example.com';
    const made: string[] = [];
    for (const name of ['First', 'Second', 'Third', 'Fourth', 'Fifth'])
      made.push(
        await deployment.addUser(email, {
          kind: 'account',
          role: 'viewer',
          accountId: await deployment.addAccount(name),
        }),
      );
    const data = { passwordHash: OF_SOMEBODY_ELSE, lastSignedInAt: new Date() };
    await deployment.database.user.updateMany({ where: { id: { in: made.slice(1) } }, data });
    expect((await dataOf(await app.signIn({ email, password: PASSWORD })))['user']).toMatchObject({ id: made[0] });
  });

  it('signs in who signed in last there, whoever had invited the address before', async () => {
    const email = 'forestalled@example.com';
    const addTo = async (name: string) =>
      deployment.addUser(email, { kind: 'account', role: 'viewer', accountId: await deployment.addAccount(name) });
    for (const name of ['First', 'Second', 'Third', 'Fourth']) await addTo(name);
    await deployment.database.user.updateMany({ where: { email }, data: { passwordHash: OF_SOMEBODY_ELSE } });
    const id = await addTo('Own');
    for (const lastSignedInAt of [null, new Date()]) {
      await deployment.database.user.update({ where: { id }, data: { lastSignedInAt } });
      expect((await dataOf(await app.signIn({ email, password: PASSWORD })))['user']).toMatchObject({ id });
    }
  });

  it('signs in whose address a provider has proven, whoever was made first or signed in last', async () => {
    const email = 'proven@example.com';
    const made: string[] = [];
    for (const name of ['First', 'Second', 'Own', 'Fourth', 'Fifth']) {
      const rights = { kind: 'account', role: 'viewer', accountId: await deployment.addAccount(name) } as const;
      made.push(await deployment.addUser(email, rights));
    }
    const [id = '', ...others] = [...made.splice(2, 1), ...made];
    const data = { passwordHash: OF_SOMEBODY_ELSE, lastSignedInAt: new Date() };
    await deployment.database.user.updateMany({ where: { id: { in: others } }, data });
    const signsIn = async () => (await app.signIn({ email, password: PASSWORD })).status;
    expect(await signsIn()).toBe(401);
    await deployment.database.user.update({ where: { id }, data: { identity: 'https://id.example own' } });
    expect(await signsIn()).toBe(200);
  });

  it('is taken once in an account, and once of operators', async () => {
    const email = 'once@example.com';
    const another = await deployment.addAccount('Another');
    for (const each of [accountId, another])
      await deployment.addUser(email, { kind: 'account', role: 'viewer', accountId: each });
    await deployment.addUser(email, { kind: 'operator', role: 'read' });
    for (const rights of [
      { kind: 'account', role: 'owner', accountId },
      { kind: 'operator', role: 'admin' },
    ] as const)
      await expect(deployment.addUser(email, rights)).rejects.toThrow('duplicate');
  });
});

describe('connections', () => {
  it('of one address are 100 at most, so that others still get in', async () => {
    const { hostname, port } = new URL(app.origin);
    const sockets = Array.from({ length: 101 }, () => connect(Number(port), hostname));
    try {
      const refused = sockets.map((socket) => once(socket, 'close'));
      await Promise.race(refused);
      // Requests before may have left some open.
      expect(sockets.filter(({ closed }) => closed).length).toBeLessThan(20);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });
});

describe('guessing', () => {
  const threeThenRefused: PaceOptions = { burst: 3, everyMs: 3_600_000, maxWaitMs: 0 };
  const wrong = { email: MEMBER, password: 'a wrong guess' };
  const right = { email: MEMBER, password: PASSWORD };

  it('is bounded for the address it comes from, the right password included, and gains nothing by asking at once', async () => {
    const console = await deployment.startConsole({ limit: { ...NO_LIMIT, address: threeThenRefused } });
    const answers = await Promise.all(Array.from({ length: 8 }, () => console.signIn(wrong)));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(3);
    const limited = await console.signIn(right);
    expect([limited.status, limited.headers.getSetCookie()]).toEqual([429, []]);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(3000);
  });

  it('gains nothing by signing in as somebody else in between', async () => {
    const console = await deployment.startConsole({ limit: { ...NO_LIMIT, address: threeThenRefused } });
    const statuses = [];
    for (const given of [wrong, wrong, { email: OPERATOR, password: PASSWORD }, wrong, wrong]) {
      statuses.push((await console.signIn(given)).status);
    }
    expect(statuses).toEqual([401, 401, 200, 401, 429]);
  });

  it('is bounded for the user it tries from one network, but neither from others nor in a browser that the user has signed in with', async () => {
    const config = { CONSOLE_TRUSTED_PROXIES: 1 };
    const console = await deployment.startConsole({ config, limit: { ...NO_LIMIT, user: threeThenRefused } });
    const known = (await console.signIn(right)).headers.getSetCookie().find((each) => each.includes('-device='));
    const from = (last: number) => ({ 'x-forwarded-for': `192.0.2.${last}` });
    const statuses = [];
    for (let last = 1; last <= 4; last += 1) statuses.push((await console.signIn(wrong, from(last))).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect((await console.signIn(right, from(5))).status).toBe(429);
    expect((await console.signIn(right, { 'x-forwarded-for': '198.51.100.5' })).status).toBe(200);
    expect((await console.signIn({ email: OPERATOR, password: PASSWORD }, from(5))).status).toBe(200);
    expect((await console.signIn(right, { cookie: known?.split(';')[0] ?? '' })).status).toBe(200);
  });

  it('takes as many comparisons for somebody who does not exist as for who has users in several accounts', async () => {
    let comparisons = 0;
    const hook = createHook({
      init(_id, type) {
        if (type === 'SCRYPTREQUEST') comparisons += 1;
      },
    }).enable();
    const took = async (email: string) => {
      comparisons = 0;
      await app.signIn({ email, password: 'a wrong guess' });
      return comparisons;
    };
    for (const name of ['One', 'Two', 'Three', 'Four']) {
      const rights = { kind: 'account', role: 'viewer', accountId: await deployment.addAccount(name) } as const;
      const userId = await deployment.addUser('slow@example.com', rights);
      await setPassword(deployment.database, { userId, password: PASSWORD }, BY_TEST);
    }
    const [known, unknown] = [await took('slow@example.com'), await took('nobody@example.com')];
    hook.disable();
    expect(known).toBeGreaterThanOrEqual(4);
    expect(unknown).toBe(known);
  });
});
