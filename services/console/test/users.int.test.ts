import { type ChangeOutcome, PER_DAY } from '@mediagate/database';
import { createInvited, inviteUser, makeSignInLink, resetUser } from '@mediagate/identity';
import { countBlocked, forAllTests, holdTransaction, runSql, until } from '@mediagate/testkit';
import type { SignInLimitOptions } from '../src/session/sign-in-limit';
import {
  dataOf,
  NO_LIMIT,
  PASSWORD,
  sessionOf,
  startDeployment,
  type TestConsole,
  type TestSession,
} from './test-console';
import { totpAt } from './totp-at';

const OWNER = 'owner@customer.example';
const BY_TEST = { actor: 'system' };

let app: TestConsole;
let accountId: string;
let otherAccountId: string;
let owner: TestSession;
const deployment = forAllTests(startDeployment);
beforeAll(async () => {
  app = await deployment.startConsole({ limit: NO_LIMIT });
  accountId = await deployment.addAccount('Customer');
  otherAccountId = await deployment.addAccount('Another');
  await deployment.addUser(OWNER, { kind: 'account', role: 'owner', accountId });
  await deployment.addUser('other@another.example', { kind: 'account', role: 'owner', accountId: otherAccountId });
  owner = await app.openSession(OWNER);
});

/** Makes a key of the account by the key `makerId`. */
async function makeKey(ofAccount: string, makerId: string | null): Promise<{ id: string }> {
  const fields = {
    id: `key${Date.now()}`,
    account_id: ofAccount,
    secret_hash: '\\x00',
    last_four: '0000',
    maker_id: makerId,
  };
  const limits = { is_test: false, name: '', families: [], models: [], submit_per_minute: 1, query_per_minute: 1 };
  const text = JSON.stringify({ ...fields, ...limits, can_manage: false });
  const [made] = await runSql<{ id: string; makerId: string | null; madeBy: string | null }>(
    deployment.database,
    'select k.id, k.maker_id as "makerId", k.made_by as "madeBy" from make_key($1::jsonb, 100) k',
    [text],
  );
  if (!made) throw new Error('no key was made');
  return made;
}

const emails = async (response: Response) =>
  ((await response.json()) as { data: { email: string }[] }).data.map(({ email }) => email);
const idOf = async (email: string) => (await deployment.database.user.findFirstOrThrow({ where: { email } })).id;
/** Posts as a page without a session does. */
const post = (path: string, body: object) =>
  app.request(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { origin: app.origin, 'content-type': 'application/json' },
  });

describe('users', () => {
  it('are those of the own account, for its owner', async () => {
    expect(await emails(await owner.ask('GET', '/users'))).toEqual([OWNER]);
    const other = `/users/${await idOf('other@another.example')}`;
    for (const [method, path, body] of [
      ['GET', other, undefined],
      ['PATCH', other, { role: 'viewer' }],
      ['DELETE', other, undefined],
      ['POST', `${other}/reset`, undefined],
      ['POST', `${other}/end-sessions`, undefined],
      ['POST', `${other}/reset-second-factor`, undefined],
      ['POST', `${other}/invite`, undefined],
    ] as const) {
      expect([path, (await owner.ask(method, path, body)).status]).toEqual([path, 404]);
    }
    const foreign = { email: 'x@y.example', name: 'X', role: 'owner', account_id: otherAccountId };
    expect((await owner.ask('POST', '/users', foreign)).status).toBe(400);
    expect((await owner.ask('POST', '/users', { email: 'x@y.example', name: 'X', role: 'admin' })).status).toBe(400);
  });

  it.each([
    ['operator', 'admin'],
    ['account', 'developer'],
    ['account', 'viewer'],
  ] as const)('are nothing to a user of kind %s with the role %s', async (kind, role) => {
    const email = `${role}@nobody.example`;
    const rights =
      kind === 'operator' ? { kind, role: 'admin' as const } : { kind, role: 'viewer' as const, accountId };
    await deployment.addUser(email, rights);
    const session = await app.openSession(email);
    expect((await session.ask('GET', '/users')).status).toBe(403);
    expect((await session.ask('GET', '/users/me')).status).toBe(200);
  });

  it.each([
    ['demoted', { role: 'read' }, { role: 'read', revokedAt: null }],
    ['disabled', { disabled: true }, { revokedAt: expect.any(Date) }],
    ['deleted', undefined, { revokedAt: expect.any(Date) }],
  ] as const)('who are %s take a token along that is made for them at that moment', async (what, settings, left) => {
    const id = await deployment.addUser(`${what}@example.com`, { kind: 'operator', role: 'admin' });
    const token = `token of ${id}`;
    let changed: Promise<ChangeOutcome> | undefined;
    await holdTransaction(deployment.database, async (other) => {
      await other.operatorToken.create({
        data: { id: token, name: what, role: 'admin', secretHash: Buffer.of(1) },
      });
      const credential = { credentialId: token, credentialSecret: Buffer.of(1) };
      await other.user.update({ where: { id }, data: credential });
      changed = settings
        ? deployment.database.changeUser({ id }, settings, BY_TEST)
        : deployment.database.deleteUser({ id }, BY_TEST);
      await waiting(1);
    });
    expect(await changed).toMatchObject({ kind: 'changed' });
    expect(await deployment.database.operatorToken.findUnique({ where: { id: token } })).toMatchObject(left);
  });

  it('come by an invitation, which sets a password once', async () => {
    const invited = await owner.ask('POST', '/users', {
      email: 'New@customer.example',
      name: 'New',
      role: 'developer',
    });
    expect(invited.status).toBe(201);
    const { invitation, ...data } = (await dataOf(invited)) as { invitation: { token: string } };
    expect(data).toMatchObject({ email: 'new@customer.example', account_id: accountId, joined: false });
    const path = `/invitations/${invitation.token}`;
    expect(await dataOf(await app.request(path))).toMatchObject({ email: 'new@customer.example', role: 'developer' });
    const weak = await post(path, { name: 'New', password: 'new@customer.example' });
    expect([weak.status, await weak.json()]).toMatchObject([422, { reason: 'password_guessable' }]);
    expect((await post(path, { name: 'New', password: PASSWORD })).status).toBe(204);
    expect((await post(path, { name: 'New', password: PASSWORD })).status).toBe(404);
    expect((await app.signIn({ email: 'new@customer.example', password: PASSWORD })).status).toBe(200);
    const again = await owner.ask('POST', '/users', { email: 'new@customer.example', name: 'N', role: 'viewer' });
    expect([again.status, await again.json()]).toMatchObject([409, { reason: 'email_taken' }]);
  });

  it('join at a pace of their own, which strangers cannot fill', async () => {
    const answer = await owner.ask('POST', '/users', { email: 'joins@customer.example', name: 'N', role: 'viewer' });
    const { invitation } = (await dataOf(answer)) as { invitation: { token: string } };
    const none = { burst: 0, everyMs: 3_600_000, maxWaitMs: 0 };
    const joinAt = async (limit: SignInLimitOptions, token: string) => {
      const slow = await deployment.startConsole({ limit });
      const headers = { origin: slow.origin, 'content-type': 'application/json' };
      const body = JSON.stringify({ name: 'N', password: PASSWORD });
      return slow.request(`/invitations/${token}`, { method: 'POST', body, headers });
    };
    const refused = await joinAt({ device: none }, invitation.token);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3600']);
    expect((await joinAt({ address: none }, 'unknown')).status).toBe(404);
    expect((await joinAt({ address: none }, invitation.token)).status).toBe(204);
  });

  it('are 200 of an account at most', async () => {
    const full = await deployment.addAccount('Full');
    await deployment.addUser('owner@full.example', { kind: 'account', role: 'owner', accountId: full });
    const session = await app.openSession('owner@full.example');
    const user = (index: number) => ({ id: `usr_full${index}`, email: `${index}@full.example`, name: 'N' });
    const others = Array.from({ length: 198 }, (_, index) => ({ ...user(index), kind: 'account', role: 'viewer' }));
    await deployment.database.user.createMany({ data: others.map((each) => ({ ...each, accountId: full })) });
    const invite = (email: string) => session.ask('POST', '/users', { email, name: 'N', role: 'viewer' });
    expect((await invite('last@full.example')).status).toBe(201);
    const refused = await invite('more@full.example');
    expect([refused.status, await refused.json()]).toMatchObject([409, { reason: 'too_many_users' }]);
  });

  it('change no more than the keys of an account may on a day, both together', async () => {
    const busy = await deployment.addAccount('Busy');
    await deployment.addUser('owner@busy.example', { kind: 'account', role: 'owner', accountId: busy });
    const session = await app.openSession('owner@busy.example');
    const counted = { owner: `changes:${busy}`, day: new Date(), dayFiles: PER_DAY.changes };
    await deployment.database.storageUsage.create({ data: counted });
    const refused = await session.ask('POST', '/users', { email: 'late@busy.example', name: 'N', role: 'viewer' });
    expect([refused.status, await refused.json()]).toMatchObject([429, { reason: 'too_many_changes' }]);
  });

  it('lose their sessions and their key when they are disabled, reset or deleted', async () => {
    await deployment.addUser('leaver@customer.example', { kind: 'account', role: 'developer', accountId });
    const path = `/users/${await idOf('leaver@customer.example')}`;
    let session = await app.openSession('leaver@customer.example');
    const { credentialId } = await deployment.database.user.findFirstOrThrow({ where: { id: session.userId } });
    expect((await owner.ask('POST', `${path}/disable`)).status).toBe(200);
    expect((await session.ask('GET', '/session')).status).toBe(401);
    const key = await deployment.database.apiKey.findUniqueOrThrow({ where: { id: credentialId ?? '' } });
    expect(key.revokedAt).not.toBeNull();
    expect((await owner.ask('POST', `${path}/enable`)).status).toBe(200);
    session = await app.openSession('leaver@customer.example');
    expect((await owner.ask('POST', `${path}/reset`)).status).toBe(201);
    expect((await session.ask('GET', '/session')).status).toBe(401);
    expect((await app.signIn({ email: 'leaver@customer.example', password: PASSWORD })).status).toBe(401);
    expect((await owner.ask('DELETE', path, { reason: 'has left' })).status).toBe(200);
    expect((await owner.ask('GET', path)).status).toBe(404);
  });

  it('leave to their account the keys that they made, when they lose the key that stands for them', async () => {
    const id = await deployment.addUser('maker@customer.example', { kind: 'account', role: 'owner', accountId });
    const session = await app.openSession('maker@customer.example');
    const { credentialId } = await deployment.database.user.findUniqueOrThrow({ where: { id } });
    const made = await makeKey(accountId, credentialId);
    expect(made).toMatchObject({ makerId: null, madeBy: credentialId });
    expect((await owner.ask('POST', `/users/${id}/disable`)).status).toBe(200);
    expect((await session.ask('GET', '/session')).status).toBe(401);
    const [found] = await deployment.database.findKeys([made.id]);
    expect(found).toMatchObject({ revokedAt: null, madeBy: credentialId });
  });

  it('are made with their invitation or not at all, and of two invitations the newest alone counts', async () => {
    const rights = { kind: 'account', role: 'viewer', accountId } as const;
    const user = { email: 'two@customer.example', name: 'Two', rights };
    const { outcome, link } = await createInvited(deployment.database, user, BY_TEST);
    const userId = outcome.kind === 'changed' ? outcome.row.subject : '';
    let others: ReturnType<typeof inviteUser>[] = [];
    await holdTransaction(deployment.database, async (holder) => {
      await holder.$queryRaw`select from user_links where user_id = ${userId} for update`;
      others = [1, 2].map(() => inviteUser(deployment.database, userId, BY_TEST));
      await waiting(2);
    });
    const later = await Promise.all(others);
    const tokens = [link, ...later.map((each) => each.link)].map((each) => each?.token ?? '');
    const statuses = await Promise.all(
      tokens.map(async (token) => (await app.request(`/invitations/${token}`)).status),
    );
    expect(statuses.sort()).toEqual([200, 404, 404]);
  });

  it('are reset with an invitation in one statement, and of resets and invitations at once one link counts', async () => {
    const rights = { kind: 'account', role: 'viewer', accountId } as const;
    const id = await deployment.addUser('reset@customer.example', rights);
    await makeSignInLink(deployment.database, id, BY_TEST);
    let others: ReturnType<typeof inviteUser>[] = [];
    await holdTransaction(deployment.database, async (holder) => {
      await holder.$queryRaw`select from users where id = ${id} for update`;
      others = [
        resetUser(deployment.database, { id }, BY_TEST),
        inviteUser(deployment.database, id, BY_TEST),
        resetUser(deployment.database, { id }, BY_TEST),
      ];
      await waiting(3);
    });
    const made = await Promise.all(others);
    const tokens = made.map(({ link }) => link?.token ?? '');
    const statuses = await Promise.all(
      tokens.map(async (token) => (await app.request(`/invitations/${token}`)).status),
    );
    expect(statuses.sort()).toEqual([200, 404, 404]);
    expect(await deployment.database.userLink.count({ where: { userId: id } })).toBe(1);
    const entries = await deployment.database.auditLogEntry.findMany({ where: { subject: id, action: 'user.reset' } });
    expect(entries.map(({ detail }) => detail)).toMatchObject([
      { after: { expires_at: expect.any(String) } },
      { after: { expires_at: expect.any(String) } },
    ]);
  });

  it('who are disabled are reset without an invitation', async () => {
    const id = await deployment.addUser('away@customer.example', { kind: 'account', role: 'viewer', accountId });
    expect((await owner.ask('POST', `/users/${id}/disable`)).status).toBe(200);
    const reset = await owner.ask('POST', `/users/${id}/reset`);
    expect([reset.status, await dataOf(reset)]).toEqual([
      201,
      expect.not.objectContaining({ invitation: expect.anything() }),
    ]);
    const row = await deployment.database.user.findUniqueOrThrow({ where: { id }, include: { links: true } });
    expect(row).toMatchObject({ passwordHash: null, links: [] });
  });

  it('are invited anew by services of the release before, too, which delete the former link after they added the new one', async () => {
    const userId = await deployment.addUser('anew@customer.example', { kind: 'account', role: 'viewer', accountId });
    const inviteAsBefore = (token: string) =>
      runSql(
        deployment.database,
        `with former as (delete from user_links where user_id = $2 and purpose = 'invitation')
        insert into user_links (token_hash, user_id, purpose, expires_at)
        select decode($1, 'hex'), u.id, 'invitation', now() + interval '1 hour' from users u where u.id = $2`,
        [token, userId],
      );
    await inviteAsBefore('01');
    await inviteAsBefore('02');
    await inviteUser(deployment.database, userId, BY_TEST);
    await inviteAsBefore('03');
    expect(await deployment.database.userLink.findMany({ where: { userId } })).toMatchObject([
      { tokenHash: Uint8Array.from([3]) },
    ]);
  });

  it('never manage themselves, so that none locks itself out', async () => {
    const own = `/users/${owner.userId}`;
    expect((await owner.ask('POST', `${own}/disable`)).status).toBe(409);
    expect((await owner.ask('DELETE', own)).status).toBe(409);
  });

  it('are changed with an entry in the audit log under who did it', async () => {
    const rights = { kind: 'account', role: 'viewer', accountId } as const;
    const userId = await deployment.addUser('noted@example.com', rights);
    await owner.ask('PATCH', `/users/${userId}`, { role: 'developer' });
    const { credentialId } = await deployment.database.user.findFirstOrThrow({ where: { id: owner.userId } });
    const where = { subject: userId, action: 'user.update' };
    const [entry] = await deployment.database.auditLogEntry.findMany({ where });
    expect(entry).toMatchObject({
      actor: `key:${credentialId}`,
      detail: { before: { role: 'viewer' }, after: { role: 'developer' } },
    });
  });
});

describe('the own password', () => {
  it('is changed by who knows it, and ends the other sessions', async () => {
    await deployment.addUser('me@example.com', { kind: 'operator', role: 'read' });
    const [here, there] = [await app.openSession('me@example.com'), await app.openSession('me@example.com')];
    const change = (current_password: string, password: string) =>
      here.ask('POST', '/users/me/password', { current_password, password });
    expect((await change('a wrong guess', 'another long password')).status).toBe(403);
    expect((await change(PASSWORD, 'short')).status).toBe(422);
    expect((await change(PASSWORD, 'another long password')).status).toBe(204);
    expect((await there.ask('GET', '/session')).status).toBe(401);
    expect((await here.ask('GET', '/session')).status).toBe(200);
    expect((await app.signIn({ email: 'me@example.com', password: PASSWORD })).status).toBe(401);
    expect((await app.signIn({ email: 'me@example.com', password: 'another long password' })).status).toBe(200);
  });
});

describe('links of a user', () => {
  const endings: [string, (own: TestSession, path: string, invitation: string) => Promise<Response>][] = [
    ['changes their password', (own) => own.ask('POST', '/users/me/password', NEW_PASSWORD)],
    ['is signed out', (_own, path) => owner.ask('POST', `${path}/end-sessions`)],
    ['is without a second factor', (_own, path) => owner.ask('POST', `${path}/reset-second-factor`)],
    ['joins', (_own, _path, token) => post(`/invitations/${token}`, { name: 'J', password: 'another long password' })],
  ];

  it.each(endings)('let nobody in once the user %s', async (what, end) => {
    const email = `links-${what.replaceAll(' ', '-')}@example.com`;
    const id = await deployment.addUser(email, { kind: 'account', role: 'viewer', accountId });
    const own = await app.openSession(email);
    const invited = await inviteUser(deployment.database, id, BY_TEST);
    const signIn = await makeSignInLink(deployment.database, id, BY_TEST);
    const invitation = String(invited.link?.token);
    expect((await end(own, `/users/${id}`, invitation)).ok).toBe(true);
    expect((await app.request(`/invitations/${invitation}`)).status).toBe(404);
    expect((await post('/session/one-time', { token: signIn.link?.token })).status).toBe(401);
  });
});

describe('a session that is being opened', () => {
  const endings: [string, (own: TestSession, path: string) => Promise<Response>][] = [
    ['changes their password', (own) => own.ask('POST', '/users/me/password', NEW_PASSWORD)],
    ['ends their other sessions', (own) => own.ask('DELETE', '/session/others')],
    ['is disabled', (_own, path) => owner.ask('POST', `${path}/disable`)],
    ['is reset', (_own, path) => owner.ask('POST', `${path}/reset`)],
    ['is signed out', (_own, path) => owner.ask('POST', `${path}/end-sessions`)],
    ['is without a second factor', (_own, path) => owner.ask('POST', `${path}/reset-second-factor`)],
  ];

  it.each(endings)('counts for nothing once its user %s', async (what, end) => {
    const email = `${what.replaceAll(' ', '-')}@example.com`;
    const id = await deployment.addUser(email, { kind: 'account', role: 'viewer', accountId });
    const own = await app.openSession(email);
    let opened: Promise<Response> | undefined;
    let ended: Promise<Response> | undefined;
    await holdTransaction(deployment.database, async (other) => {
      // Locked, not changed: those who wait for a new version of the row do not get it in the order in which they came.
      await other.$queryRaw`select from users where id = ${id} for update`;
      opened = app.signIn({ email, password: PASSWORD });
      await waiting(1, opened);
      ended = end(own, `/users/${id}`);
      await waiting(2, opened);
    });
    expect((await ended)?.ok).toBe(true);
    const cookie = (await opened)?.headers.getSetCookie().join('; ') ?? '';
    await owner.ask('POST', `/users/${id}/enable`);
    expect((await app.request('/session', { cookie })).status).toBe(401);
    expect((await own.ask('GET', '/session')).status).toBe(what.startsWith('is ') ? 401 : 200);
  });

  it('by the password alone counts for nothing once a second factor is asked for', async () => {
    const email = 'half@example.com';
    const id = await deployment.addUser(email, { kind: 'operator', role: 'read' });
    let opened: Promise<Response> | undefined;
    await holdTransaction(deployment.database, async (other) => {
      await other.user.update({ where: { id }, data: { totpConfirmedAt: new Date() } });
      opened = app.signIn({ email, password: PASSWORD });
      await waiting(1, opened);
    });
    expect((await opened)?.status).toBe(401);
  });
});

const NEW_PASSWORD = { current_password: PASSWORD, password: 'another long password' };

/** Waits until so many statements wait for a lock, or the first of them has been answered: no statement waits for a lock for longer than 2 s. */
async function waiting(count: number, first?: Promise<unknown>): Promise<void> {
  let isAnswered = false;
  first?.then(
    () => (isAnswered = true),
    () => (isAnswered = true),
  );
  await until(async () => isAnswered || (await countBlocked(deployment.database)) >= count, `${count} wait for a lock`);
}

describe('the second factor', () => {
  it('is asked for once it is confirmed; no code counts twice, and a recovery code once', async () => {
    const email = 'careful@example.com';
    await deployment.addUser(email, { kind: 'operator', role: 'read' });
    const session = await app.openSession(email);
    const { secret, uri } = await dataOf(await session.ask('POST', '/users/me/totp'));
    expect(uri).toContain(`secret=${secret}`);
    expect((await app.signIn({ email, password: PASSWORD })).status).toBe(200);
    expect((await session.ask('POST', '/users/me/totp/confirm', { code: '000000' })).status).toBe(403);
    const used = totpAt(String(secret), Date.now());
    const confirmed = await dataOf(await session.ask('POST', '/users/me/totp/confirm', { code: used }));
    const codes = confirmed['recovery_codes'] as string[];
    expect([codes.length, new Set(codes).size]).toEqual([10, 10]);

    const reasonOf = async (totp?: string) => {
      const response = await app.signIn({ email, password: PASSWORD, ...(totp === undefined ? {} : { totp }) });
      return response.status === 200 ? 'in' : ((await response.json()) as { reason: string }).reason;
    };
    expect(await reasonOf()).toBe('totp_required');
    expect(await reasonOf(used)).toBe('totp_wrong');
    const next = totpAt(String(secret), Date.now() + 30_000);
    const both = await Promise.all([reasonOf(next), reasonOf(next)]);
    expect(both.sort()).toEqual(['in', 'totp_wrong']);
    expect([await reasonOf(codes[0]), await reasonOf(codes[0]?.toUpperCase())]).toEqual(['in', 'totp_wrong']);
    const wrongPassword = await app.signIn({ email, password: 'a wrong guess', totp: codes[1] });
    expect(await wrongPassword.json()).toMatchObject({ reason: 'bad_credentials' });

    const signedIn = await app.signIn({ email, password: PASSWORD, totp: codes[1] });
    const last = await sessionOf(signedIn, app.request, app.origin);
    expect((await last.ask('POST', '/users/me/totp/remove', { password: 'a wrong guess' })).status).toBe(403);
    expect((await last.ask('POST', '/users/me/totp/remove', { password: PASSWORD })).status).toBe(204);
    expect(await reasonOf()).toBe('in');
    const row = await deployment.database.user.findFirstOrThrow({ where: { email } });
    expect(row.totpSecret).toBeNull();
  });
});
