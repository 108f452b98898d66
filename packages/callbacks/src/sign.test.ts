import { createHmac } from 'node:crypto';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { callbackHeaders, newWebhookSecret, signHeaders, verificationFault } from './sign';

/** Examples that others published: the scheme's own, and a vendor's whose callbacks follow it. */
const PUBLISHED = [
  {
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestampSeconds: 1614265330,
    body: '{"test": 2432232314}',
    signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
  {
    secret: 'whsec_dGVzdHNlY3JldHRlc3RzZWNyZXR0ZXN0c2VjcmV0MTI=',
    id: '9876543210',
    timestampSeconds: 1781080794,
    body: '{"id":"1234567890","status":"succeeded","message":"","create_time":1781080778802,"update_time":1781080794151}',
    signature: 'v1,UsKlJP00XoQyOn410NM9xv34sP+Gl0jnOO9Lcpr7NJ4=',
  },
];

const ID = 'task_01jd0000000000000000000000';
const BODY = JSON.stringify({ id: ID, error: { message: 'é 雪 🌨' } });

function independentSignature(secret: string, signed: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(signed, 'utf8').digest('base64')}`;
}

describe('signHeaders', () => {
  it.each(PUBLISHED)('makes the published signature of $id', ({ secret, id, timestampSeconds, body, signature }) => {
    const headers = signHeaders({ id, timestamp: new Date(timestampSeconds * 1000), body, secrets: [secret] });
    expect(headers).toEqual({
      'webhook-id': id,
      'webhook-timestamp': String(timestampSeconds),
      'webhook-signature': signature,
    });
    expect(independentSignature(secret, `${id}.${timestampSeconds}.${body}`)).toBe(signature);
  });

  it('is what an independent HMAC of id, timestamp and body gives, for text beyond ASCII too', () => {
    const secret = newWebhookSecret();
    const timestamp = new Date(1_900_000_000_999);
    expect(signHeaders({ id: ID, timestamp, body: BODY, secrets: [secret] })['webhook-signature']).toBe(
      independentSignature(secret, `${ID}.1900000000.${BODY}`),
    );
  });

  it("passes the library's own verifier, and nothing altered does", () => {
    const secret = newWebhookSecret();
    const headers = signHeaders({ id: ID, timestamp: new Date(), body: BODY, secrets: [secret] });
    const receiver = new Webhook(secret);
    expect(receiver.verify(BODY, headers)).toEqual(JSON.parse(BODY));
    expect(() => receiver.verify(`${BODY} `, headers)).toThrow(WebhookVerificationError);
    expect(() => receiver.verify(BODY, { ...headers, 'webhook-id': 'task_other' })).toThrow(WebhookVerificationError);
    expect(() => new Webhook(newWebhookSecret()).verify(BODY, headers)).toThrow(WebhookVerificationError);
  });

  it('during a rotation passes at receivers that know the new secret and at those that know the old one', () => {
    const [current, previous] = [newWebhookSecret(), newWebhookSecret()];
    const headers = signHeaders({ id: ID, timestamp: new Date(), body: BODY, secrets: [current, previous] });
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
    expect(new Webhook(current).verify(BODY, headers)).toEqual(JSON.parse(BODY));
    expect(new Webhook(previous).verify(BODY, headers)).toEqual(JSON.parse(BODY));
  });

  it('refuses to sign with what is no secret', () => {
    expect(() => signHeaders({ id: ID, timestamp: new Date(), body: BODY, secrets: ['whsec_'] })).toThrow(/empty/);
  });

  it('refuses to send unsigned', () => {
    expect(() => signHeaders({ id: ID, timestamp: new Date(), body: BODY, secrets: [] })).toThrow(/without a secret/);
  });
});

describe('newWebhookSecret', () => {
  it('is whsec_ and the base64 of 24 to 32 bytes, and never the same', () => {
    const secrets = Array.from({ length: 50 }, newWebhookSecret);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]+={0,2}$/);
      const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64').length;
      expect(bytes).toBeGreaterThanOrEqual(24);
      expect(bytes).toBeLessThanOrEqual(32);
    }
    expect(new Set(secrets).size).toBe(50);
  });
});

const [secret, other] = [newWebhookSecret(), newWebhookSecret()];
const body = '{"id":"task_1"}';
const signed = (secrets: string[], timestamp = new Date()) =>
  callbackHeaders({ id: 'task_1', timestamp, body, secrets });

it('finds nothing wrong with a callback of ours, by either secret of a rotation', () => {
  for (const secrets of [[secret], [other, secret]]) {
    expect(verificationFault({ headers: signed(secrets), body }, secret)).toBeUndefined();
  }
});

it.each([
  ['another secret', { headers: signed([other]), body }],
  ['another body', { headers: signed([secret]), body: '{"id":"task_2"}' }],
  ['an old time', { headers: signed([secret], new Date(Date.now() - 400_000)), body }],
  ['no signature', { headers: {}, body }],
])('says what is wrong with one of %s', (_what, callback) => {
  expect(verificationFault(callback, secret)).toEqual(expect.any(String));
});
