import { createHmac } from 'node:crypto';
import type { UnsentCall } from '../contract';
import type { HmacWords } from './description';
import { hmacHeaders, hmacKey } from './hmac';

const callOf = (body: string, more: Partial<UnsentCall> = {}): UnsentCall => ({
  method: 'POST',
  url: 'https://api.example/hook',
  headers: {},
  // In two pieces, as a large body comes.
  body: () => [body.slice(0, 7), body.slice(7)].map((piece) => Buffer.from(piece)),
  ...more,
});

afterEach(() => jest.restoreAllMocks());

const SLACK =
  'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar' +
  '&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com' +
  '%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.' +
  '803a0bc887a14d10d2c447fce8b6703c';

/** Examples that others have published; bases are those of the documents. */
const PUBLISHED: [string, HmacWords, { secret: string; body: string; at: number }, Record<string, string>][] = [
  [
    'Slack’s (docs.slack.dev/authentication/verifying-requests-from-slack)',
    {
      sign: 'v0:{timestamp}:{body}',
      headers: { 'X-Slack-Signature': 'v0={signature}', 'X-Slack-Request-Timestamp': '{timestamp}' },
    },
    { secret: '8f742231b10e8888abcd99yyyzzz85a5', body: SLACK, at: 1_531_420_618_999 },
    {
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
      'x-slack-request-timestamp': '1531420618',
    },
  ],
  [
    'GitHub’s (docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries)',
    { sign: '{body}', headers: { 'X-Hub-Signature-256': 'sha256={signature}' } },
    { secret: "It's a Secret to Everybody", body: 'Hello, World!', at: 0 },
    { 'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17' },
  ],
  [
    'RFC 4231’s second, by SHA-512',
    { sign: '{body}', algorithm: 'sha512', headers: { 'X-Signature': '{signature}' } },
    { secret: 'Jefe', body: 'what do ya want for nothing?', at: 0 },
    {
      'x-signature':
        '164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554' +
        '9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737',
    },
  ],
];

it.each(PUBLISHED)('signs as in the example %s', async (_, words, { secret, body, at }, expected) => {
  jest.spyOn(Date, 'now').mockReturnValue(at);
  expect(await hmacHeaders(words, { id: '', secret }, callOf(body))).toEqual(expected);
});

it('knows each word of a call', async () => {
  jest.spyOn(Date, 'now').mockReturnValue(1_789_000_000_123);
  const sign =
    '{method}\n{path}\n{host}\n{timestamp}\n{timestamp_ms}\n{iso_time}\n{nonce}\n{body_sha256}\n{key_id}\n{body}';
  const words: HmacWords = {
    sign,
    encoding: 'base64',
    headers: { Authorization: 'HMAC {key_id}:{signature}', 'X-Nonce': '{nonce}', 'X-Body': '{body_sha256}' },
  };
  const call = callOf('{"a":1}', { method: 'PUT', url: 'http://render.internal:8080/v1/jobs/81?b=2&a=%20' });
  const headers = await hmacHeaders(words, { id: 'key-1', secret: 's' }, call);
  const nonce = headers['x-nonce'];
  const bodySha256 = '015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862';
  const signed = [
    'PUT',
    '/v1/jobs/81?b=2&a=%20',
    'render.internal:8080',
    '1789000000',
    '1789000000123',
    '2026-09-10T00:26:40.123Z',
    nonce,
    bodySha256,
    'key-1',
    '{"a":1}',
  ].join('\n');
  const signature = createHmac('sha256', 's').update(signed).digest('base64');
  expect(headers).toEqual({ authorization: `HMAC key-1:${signature}`, 'x-nonce': nonce, 'x-body': bodySha256 });
  const again = await hmacHeaders(words, { id: 'key-1', secret: 's' }, call);
  expect(again['x-nonce']).not.toBe(nonce);
});

const PAIR: HmacWords = { sign: '{body}', headers: { 'X-Key': '{key_id}', 'X-Signature': '{signature}' } };
const ALONE: HmacWords = { sign: '{body}', headers: { 'X-Signature': '{signature}' } };

it.each<[string, HmacWords, object | undefined]>([
  ['id-1:se:cret', PAIR, { id: 'id-1', secret: 'se:cret' }],
  ['id-1:se:cret\n', ALONE, { id: '', secret: 'id-1:se:cret' }],
  ['secret', PAIR, undefined],
  [':secret', PAIR, undefined],
  ['id-1:', PAIR, undefined],
])('reads the key %j', (apiKey, words, key) => {
  expect(hmacKey(apiKey, words)).toEqual(key);
});
