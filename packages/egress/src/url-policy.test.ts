import { EgressError, type EgressReason } from './egress-error';
import { createUrlPolicy, type JudgeOptions, type UrlPolicyOptions } from './url-policy';

const STRICT: UrlPolicyOptions = { allowPrivateCidrs: [], allowPorts: [80, 443], allowOrigins: [] };

function refusal(
  url: string,
  options: Partial<UrlPolicyOptions> = {},
  judge: JudgeOptions = {},
): EgressReason | 'none' {
  try {
    createUrlPolicy({ ...STRICT, ...options }).judge(url, judge);
    return 'none';
  } catch (error) {
    if (error instanceof EgressError) return error.reason;
    throw error;
  }
}

describe('a URL is judged before any socket', () => {
  it.each([
    'http://example.com',
    'https://example.com:443/a?b#c',
    'http://example.com:80/',
    'https://EXAMPLE.com./x',
    'https://bücher.example/',
    'http://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
    'http://not-localhost/',
    'http://localhost.example/',
  ])('accepts %s', (url) => expect(refusal(url)).toBe('none'));

  it.each([
    '',
    'example.com',
    '//example.com',
    'ftp://example.com',
    'file:///etc/passwd',
    'gopher://example.com',
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    'http://',
    'http://user@example.com',
    'http://:secret@example.com',
    'http://exa mple.com',
    'http://a..b/',
    'http://./',
    'http://example.com../',
    'http://1.2.3.4.5/',
    'http://256.1.1.1/',
    'http://[::1',
    'http://[fe80::1%25eth0]/',
    'http://example.com/\r\nx: y',
    'http://exam\tple.com/',
    '\u0000http://example.com/',
    `http://example.com/${'a'.repeat(8192)}`,
    `http://${'a.'.repeat(130)}example/`,
  ])('calls %p no URL to fetch', (url) => expect(refusal(url)).toBe('bad_url'));

  it.each(['http://example.com:8080', 'https://example.com:22', 'http://example.com:0', 'http://example.com:6379'])(
    'refuses the port of %s',
    (url) => expect(refusal(url)).toBe('blocked_port'),
  );

  it('takes the dot of the root out of the name, so that no rule and no certificate meets it', () => {
    const target = createUrlPolicy(STRICT).judge('https://Example.com./x');
    expect(target).toMatchObject({ hostname: 'example.com', port: 443, exempt: false, literalAddresses: undefined });
    expect(target.url.href).toBe('https://example.com/x');
  });

  it('does not start with an origin that is none', () => {
    expect(() => createUrlPolicy({ ...STRICT, allowOrigins: ['127.0.0.1:9000'] })).toThrow(TypeError);
    expect(() => createUrlPolicy({ ...STRICT, allowOrigins: ['mailto:a@example.com'] })).toThrow(TypeError);
  });
});

describe('exemptions', () => {
  it('an allowed range makes its literals public, and nothing else', () => {
    const options = { allowPrivateCidrs: ['10.0.0.0/8'] };
    expect(refusal('http://10.1.2.3/', options)).toBe('none');
    expect(refusal('http://192.168.0.1/', options)).toBe('blocked_address');
    expect(refusal('http://10.1.2.3:9000/', options)).toBe('blocked_port');
  });

  it('localhost is both loopback addresses: allowing one of them is not enough', () => {
    expect(refusal('http://localhost/', { allowPrivateCidrs: ['127.0.0.0/8'] })).toBe('blocked_address');
    expect(refusal('http://localhost/', { allowPrivateCidrs: ['127.0.0.0/8', '::1/128'] })).toBe('none');
  });

  it('an allowed origin is exempt exactly: scheme, host and port', () => {
    const options = { allowOrigins: ['http://127.0.0.1:9000/'] };
    expect(refusal('http://127.0.0.1:9000/any/path', options)).toBe('none');
    expect(refusal('http://127.1:9000/', options)).toBe('none');
    expect(refusal('http://127.0.0.1:9001/', options)).toBe('blocked_port');
    expect(refusal('https://127.0.0.1:9000/', options)).toBe('blocked_port');
    expect(refusal('http://127.0.0.1/', options)).toBe('blocked_address');
    expect(refusal('http://127.0.0.2:9000/', options)).toBe('blocked_port');
    expect(refusal('http://user@127.0.0.1:9000/', options)).toBe('bad_url');
  });

  it('only an exempt page may redirect to an exempt origin', () => {
    const policy = createUrlPolicy({ ...STRICT, allowOrigins: ['http://127.0.0.1:9000', 'http://127.0.0.1:9001'] });
    const stranger = policy.judge('http://example.com/');
    const own = policy.judge('http://127.0.0.1:9000/');
    expect(() => policy.judge('http://127.0.0.1:9001/', { redirectedFrom: stranger })).toThrow(EgressError);
    expect(policy.judge('http://127.0.0.1:9001/', { redirectedFrom: own }).exempt).toBe(true);
    expect(policy.judge('/next', { redirectedFrom: own }).url.href).toBe('http://127.0.0.1:9000/next');
  });

  it('of one call, or one of the policy itself, are no answer for another call of the same URL', () => {
    const inside = 'http://127.0.0.1:9000/file';
    const strict = createUrlPolicy(STRICT);
    expect(strict.judge(inside, { allowOrigins: ['http://127.0.0.1:9000'] }).exempt).toBe(true);
    for (let time = 0; time < 2; time += 1) expect(() => strict.judge(inside)).toThrow(EgressError);

    const own = createUrlPolicy({ ...STRICT, allowOrigins: ['http://127.0.0.1:9000'] });
    expect(own.judge(inside)).toBe(own.judge(inside));
    const stranger = own.judge('http://example.com/');
    expect(() => own.judge(inside, { redirectedFrom: stranger })).toThrow(EgressError);
  });
});
