import { inEnglish, message } from '@mediagate/contracts';
import { createGuardedClient } from '@mediagate/egress';
import {
  callbackUrl,
  canonicalHost,
  exemptionOf,
  judgeWebhook,
  type WebhookPolicy,
  withExemption,
} from './callback-url';

/** A message in words that callers know. */
const PROBLEM = { key: expect.any(String), params: expect.any(Object) };

function policyWith(
  settings: { allowOrigins?: string[]; allowPorts?: number[]; ownHosts?: string[] } = {},
): WebhookPolicy {
  const { allowOrigins = [], allowPorts = [80, 443], ownHosts = ['gateway.example.com'] } = settings;
  const client = createGuardedClient({ allowPrivateCidrs: [], allowPorts, allowOrigins });
  return { client, ownHosts, allowOrigins };
}

describe('callbackUrl', () => {
  it.each([
    ['https://r.example', 'https://r.example/callback'],
    ['https://r.example/', 'https://r.example/callback'],
    ['https://r.example/hooks', 'https://r.example/hooks/callback'],
    ['https://r.example/hooks/', 'https://r.example/hooks/callback'],
    ['https://r.example/hooks//', 'https://r.example/hooks//callback'],
    ['https://r.example/callback', 'https://r.example/callback/callback'],
    ['https://r.example/hooks?key=a%2Fb&x=/', 'https://r.example/hooks/callback?key=a%2Fb&x=/'],
    ['https://r.example?key=1', 'https://r.example/callback?key=1'],
    ['https://r.example:443/a', 'https://r.example/a/callback'],
    ['http://r.example:8080/a', 'http://r.example:8080/a/callback'],
    ['HTTPS://R.Example/A', 'https://r.example/A/callback'],
    ['https://r.example/a%20b/ü', 'https://r.example/a%20b/%C3%BC/callback'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/callback'],
    [`https://r.example/${'a'.repeat(2048 - 18)}`, `https://r.example/${'a'.repeat(2048 - 18)}/callback`],
  ])('%s gets the callback at %s', (base, url) => {
    expect(callbackUrl(base)).toEqual({ ok: true, url, host: new URL(url).host });
  });

  it.each([
    ['', 'bad_url'],
    ['r.example/hooks', 'bad_url'],
    ['/hooks', 'bad_url'],
    ['https://', 'bad_url'],
    ['https://r.example:99999', 'bad_url'],
    ['https://a b.example', 'bad_url'],
    ['ftp://r.example/', 'bad_scheme'],
    ['file:///etc/passwd', 'bad_scheme'],
    ['javascript:alert(1)', 'bad_scheme'],
    ['https://r.example/#part', 'fragment'],
    ['https://r.example/?a=1#', 'fragment'],
    ['https://r.example/\r\nx: y', 'control_character'],
    ['https://r.exa\tmple/', 'control_character'],
    ['https://r.example/\n', 'control_character'],
    ['https://r.example/\u0000', 'control_character'],
    ['https://r.example/\u007f', 'control_character'],
    [`https://r.example/${'a'.repeat(2048 - 17)}`, 'too_long'],
  ])('%j is refused as %s', (base, reason) => {
    expect(callbackUrl(base)).toEqual({ ok: false, reason, problem: PROBLEM });
  });
});

describe('judgeWebhook', () => {
  it.each([
    'https://hooks.example.org/base',
    'http://hooks.example.org',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
    'https://example.com/',
    'https://other-gateway.example.com/',
    'https://gateway.example.com.evil.example/',
  ])('%s may be called', (base) => {
    expect(judgeWebhook(base, policyWith())).toEqual(callbackUrl(base));
  });

  it.each([
    // One of each kind: the client judges all (`packages/egress/test/private-addresses.test.ts`).
    'http://127.1/',
    'http://169.254.169.254/',
    'http://[::ffff:7f00:1]/',
    'http://x.localhost/',
  ])('%s is never called: not a public address', (base) => {
    expect(judgeWebhook(base, policyWith())).toEqual({ ok: false, reason: 'blocked_address', problem: PROBLEM });
  });

  it.each([
    ['http://hooks.example.org:8080/', 'blocked_port'],
    ['https://hooks.example.org:22/', 'blocked_port'],
    ['https://user@hooks.example.org/', 'bad_url'],
    ['https://user:pass@hooks.example.org/', 'bad_url'],
    ['https://gateway.example.com@127.0.0.1/', 'bad_url'],
  ])('%s is never called: %s', (base, reason) => {
    expect(judgeWebhook(base, policyWith())).toEqual({ ok: false, reason, problem: PROBLEM });
  });

  it.each([
    'https://gateway.example.com/',
    'https://GATEWAY.Example.COM/x',
    'https://gateway.example.com./',
    'http://gateway.example.com:80/',
    'https://ｇateway.example.com/',
    'https://gateway。example。com/',
    'https://hooks.gateway.example.com/',
  ])('%s is never called: own domain', (base) => {
    expect(judgeWebhook(base, policyWith())).toEqual({
      ok: false,
      reason: 'own_domain',
      problem: message('url_own_domain'),
    });
  });

  it('knows an own domain in any spelling the operator gives, and an own address', () => {
    for (const ownHost of ['GÄTEWAY.example.', 'xn--gteway-bua.example', 'gäteway.example:8443']) {
      expect(judgeWebhook('https://gäteway.example/', policyWith({ ownHosts: [ownHost] }))).toMatchObject({
        ok: false,
      });
    }
    const policy = policyWith({ ownHosts: ['8.8.4.4', '[2606:4700::1]'] });
    expect(judgeWebhook('https://8.8.1028/', policy)).toEqual({
      ok: false,
      reason: 'own_domain',
      problem: message('url_own_domain'),
    });
    expect(judgeWebhook('https://[2606:4700:0::1]/', policy)).toEqual({
      ok: false,
      reason: 'own_domain',
      problem: message('url_own_domain'),
    });
  });

  it('takes a further port when the operator allows it', () => {
    expect(judgeWebhook('https://r.example:8443', policyWith({ allowPorts: [80, 443, 8443] }))).toMatchObject({
      ok: true,
    });
  });

  it('exempts an allowed origin from the rules on addresses, ports and own hosts, and nothing beside it', () => {
    const policy = policyWith({ allowOrigins: ['http://127.0.0.1:9000'], ownHosts: ['127.0.0.1'] });
    expect(judgeWebhook('http://127.0.0.1:9000/hooks', policy)).toEqual({
      ok: true,
      url: 'http://127.0.0.1:9000/hooks/callback',
      host: '127.0.0.1:9000',
    });
    for (const base of [
      'http://127.0.0.1:9001/',
      'https://127.0.0.1:9000/',
      'http://localhost:9000/',
      'http://127.0.0.1/',
    ]) {
      expect(judgeWebhook(base, policy)).toMatchObject({ ok: false });
    }
  });
});

describe('canonicalHost', () => {
  it('folds case, punycode, port and trailing dot, and knows what is no host', () => {
    expect(canonicalHost('BÜCHER.example.:8080')).toBe('xn--bcher-kva.example');
    expect(canonicalHost('a b')).toBeUndefined();
  });
});

const PORT_PROBLEM = message('port', { port: 9000 });

describe('an address that no callback goes to', () => {
  it.each(['blocked_address', 'blocked_port', 'own_domain'])(
    'is in the log with the variable that allows it: %s',
    (reason) => {
      expect(exemptionOf({ url: 'http://localhost:9000/a/callback', reason })).toBe(
        'http://localhost:9000 is called once CALLBACK_ALLOW_ORIGINS names it',
      );
    },
  );

  it('is in the log without it where no variable would help', () => {
    expect(exemptionOf({ url: 'no URL', reason: 'bad_url' })).toBeUndefined();
  });

  it.each([
    'http://localhost:9000',
    'http://[::1]:9000',
    'http://192.168.1.5:9000',
    'http://receiver:9000',
    'https://hooks.example:9000',
  ])('is told to its caller by its whole origin, with the variable: %s', (url) => {
    expect(inEnglish(withExemption(PORT_PROBLEM, { url: `${url}/hooks`, reason: 'blocked_port' }))).toBe(
      `Port 9000 is not allowed. Whoever runs this service lets callbacks go to ${url} by naming it in CALLBACK_ALLOW_ORIGINS.`,
    );
  });

  it.each([
    ['http://localhost/a#b', 'fragment'],
    ['nothing', 'blocked_address'],
  ])('is told as it is elsewhere: %s', (url, reason) => {
    expect(withExemption(PORT_PROBLEM, { url, reason })).toBe(PORT_PROBLEM);
  });
});
