import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Deployment, dataOf, startDeployment, type TestConsole } from './test-console';

let deployment: Deployment;
let provider: ChildProcess;
let invited: TestConsole;
let mapped: TestConsole;
let accountId: string;
beforeAll(async () => {
  deployment = await startDeployment();
  accountId = await deployment.addAccount('Customer');
  await deployment.addUser('alex@customer.example', { kind: 'account', role: 'developer', accountId });
  await deployment.addUser('unverified@customer.example', { kind: 'account', role: 'owner', accountId });
  const ports = [await freePort(), await freePort()];
  const callbacks = ports.map((port) => `http://127.0.0.1:${port}/session/oidc/callback`);
  provider = spawn(process.execPath, [join(__dirname, 'oidc-provider.mjs'), callbacks.join(',')], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [issuer] = (await once(provider.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  const config = {
    OIDC_ISSUER: issuer.toString().trim(),
    OIDC_CLIENT_ID: 'console',
    OIDC_CLIENT_SECRET: 'secret-of-the-console',
  };
  invited = await deployment.startConsole({ config: { ...config, CONSOLE_PORT: ports[0] ?? 0 } });
  const roles = { OIDC_ROLE_CLAIM: 'groups', OIDC_ROLES: ['admins=operator:admin', 'readers=operator:read'] };
  mapped = await deployment.startConsole({ config: { ...config, ...roles, CONSOLE_PORT: ports[1] ?? 0 } });
});
afterAll(async () => {
  const ended = once(provider, 'exit');
  provider.kill();
  await ended;
  await deployment.stop();
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A browser: keeps cookies by host and port, and follows where it is led. */
class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();

  async open(address: string, form?: Record<string, string>): Promise<{ url: URL; response: Response }> {
    const url = new URL(address);
    const jar = this.#cookies.get(url.host) ?? new Map<string, string>();
    this.#cookies.set(url.host, jar);
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { accept: 'text/html', cookie: [...jar].map((pair) => pair.join('=')).join('; ') },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
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

  /** To the provider's forms and through them, up to the address that leads back to the console. */
  async signIn(app: TestConsole, name: string): Promise<string> {
    let at = `${app.origin}/session/oidc`;
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
      const sent = await this.open(new URL(action, url).href, { prompt, login: name, password: 'any' });
      at = new URL(sent.response.headers.get('location') ?? '', sent.url).href;
    }
    throw new Error('the provider leads nowhere');
  }
}

async function sessionAfter(app: TestConsole, name: string) {
  const browser = new Browser();
  const { response } = await browser.open(await browser.signIn(app, name));
  if (response.status !== 303) return ((await response.json()) as { reason: string }).reason;
  const session = await app.request('/session', { cookie: browser.cookieAt(app.origin) });
  return (await dataOf(session))['user'];
}

describe('a sign-in elsewhere', () => {
  it('lets in who was invited under an address that the provider vouches for, and knows them again', async () => {
    const user = { email: 'alex@customer.example', kind: 'account', role: 'developer', account_id: accountId };
    expect(await sessionAfter(invited, 'alex')).toMatchObject(user);
    await deployment.database.user.update({
      where: { email: 'alex@customer.example' },
      data: { email: 'alex.new@customer.example' },
    });
    expect(await sessionAfter(invited, 'alex')).toMatchObject({ ...user, email: 'alex.new@customer.example' });
  });

  it('lets in nobody who was not invited, or whose address nobody vouches for, or who is disabled', async () => {
    expect(await sessionAfter(invited, 'stranger')).toBe('not_invited');
    expect(await sessionAfter(invited, 'unverified')).toBe('not_invited');
    await deployment.addUser('gone@customer.example', { kind: 'account', role: 'viewer', accountId });
    const where = { email: 'gone@customer.example' };
    await deployment.database.user.update({ where, data: { disabledAt: new Date() } });
    expect(await sessionAfter(invited, 'gone')).toBe('not_invited');
  });

  it('makes users of whom the provider gives a role, and follows when it gives another', async () => {
    expect(await sessionAfter(mapped, 'kim-admins')).toMatchObject({
      kind: 'operator',
      role: 'admin',
      name: 'kim-admins',
    });
    expect(await sessionAfter(mapped, 'lee-others')).toBe('not_invited');
    const where = { email: 'kim@customer.example' };
    await deployment.database.user.update({ where, data: { role: 'billing' } });
    expect(await sessionAfter(mapped, 'kim-admins')).toMatchObject({ role: 'admin' });
    // Whose values stand for nothing any more loses what they stood for.
    await deployment.addUser('lee@customer.example', { kind: 'operator', role: 'admin' });
    expect(await sessionAfter(mapped, 'lee-others')).toBe('not_invited');
    // The same person under another subject is not the same identity.
    expect(await sessionAfter(mapped, 'kim-readers')).toBe('not_invited');
  });

  it('counts once, in the browser that began it, and only with its state', async () => {
    const browser = new Browser();
    const back = await browser.signIn(invited, 'alex');
    expect((await new Browser().open(back)).response.status).toBe(403);
    const forged = new URL(back);
    forged.searchParams.set('state', 'A'.repeat(43));
    const other = new Browser();
    await other.open(`${invited.origin}/session/oidc`);
    expect((await other.open(back)).response.status).toBe(403);
    expect((await browser.open(back)).response.status).toBe(303);
    expect((await browser.open(back)).response.status).toBe(403);
    expect((await browser.open(forged.href)).response.status).toBe(403);
  });

  it('is offered where there is a provider', async () => {
    expect(await dataOf(await invited.request('/session/methods'))).toEqual({ password: true, oidc: '/session/oidc' });
    const plain = await deployment.startConsole();
    expect(await dataOf(await plain.request('/session/methods'))).toEqual({ password: true, oidc: null });
    expect((await plain.request('/session/oidc')).status).toBe(401);
  });
});
