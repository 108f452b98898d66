import { get } from 'node:http';
import { createKnownDevices } from '../src/login/known-devices';
import type { PaceOptions } from '../src/login/pace';
import { PASSWORD, startTestConsole, type TestConsole, type TestConsoleOptions, USER } from './test-console';

const UNHURRIED: PaceOptions = { burst: 100, everyMs: 1, maxWaitMs: 0 };

const open: TestConsole[] = [];
async function start(options?: TestConsoleOptions): Promise<TestConsole> {
  const started = await startTestConsole(options);
  open.push(started);
  return started;
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.stop()));
});

describe('the login', () => {
  it('leads to the health page and back out again', async () => {
    const app = await start();
    const login = await app.logIn();
    expect([login.status, login.headers.get('location')]).toEqual([303, '/']);
    const cookie = await app.openSession();
    expect((await app.request('/', { cookie })).status).toBe(200);
    const logout = await app.request('/logout', { method: 'POST', cookie, headers: { origin: app.origin } });
    expect([logout.status, logout.headers.get('location')]).toEqual([303, '/login']);
    expect(logout.headers.getSetCookie()[0]).toMatch(/^mediagate-console=;.*Expires=Thu, 01 Jan 1970/);
    expect((await app.request('/', { cookie })).status).toBe(303);
  });

  it('takes the one user with the one password and nothing near it', async () => {
    const app = await start({ limit: { address: UNHURRIED } });
    const wrong = [
      { password: 'wrong' },
      { password: '' },
      { password: `${PASSWORD} ` },
      { password: PASSWORD.toUpperCase() },
      { user: 'root' },
      { user: '' },
      { user: `${USER}\0` },
    ];
    for (const credentials of wrong) {
      const response = await app.logIn(credentials);
      expect([credentials, response.status, response.headers.getSetCookie()]).toEqual([credentials, 401, []]);
      expect(await response.text()).toContain('User name or password is wrong.');
    }
  });

  it('refuses a form that is not one', async () => {
    const app = await start({ limit: { address: UNHURRIED } });
    const post = (body: string, type = 'application/x-www-form-urlencoded') =>
      app.request('/login', { method: 'POST', body, headers: { 'content-type': type } });
    const twice = new URLSearchParams([
      ['user', USER],
      ['password', PASSWORD],
      ['password', PASSWORD],
    ]).toString();
    expect((await post(twice)).status).toBe(401);
    expect((await post(JSON.stringify({ user: USER, password: PASSWORD }), 'application/json')).status).toBe(401);
    expect((await post(`user=${USER}&password=${'x'.repeat(4096)}`)).status).toBe(413);
    expect((await app.request('/login', { method: 'POST' })).status).toBe(401);
  });

  it('sets a cookie that scripts and other sites cannot use', async () => {
    const app = await start();
    const [cookie = ''] = (await app.logIn()).headers.getSetCookie();
    expect(cookie).toMatch(/^mediagate-console=[\w-]{43}; /);
    expect(cookie).toContain('; HttpOnly');
    expect(cookie).toContain('; SameSite=Strict');
    expect(cookie).toContain('; Path=/');
    expect(cookie).not.toContain('Secure');
  });

  it('sets a cookie for https alone where the console is reached over https', async () => {
    const app = await start({ publicUrl: 'https://console.example' });
    const response = await app.logIn({}, { origin: 'https://console.example' });
    const [cookie = ''] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-mediagate-console=[\w-]{43}; /);
    expect(cookie).toContain('; Secure');
    expect(response.headers.get('strict-transport-security')).toContain('max-age=');
  });

  it('gives every login a token of its own and closes the one before in the same browser', async () => {
    const app = await start();
    const first = await app.openSession();
    const again = await app.logIn({}, { cookie: first });
    const second = again.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    expect(second).not.toBe(first);
    expect((await app.request('/', { cookie: first })).status).toBe(303);
    expect((await app.request('/', { cookie: second })).status).toBe(200);
  });

  it('says in the log who came and how it ended, and never the password', async () => {
    const app = await start();
    await app.logIn({ password: 'a wrong guess' });
    await app.logIn();
    expect(app.log.filter(({ event }) => event === 'console.login')).toMatchObject([
      { outcome: 'refused', detail: '127.0.0.1' },
      { outcome: 'accepted', detail: '127.0.0.1' },
    ]);
    expect(JSON.stringify(app.log)).not.toMatch(/wrong guess|correct horse/);
  });
});

describe('guessing', () => {
  const threeThenRefused: PaceOptions = { burst: 3, everyMs: 3_600_000, maxWaitMs: 0 };
  const fromAddress = (last: number) => ({ 'x-forwarded-for': `192.0.2.${last}` });

  it('is slowed down for the address it comes from: after some attempts each waits its turn', async () => {
    const waits: number[] = [];
    const wait = async (ms: number) => void waits.push(ms);
    const app = await start({ limit: { address: { burst: 2, everyMs: 60_000, maxWaitMs: 130_000 }, wait } });
    const statuses = [];
    for (let round = 0; round < 5; round += 1) statuses.push((await app.logIn({ password: 'wrong' })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 429]);
    expect(waits.map((ms) => Math.round(ms / 10_000))).toEqual([6, 12]);
  });

  it('is refused while too many of one address wait, the right password included, and says for how long', async () => {
    const app = await start({ limit: { address: threeThenRefused } });
    for (let round = 0; round < 3; round += 1) expect((await app.logIn({ password: 'wrong' })).status).toBe(401);
    const limited = await app.logIn();
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(3000);
    expect(limited.headers.getSetCookie()).toEqual([]);
  });

  it('gains nothing by asking at once', async () => {
    const app = await start({ limit: { address: threeThenRefused } });
    const answers = await Promise.all(Array.from({ length: 12 }, () => app.logIn({ password: 'wrong' })));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(9);
  });

  it('starts anew for who knew the password', async () => {
    const app = await start({ limit: { address: threeThenRefused } });
    for (let round = 0; round < 4; round += 1) {
      expect((await app.logIn({ password: 'wrong' })).status).toBe(401);
      expect((await app.logIn()).status).toBe(303);
    }
  });

  it('of strangers does not keep out who comes from elsewhere, as it is set by default', async () => {
    const app = await start({ trustedProxies: 1, limit: { wait: async () => undefined } });
    const guesses = Array.from({ length: 40 }, (_, last) => app.logIn({ password: 'wrong' }, fromAddress(last + 1)));
    await Promise.all(guesses);
    expect((await app.logIn({}, { 'x-forwarded-for': '198.51.100.7' })).status).toBe(303);
  });

  it('of strangers never keeps out a browser that logged in before, be it of the same address', async () => {
    const app = await start({ limit: { address: threeThenRefused } });
    const cookie = await app.knownDevice();
    await Promise.all(Array.from({ length: 20 }, () => app.logIn({ password: 'wrong' })));
    expect((await app.logIn()).status).toBe(429);
    expect((await app.logIn({}, { cookie })).status).toBe(303);
  });

  it('gains nothing by a proof that is made up, cut or of another password', async () => {
    const app = await start({ limit: { address: threeThenRefused } });
    const proof = await app.knownDevice();
    const other = (await createKnownDevices('another password')).issue();
    const forged = [`${proof}x`, proof.slice(0, -3), proof.replace('=', '=A'), `mediagate-console-device=${other}`];
    for (let round = 0; round < 3; round += 1) await app.logIn({ password: 'wrong' });
    for (const cookie of [...forged, 'mediagate-console-device=', 'mediagate-console-device=.']) {
      expect([cookie, (await app.logIn({}, { cookie })).status]).toEqual([cookie, 429]);
    }
  });

  it('by a known browser is bounded too', async () => {
    const app = await start({ limit: { address: threeThenRefused, device: threeThenRefused } });
    const cookie = await app.knownDevice();
    const guess = async () => (await app.logIn({ password: 'wrong' }, { cookie })).status;
    const statuses = [];
    for (let round = 0; round < 7; round += 1) statuses.push(await guess());
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 429]);
  });

  it('counts the network of an IPv6 address, for it has 2^64 of them', async () => {
    const app = await start({ trustedProxies: 1, limit: { address: { ...threeThenRefused, burst: 2 } } });
    const from = async (address: string) =>
      (await app.logIn({ password: 'wrong' }, { 'x-forwarded-for': address })).status;
    expect(await from('2001:db8:1:2::1')).toBe(401);
    expect(await from('2001:db8:1:2:ffff:0:0:9')).toBe(401);
    expect(await from('2001:db8:1:2:3::')).toBe(429);
    expect(await from('2001:db8:1:3::1')).toBe(401);
  });

  it('cannot name its own address where no proxy is trusted', async () => {
    const app = await start({ limit: { address: { ...threeThenRefused, burst: 2 } } });
    const from = async (last: number) => (await app.logIn({ password: 'wrong' }, fromAddress(last))).status;
    expect([await from(1), await from(2), await from(3)]).toEqual([401, 401, 429]);
  });
});

describe('a name of the console', () => {
  const statusUnder = (app: TestConsole, host: string, path = '/login') =>
    new Promise<number | undefined>((resolve, reject) => {
      const { port } = new URL(app.origin);
      get({ host: '127.0.0.1', port, path, headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).on('error', reject);
    });

  it('is loopback alone by default: a name that a stranger leads here is refused', async () => {
    const app = await start();
    for (const host of ['localhost', 'localhost:8081', '127.0.0.1:9', '[::1]:8081', 'LOCALHOST']) {
      expect([host, await statusUnder(app, host)]).toEqual([host, 200]);
    }
    for (const host of [
      'evil.example',
      'localhost.evil.example',
      '127.0.0.1.nip.example',
      '192.168.0.1',
      'a@localhost',
    ]) {
      for (const path of ['/login', '/', '/assets/console.css', '/queues']) {
        expect([host, path, await statusUnder(app, host, path)]).toEqual([host, path, 421]);
      }
    }
  });

  it('is the public one too where there is one', async () => {
    const app = await start({ publicUrl: 'https://console.example' });
    expect(await statusUnder(app, 'console.example')).toBe(200);
    expect(await statusUnder(app, 'other.example')).toBe(421);
  });
});

describe('a request that changes something', () => {
  const foreign = [{ origin: 'https://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }];

  it.each(foreign)('is refused when it comes from another site (%j)', async (headers) => {
    const app = await start();
    const cookie = await app.openSession();
    expect((await app.logIn({}, headers)).status).toBe(403);
    expect((await app.request('/logout', { method: 'POST', cookie, headers })).status).toBe(403);
    const pause = await app.request('/queues/api/queues/image/pause', { method: 'PUT', cookie, headers });
    expect(pause.status).toBe(403);
    expect((await app.request('/', { cookie })).status).toBe(200);
    expect(app.log.filter(({ event }) => event === 'console.queue_action')).toEqual([]);
  });

  it('is refused from the same name under another scheme or port', async () => {
    const app = await start();
    for (const origin of [app.origin.replace('http:', 'https:'), 'http://127.0.0.1', 'http://localhost:1']) {
      expect((await app.logIn({}, { origin })).status).toBe(403);
    }
  });

  it('comes from the public address alone where there is one', async () => {
    const app = await start({ publicUrl: 'https://console.example/' });
    expect((await app.logIn()).status).toBe(403);
    expect((await app.logIn({}, { origin: 'https://console.example' })).status).toBe(303);
  });
});
