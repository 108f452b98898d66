import { describeError, redact, redactValue } from './redact';

const SECRET = 'd9f1c0ffee5ec4e7d9f1c0ffee5ec4e7d9f1c0ffee5ec4e7d9f1c0ffee5ec4e7';

/** Texts as libraries and vendors write them, each with one secret in it. */
const TEXTS: readonly [what: string, text: string][] = [
  ['an API key', `no such key mg_0a1b2c3d4e5f_${SECRET}`],
  ['a test key', `no such key mg_test_0a1b2c3d4e5f_${SECRET}`],
  ['a webhook secret', `signed with whsec_${SECRET}+/=`],
  ['a webhook secret in the URL-safe alphabet', `signed with whsec_-_${SECRET}`],
  ['a bearer token', `{"authorization":"Bearer ${SECRET}"}`],
  ['a bearer token alone', `sent bearer ${SECRET} twice`],
  ['basic credentials', `Authorization: Basic ${SECRET}`],
  ['a bare authorization header', `authorization=${SECRET}`],
  ['a vendor’s key header', `x-goog-api-key: ${SECRET}`],
  ['a vendor’s key', `Incorrect API key provided: sk-proj-${SECRET}`],
  ['the signature of a link', `GET https://a.example/v1/files/1.png?expires=1&signature=${SECRET}`],
  ['the signature of a storage link', `https://s3.example/a?X-Amz-Expires=9&X-Amz-Signature=${SECRET}`],
  ['a key in a query', `https://vendor.example/v1?alt=json&key=${SECRET}`],
  ['a data URL', `cannot read data:image/png;base64,${SECRET}`],
  ['a data URL with parameters', `cannot read data:text/plain;charset=utf-8;base64,${SECRET}`],
  ['a data URL without base64', `cannot read data:text/plain,${SECRET}`],
  ['a password of PostgreSQL', `connect postgresql://app:${SECRET}@db:5432/app`],
  ['a password with an at sign and a slash', `connect postgres://app:p@ss/${SECRET}@db:5432/app`],
  ['a password of Redis', `connect rediss://:${SECRET}@cache:6379`],
  ['a password in any URL', `proxy http://user:${SECRET}@proxy.example:3128`],
];

describe.each(TEXTS)('%s', (_what, text) => {
  it('is not shown, and the rest is', () => {
    const clean = redact(text);
    expect(clean).not.toContain(SECRET.slice(0, 8));
    expect(clean).toContain('***');
    expect(clean).toContain(text.slice(0, 3).replace(/mg_|Inc/, ''));
  });

  it('is not shown when the cut falls into it', () => {
    for (const limit of [500, 16_384]) {
      const padded = `${'word '.repeat(limit / 5 - 8)}${text}`;
      expect(redact(padded)).not.toContain(SECRET.slice(0, 8));
      expect(redact(`${'x'.repeat(limit - 40)} ${text}`)).not.toContain(SECRET.slice(0, 8));
    }
  });

  it('is not shown anywhere in an error: message, second line, cause, stack', () => {
    const errors = [
      new Error(text),
      new Error(`first line\n${text}\n    at ${text}`),
      new Error('outer', { cause: new Error(`middle`, { cause: new Error(text) }) }),
      new Error('outer', { cause: text }),
      new AggregateError([new Error(text)], 'several'),
      Object.assign(new Error('plain'), { stack: `Error: plain\n    at eval (${text})` }),
      Object.assign(new Error('plain'), { config: { headers: text }, response: text }),
    ];
    for (const error of errors) {
      expect(describeError(error)).not.toContain(SECRET.slice(0, 8));
      expect(JSON.stringify(redactValue({ settings: { nested: [error] } }))).not.toContain(SECRET.slice(0, 8));
    }
  });

  it('is not shown in nested settings', () => {
    expect(JSON.stringify(redactValue({ a: { b: [{ c: text }] } }))).not.toContain(SECRET.slice(0, 8));
  });
});

describe('redaction', () => {
  it('leaves what is no secret as it is', () => {
    const text =
      'task task_01 of key 0a1b2c3d4e5f: GET https://a.example/v1/files/1.png?size=2 took 3 ms, user@example.org';
    expect(redact(text)).toBe(text);
    const fields = { keyId: '0a1b2c3d4e5f', count: 3, tokens: ['in', 'out'], done: true, nothing: null };
    expect(redactValue(fields)).toEqual(fields);
  });

  it('hides a field that is called a secret, whatever it looks like', () => {
    const fields = { linkSecret: 'a', PASSWORD: 'b', MEDIAGATE_KEY_PEPPER: 'c', api_key: 'd', authorization: ['e'] };
    expect(Object.values(redactValue(fields) as object)).toEqual(Array(5).fill('***'));
  });

  it('shows an object of a class by its kind alone, and ends at a depth', () => {
    const circular: Record<string, unknown> = { buffer: Buffer.from('text'), map: new Map([['a', 'b']]) };
    circular['self'] = circular;
    const shown = JSON.stringify(redactValue(circular));
    expect(shown).toContain('"buffer":"[object]","map":"[object]"');
    expect(shown).toContain('…');
  });

  it('drops the beginning of a secret whose end lies beyond what is searched', () => {
    const dataUrl = `data:image/png;base64,${'A'.repeat(16_384 - 60)}`;
    expect(redact(`${dataUrl} postgres://app:${SECRET}@db/app`)).toBe('*** …');
  });

  it('makes one line of several and keeps to its length', () => {
    expect(redact('first\r\n    second')).toBe('first second');
    expect(redact('x'.repeat(501))).toBe(`${'x'.repeat(500)}…`);
  });

  it('names an error, its cause and its first five frames', () => {
    const error = new TypeError('outer', { cause: new RangeError('inner') });
    const described = describeError(error);
    expect(described).toMatch(/^TypeError: outer at .+ <- RangeError: inner$/);
    expect(described.match(/ at /g)?.length).toBeLessThanOrEqual(5);
  });

  it('shows of a plain object that was thrown its texts and numbers, without secrets and without what is nested', () => {
    const cause = {
      error: 'invalid_client',
      error_description: 'use basic',
      status: 401,
      client_secret: 'x',
      body: { a: 1 },
    };
    const described = describeError(new Error('refused', { cause }));
    expect(described).toMatch(
      /<- {"error":"invalid_client","error_description":"use basic","status":401,"client_secret":"\*{3}"}$/,
    );
    for (const thrown of [{ body: { a: 1 } }, new Map([['a', 'b']]), 7])
      expect(describeError(thrown)).toMatch(/^\[thrown \w+\]$/);
  });

  it('takes time in proportion to the text, not to its square', () => {
    const hostile = ['redis://', '://', 'a-', 'data:', 'mg_aaaaaa', '?key', 'bearer '].map((part) => part.repeat(1e6));
    const before = process.cpuUsage();
    for (const text of hostile) redact(text);
    // Counts time of the processor: the clock would also count what other processes take.
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(2000);
  });
});
