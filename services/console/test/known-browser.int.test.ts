import { createHash } from 'node:crypto';
import { setPassword } from '@mediagate/identity';
import { forAllTests } from '@mediagate/testkit';
import type { SignInLimitOptions } from '../src/session/sign-in-limit';
import { dataOf, NO_LIMIT, PASSWORD, startDeployment, type TestConsole } from './test-console';
import { totpAt } from './totp-at';

const THREE = { burst: 3, everyMs: 3_600_000, maxWaitMs: 0 };
/** Strangers find every user's pace used up. */
const NO_STRANGERS: SignInLimitOptions = { ...NO_LIMIT, user: { ...THREE, burst: 0 } };
const OWN_PASSWORD = 'a password of their own';
const BY_TEST = { actor: 'system' };

let app: TestConsole;
let accountId: string;
const deployment = forAllTests(startDeployment);
beforeAll(async () => {
  app = await deployment.startConsole({ limit: NO_LIMIT });
  accountId = await deployment.addAccount('Customer');
});

/** The proof that the browser keeps of a sign-in, without its session. */
async function deviceOf(signedIn: Promise<Response>): Promise<string> {
  const response = await signedIn;
  expect(response.status).toBe(200);
  return (
    response.headers
      .getSetCookie()
      .find((each) => each.includes('-device='))
      ?.split(';')[0] ?? ''
  );
}

/** An operator, and the user of an account that its owner made with the same address and a password of their own. */
async function addBesideOperator(email: string): Promise<{ operatorId: string; userId: string }> {
  const operatorId = await deployment.addUser(email, { kind: 'operator', role: 'admin' });
  const userId = await deployment.addUser(email, { kind: 'account', role: 'viewer', accountId });
  await setPassword(deployment.database, { userId, password: OWN_PASSWORD }, BY_TEST);
  return { operatorId, userId };
}

describe('a browser that one user is known in', () => {
  it.each([
    ['that names the place', { account: 'operators' }],
    ['that names none', {}],
  ])('guesses at another user of the address by a stranger’s pace: an attempt %s', async (_name, place) => {
    const email = `guessed-${Object.keys(place).length}@example.com`;
    await addBesideOperator(email);
    const console = await deployment.startConsole({ limit: { ...NO_LIMIT, user: THREE } });
    const own = { email, password: OWN_PASSWORD, account: accountId };
    const statuses: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      // Signing in in between gains nothing, by the same browser or as a new one.
      const cookie = await deviceOf(app.signIn(own));
      statuses.push((await console.signIn({ email, password: `wrong guess ${count}`, ...place }, { cookie })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
  });

  it('guesses at the second factor of another user of the address by a stranger’s pace', async () => {
    const email = 'second-factor@example.com';
    const { operatorId } = await addBesideOperator(email);
    const session = await app.openSession(email);
    expect(session.userId).toBe(operatorId);
    const { secret } = await dataOf(await session.ask('POST', '/users/me/totp'));
    const code = totpAt(String(secret), Date.now());
    expect((await session.ask('POST', '/users/me/totp/confirm', { code })).status).toBe(200);
    const cookie = await deviceOf(app.signIn({ email, password: OWN_PASSWORD, account: accountId }));
    const console = await deployment.startConsole({ limit: { ...NO_LIMIT, user: THREE } });
    const guess = { email, password: PASSWORD, account: 'operators', totp: 'a wrong code' };
    const statuses: number[] = [];
    for (let count = 0; count < 5; count += 1) statuses.push((await console.signIn(guess, { cookie })).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
  });

  it('lets another user of the address in, by a stranger’s pace, and then knows that one', async () => {
    const email = 'two-places@example.com';
    const { operatorId } = await addBesideOperator(email);
    const cookie = await deviceOf(app.signIn({ email, password: OWN_PASSWORD }));
    const second = app.signIn({ email, password: PASSWORD }, { cookie });
    const knowsSecond = await deviceOf(second.then((response) => response.clone()));
    expect((await dataOf(await second))['user']).toMatchObject({ id: operatorId });
    const console = await deployment.startConsole({ limit: NO_STRANGERS });
    const signIn = async (password: string) =>
      (await console.signIn({ email, password }, { cookie: knowsSecond })).status;
    expect(await signIn(PASSWORD)).toBe(200);
    expect(await signIn(OWN_PASSWORD)).toBe(429);
  });

  it('counts every attempt at its user, good ones too, and stays the same browser when it signs in', async () => {
    const email = 'often@example.com';
    await deployment.addUser(email, { kind: 'account', role: 'viewer', accountId });
    const right = { email, password: PASSWORD };
    let cookie = await deviceOf(app.signIn(right));
    const console = await deployment.startConsole({ limit: { ...NO_STRANGERS, device: THREE } });
    for (let count = 0; count < 3; count += 1) cookie = await deviceOf(console.signIn(right, { cookie }));
    expect((await console.signIn(right, { cookie })).status).toBe(429);
  });

  it.each([
    ['sessions were ended', (userId: string) => deployment.database.closeSessionsOf(userId, null)],
    [
      'password was set anew',
      (userId: string) => setPassword(deployment.database, { userId, password: PASSWORD }, BY_TEST),
    ],
  ])('is a stranger’s again once the user’s %s', async (_name, change) => {
    const email = 'ended@example.com';
    await deployment.database.user.deleteMany({ where: { email } });
    const userId = await deployment.addUser(email, { kind: 'account', role: 'viewer', accountId });
    const cookie = await deviceOf(app.signIn({ email, password: PASSWORD }));
    const console = await deployment.startConsole({ limit: NO_STRANGERS });
    const signIn = async () => (await console.signIn({ email, password: PASSWORD }, { cookie })).status;
    expect(await signIn()).toBe(200);
    await change(userId);
    expect(await signIn()).toBe(429);
  });
});

it('a user has 20 sessions at most: a sign-in ends the one that was used longest ago', async () => {
  const email = 'sessions@example.com';
  const userId = await deployment.addUser(email, { kind: 'account', role: 'viewer', accountId });
  const other = await app.openSession('often@example.com');
  const sessions = [await app.openSession(email)];
  const before = new Date(Date.now() - 3_600_000);
  await deployment.database.userSession.updateMany({ where: { userId }, data: { createdAt: before } });
  for (let count = 1; count < 20; count += 1) sessions.push(await app.openSession(email));
  const [oldest, ...later] = sessions;
  const idle = later.splice(5, 1)[0];
  const seenAt = new Date(Date.now() - 1_800_000);
  const tokenHash = hashOf(idle?.cookie ?? '');
  await deployment.database.userSession.update({ where: { tokenHash }, data: { seenAt } });
  sessions.push(await app.openSession(email));
  expect(await deployment.database.userSession.count({ where: { userId } })).toBe(20);
  expect((await idle?.ask('GET', '/session'))?.status).toBe(401);
  for (const each of [oldest, ...later, other]) expect((await each?.ask('GET', '/session'))?.status).toBe(200);
});

/** The hash as which the database keeps the token of a session. */
function hashOf(cookie: string): Uint8Array<ArrayBuffer> {
  const token = /mediagate-console=([\w-]+)/.exec(cookie)?.[1] ?? '';
  return new Uint8Array(createHash('sha256').update(token).digest());
}
