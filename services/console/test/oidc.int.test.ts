import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { UserRights } from '@mediagate/contracts';
import { createUser, inviteUser } from '@mediagate/identity';
import { runSql } from '@mediagate/testkit';
import { freePort } from '@mediagate/testkit/servers';
import { type Deployment, dataOf, PASSWORD, startDeployment, type TestConsole } from './test-console';

let deployment: Deployment;
const providers: ChildProcess[] = [];
let invited: TestConsole;
let mapped: TestConsole;
let trusting: TestConsole;
let mistaken: TestConsole;
let accountId: string;
beforeAll(async () => {
  deployment = await startDeployment();
  accountId = await deployment.addAccount('Customer');
  await invite('alex@customer.example', { kind: 'account', role: 'developer', accountId });
  await invite('unverified@customer.example', { kind: 'account', role: 'owner', accountId });
  const ports = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  const callbacks = ports.map((port) => `http://127.0.0.1:${port}/session/oidc/callback`).join(',');
  const config = { OIDC_CLIENT_ID: 'console', OIDC_CLIENT_SECRET: 'secret-of-the-console' };
  const both = { ...config, OIDC_ISSUER: await startProvider(callbacks) };
  const basicAlone = { ...config, OIDC_ISSUER: await startProvider(callbacks, 'client_secret_basic') };
  const roles = { OIDC_ROLE_CLAIM: 'groups', OIDC_ROLES: ['admins=operator:admin', 'readers=operator:read'] };
  const start = (port: number | undefined, more: object) =>
    deployment.startConsole({ config: { ...more, CONSOLE_PORT: port ?? 0 } });
  invited = await start(ports[0], both);
  mapped = await start(ports[1], { ...both, ...roles });
  const path = { OIDC_TRUST_EMAIL: true, OIDC_ROLE_CLAIM: 'realm_access.roles' };
  trusting = await start(ports[2], { ...basicAlone, ...roles, ...path });
  mistaken = await start(ports[3], { ...basicAlone, OIDC_CLIENT_SECRET: 'another-secret' });
});
afterAll(async () => {
  for (const provider of providers) {
    const ended = once(provider, 'exit');
    provider.kill();
    await ended;
  }
  await deployment.stop();
});

async function startProvider(...words: string[]): Promise<string> {
  const program = join(__dirname, 'oidc-provider.mjs');
  const provider = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'ignore'] });
  providers.push(provider);
  const [issuer] = (await once(provider.stdout, 'data')) as [Buffer];
  return issuer.toString().trim();
}

/** Adds a user without a password, like one who has not accepted the invitation. */
async function invite(email: string, rights: UserRights): Promise<void> {
  const id = await deployment.addUser(email, rights);
  await deployment.database.user.update({ where: { id }, data: { passwordHash: null } });
}

interface Choice {
  account?: string;
  joins?: boolean;
}

/** A browser: keeps cookies by host and port, and follows where it is led. */
class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();

  async open(address: string, sent: RequestInit = {}): Promise<{ url: URL; response: Response }> {
    const url = new URL(address);
    const jar = this.#cookies.get(url.host) ?? new Map<string, string>();
    this.#cookies.set(url.host, jar);
    const response = await fetch(url, {
      redirect: 'manual',
      ...sent,
      headers: { accept: 'text/html', ...sent.headers, cookie: [...jar].map((pair) => pair.join('=')).join('; ') },
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split(/=(.*)/s);
      if (value === '' || cookie.includes('Expires=Thu, 01 Jan 1970')) jar.delete(name);
      else jar.set(name, value);
    }
    return { url, response };
  }

  cookieAt(origin: string): string {
    return [...(this.#cookies.get(new URL(origin).host) ?? [])].map((pair) => pair.join('=')).join('; ');
  }

  /** Posts as the page does. */
  async post(app: TestConsole, path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
    const sent = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
    return (await this.open(`${app.origin}${path}`, { ...sent, body: JSON.stringify(body) })).response;
  }

  async begin(app: TestConsole, choice: Choice = {}): Promise<string> {
    return String((await dataOf(await this.post(app, '/session/oidc', choice)))['url']);
  }

  /** Goes through the provider's forms, up to the address that leads back to the console. */
  async signIn(app: TestConsole, name: string, choice?: Choice): Promise<string> {
    let at = await this.begin(app, choice);
    for (let step = 0; step < 20; step += 1) {
      if (at.includes('/session/oidc/callback')) return at;
      const { url, response } = await this.open(at);
      if (response.status < 400 && response.headers.has('location')) {
        at = new URL(response.headers.get('location') ?? '', url).href;
        continue;
      }
      const text = await response.text();
      const action = /<form[^>]* action="([^"]+)"/.exec(text)?.[1] ?? '';
      const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1] ?? '';
      const sent = await this.open(new URL(action, url).href, {
        method: 'POST',
        body: new URLSearchParams({ prompt, login: name, password: 'any' }),
      });
      at = new URL(sent.response.headers.get('location') ?? '', sent.url).href;
    }
    throw new Error('the provider leads nowhere');
  }
}

/** The user who is signed in, or the place where the page is opened instead. */
async function sessionAfter(app: TestConsole, name: string, choice?: Choice, browser = new Browser()) {
  const { response } = await browser.open(await browser.signIn(app, name, choice));
  expect(response.status).toBe(303);
  const place = response.headers.get('location');
  if (place !== '/') return place;
  const session = await app.request('/session', { cookie: browser.cookieAt(app.origin) });
  return (await dataOf(session))['user'];
}

/** Signs in to an account that is named, and joins it. */
const joinedAfter = (name: string, account = accountId) => sessionAfter(invited, name, { account, joins: true });

async function accountsIn(browser: Browser, query = ''): Promise<unknown> {
  return dataOf((await browser.open(`${invited.origin}/session/oidc/accounts${query}`)).response);
}

const place = (account: string, name: string, joined = false) => ({
  account,
  name,
  joined,
  invited_at: expect.any(Number),
  invited_by: null,
});

describe('a sign-in elsewhere', () => {
  it('lets in who was invited under an address that the provider vouches for, and knows them again', async () => {
    const user = { email: 'alex@customer.example', kind: 'account', role: 'developer', account_id: accountId };
    expect(await joinedAfter('alex')).toMatchObject(user);
    await deployment.database.user.updateMany({
      where: { email: 'alex@customer.example' },
      data: { email: 'alex.new@customer.example' },
    });
    expect(await sessionAfter(invited, 'alex')).toMatchObject({ ...user, email: 'alex.new@customer.example' });
  });

  it('lets in nobody who was not invited, or whose address nobody vouches for, or who is disabled', async () => {
    expect(await sessionAfter(invited, 'stranger')).toBe('/?elsewhere=not_invited');
    expect(await sessionAfter(invited, 'unverified')).toBe('/?elsewhere=address_not_verified');
    expect(await sessionAfter(invited, 'silent')).toBe('/?elsewhere=address_not_verified');
    await invite('gone@customer.example', { kind: 'account', role: 'viewer', accountId });
    const where = { email: 'gone@customer.example' };
    await deployment.database.user.updateMany({ where, data: { disabledAt: new Date() } });
    expect(await sessionAfter(invited, 'gone')).toBe('/?elsewhere=not_invited');
  });

  it('asks whom an account has invited whether they join it, whatever address the page was opened at', async () => {
    const browser = new Browser();
    await invite('asked@customer.example', { kind: 'account', role: 'owner', accountId });
    expect(await sessionAfter(invited, 'asked', undefined, browser)).toBe('/?elsewhere=invited');
    expect(await accountsIn(browser)).toEqual([place(accountId, 'Customer')]);
    expect(await accountsIn(new Browser())).toEqual([]);
    const named = { account: accountId };
    expect(await sessionAfter(invited, 'asked', named, browser)).toBe(`/?elsewhere=invited&account=${accountId}`);
    expect(await sessionAfter(invited, 'asked', { ...named, joins: true }, browser)).toMatchObject({
      account_id: accountId,
    });
    expect(await sessionAfter(invited, 'asked')).toMatchObject({ account_id: accountId });
  });

  it('lets in whom several have invited where they join, asks them where from then on, and not at those that disabled them', async () => {
    const another = await deployment.addAccount('Another');
    const email = 'twice@customer.example';
    for (const each of [accountId, another]) await invite(email, { kind: 'account', role: 'viewer', accountId: each });
    const browser = new Browser();
    expect(await sessionAfter(invited, 'twice', { joins: true }, browser)).toBe('/?elsewhere=invited');
    expect(await accountsIn(browser)).toEqual([place(another, 'Another'), place(accountId, 'Customer')]);
    for (const each of [another, accountId])
      expect(await joinedAfter('twice', each)).toMatchObject({ account_id: each });
    expect(await sessionAfter(invited, 'twice', undefined, browser)).toBe('/?elsewhere=several');
    expect(await accountsIn(browser)).toEqual([place(accountId, 'Customer', true), place(another, 'Another', true)]);
    const data = { disabledAt: new Date() };
    await deployment.database.user.updateMany({ where: { email, accountId }, data });
    expect(await sessionAfter(invited, 'twice')).toMatchObject({ account_id: another });
    expect(await joinedAfter('twice')).toBe(`/?elsewhere=not_invited&account=${accountId}`);
  });

  it('names at most 20 invitations, the newest first, by whom and when, and every one by its account', async () => {
    const email = 'many@customer.example';
    const rights = { kind: 'account', role: 'viewer', accountId } as const;
    await invite(email, rights);
    const inviter = await deployment.addUser('boss@customer.example', { ...rights, role: 'owner' });
    const data = { credentialId: 'key-of-the-boss', credentialSecret: Buffer.from('sealed') };
    await deployment.database.user.update({ where: { id: inviter }, data });
    let newest = '';
    for (let count = 1; count <= 20; count += 1) {
      newest = await deployment.addAccount(`Account ${count}`);
      const user = { email, name: 'many', rights: { ...rights, accountId: newest } };
      await createUser(deployment.database, user, { actor: 'key:key-of-the-boss' });
    }
    const browser = new Browser();
    await sessionAfter(invited, 'many', undefined, browser);
    const listed = (await accountsIn(browser)) as { name: string }[];
    expect(listed).toHaveLength(20);
    // Invitations of one millisecond stand in any order; the oldest is the one that is left out.
    expect(listed).toContainEqual({ ...place(newest, 'Account 20'), invited_by: 'boss@customer.example' });
    expect(listed.map(({ name }) => name)).not.toContain('Customer');
    expect(await accountsIn(browser, `?account=${accountId}`)).toEqual([place(accountId, 'Customer')]);
  });

  it('lets in nobody by address alone who has a password, until they have signed in with it', async () => {
    const email = 'taken@customer.example';
    const id = await deployment.addUser(email, { kind: 'account', role: 'viewer', accountId });
    const identityOf = async () => (await deployment.database.user.findUnique({ where: { id } }))?.identity;
    const browser = new Browser();
    expect(await sessionAfter(invited, 'taken', undefined, browser)).toBe('/?elsewhere=password_first');
    expect((await invited.request('/session', { cookie: browser.cookieAt(invited.origin) })).status).toBe(401);
    // Neither another browser's password ties them, nor that of another address.
    expect((await invited.signIn({ email, password: PASSWORD })).status).toBe(200);
    await deployment.addUser('other@customer.example', { kind: 'account', role: 'viewer', accountId });
    const other = new Browser();
    await sessionAfter(invited, 'taken', undefined, other);
    await other.post(invited, '/session', { email: 'other@customer.example', password: PASSWORD });
    expect(await identityOf()).toBeNull();
    expect((await browser.post(invited, '/session', { email, password: PASSWORD })).status).toBe(200);
    expect(await identityOf()).toMatch(/ taken$/);
    expect(await sessionAfter(invited, 'taken')).toMatchObject({ id });
    const where = { email: 'other@customer.example', identity: { not: null } };
    expect(await deployment.database.user.count({ where })).toBe(0);
  });

  it('ends the links of whom it lets in', async () => {
    await invite('linked@customer.example', { kind: 'account', role: 'viewer', accountId });
    const { id } = await deployment.database.user.findFirstOrThrow({ where: { email: 'linked@customer.example' } });
    await inviteUser(deployment.database, id, { actor: 'system' });
    expect(await joinedAfter('linked')).toMatchObject({ id });
    expect(await deployment.database.userLink.count({ where: { userId: id } })).toBe(0);
  });

  it('is begun by the page alone, and by nobody who is signed in', async () => {
    const opened = await invited.request('/session/oidc');
    expect([opened.status, opened.headers.getSetCookie()]).toEqual([401, []]);
    const foreign = { 'sec-fetch-site': 'cross-site' };
    const refused = await new Browser().post(invited, '/session/oidc', {}, foreign);
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([403, []]);
    const browser = new Browser();
    const email = 'here@customer.example';
    await deployment.addUser(email, { kind: 'account', role: 'viewer', accountId });
    await browser.post(invited, '/session', { email, password: PASSWORD });
    expect(await browser.begin(invited)).toBe('/');
  });

  it('makes users of whom the provider gives a role, and follows when it gives another', async () => {
    expect(await sessionAfter(mapped, 'kim-admins')).toMatchObject({
      kind: 'operator',
      role: 'admin',
      name: 'kim-admins',
    });
    expect(await sessionAfter(mapped, 'lee-others')).toBe('/?elsewhere=no_role');
    const where = { email: 'kim@customer.example' };
    await deployment.database.user.updateMany({ where, data: { role: 'billing' } });
    expect(await sessionAfter(mapped, 'kim-admins')).toMatchObject({ role: 'admin' });
    // A user whose values of the claim no longer stand for rights loses the rights that they stood for.
    await deployment.addUser('lee@customer.example', { kind: 'operator', role: 'admin' });
    expect(await sessionAfter(mapped, 'lee-others')).toBe('/?elsewhere=no_role');
    // The same person under another subject is not the same identity.
    expect(await sessionAfter(mapped, 'kim-readers')).toBe('/?elsewhere=not_invited');
  });

  it('counts where the secret goes into the header alone, roles lie deeper, and the operator trusts the addresses', async () => {
    for (const name of ['unverified', 'silent'])
      expect(await sessionAfter(trusting, `${name}-admins`)).toMatchObject({ kind: 'operator', role: 'admin' });
  });

  it('tells page and log what the provider left out, and by which claims, without their values', async () => {
    await sessionAfter(invited, 'silent');
    await sessionAfter(mapped, 'lee-others');
    const reasons = [...invited.log, ...mapped.log].flatMap(({ reason }) => reason ?? []);
    expect(reasons).toContainEqual(
      expect.stringMatching(/^email_verified is missing, and OIDC_TRUST_EMAIL .*\bemail\b/),
    );
    expect(reasons).toContainEqual(expect.stringMatching(/^groups has no value that OIDC_ROLES names; .*\bgroups\b/));
    expect(reasons.join()).not.toMatch(/others|customer\.example/);
  });

  it('that the provider refuses says so, and the log says why', async () => {
    expect(await sessionAfter(mistaken, 'alex')).toBe('/?elsewhere=refused');
    const line = mistaken.log.find(({ outcome }) => outcome === 'refused');
    expect(line).toMatchObject({ error: { cause: { error: 'invalid_client' } } });
    const browser = new Browser();
    const { origin: iss, searchParams } = new URL(await browser.begin(mistaken));
    const denied = new URLSearchParams({ error: 'access_denied', iss, state: searchParams.get('state') ?? '' });
    const { response } = await browser.open(`${mistaken.origin}/session/oidc/callback?${denied}`);
    expect(response.headers.get('location')).toBe('/?elsewhere=refused');
  });

  it('counts once, in the browser that began it, and only with its state', async () => {
    const browser = new Browser();
    const back = await browser.signIn(invited, 'alex');
    const placeOf = async (browserOf: Browser, address: string) =>
      (await browserOf.open(address)).response.headers.get('location');
    const refused = '/?elsewhere=not_proven';
    expect(await placeOf(new Browser(), back)).toBe(refused);
    const forged = new URL(back);
    forged.searchParams.set('state', 'A'.repeat(43));
    const other = new Browser();
    await other.begin(invited);
    expect(await placeOf(other, back)).toBe(refused);
    expect(await placeOf(browser, back)).toBe('/');
    expect(await placeOf(browser, back)).toBe(refused);
    expect(await placeOf(browser, forged.href)).toBe(refused);
  });

  it('that cannot be looked at leads back to the page, too', async () => {
    const browser = new Browser();
    const back = await browser.signIn(invited, 'alex');
    await runSql(deployment.database, 'alter table users rename to users_away');
    try {
      const { response } = await browser.open(back);
      expect([response.status, response.headers.get('location')]).toEqual([303, '/?elsewhere=unavailable']);
    } finally {
      await runSql(deployment.database, 'alter table users_away rename to users');
    }
  });

  it('is offered where there is a provider', async () => {
    expect(await dataOf(await invited.request('/session/methods'))).toEqual({ password: true, oidc: '/session/oidc' });
    const plain = await deployment.startConsole();
    expect(await dataOf(await plain.request('/session/methods'))).toEqual({ password: true, oidc: null });
    expect((await plain.request('/session/oidc')).status).toBe(401);
  });
});
