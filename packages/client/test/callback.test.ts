import { Webhook } from 'standardwebhooks';
import { InvalidCallbackError, MediagateError, verifyCallback } from '../src/index.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const BODY = '{"id":"task_1","status":"completed","title":"Über"}';

/** The headers as the gateway sends them; with two secrets they carry a signature by each. */
function headersOf(sentAt = new Date(), secrets = [SECRET]) {
  return {
    'webhook-id': 'task_1',
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign('task_1', sentAt, BODY)).join(' '),
  };
}

it.each([
  ['headers of Node and a text', headersOf(), BODY],
  ['headers of fetch and bytes', new Headers(headersOf()), new TextEncoder().encode(BODY)],
  ['signatures by two secrets', headersOf(new Date(), [OTHER, SECRET]), BODY],
])('a callback is verified by %s', async (_what, headers, body) => {
  expect(await verifyCallback({ headers, body, secret: SECRET })).toMatchObject({ id: 'task_1', title: 'Über' });
});

const MINUTES_MS = 60_000;
const { 'webhook-signature': _left, ...unsigned } = headersOf();

it.each([
  ['another body', { body: BODY.replace('1', '2') }],
  ['another secret', { secret: OTHER }],
  ['an old timestamp', { headers: headersOf(new Date(Date.now() - 6 * MINUTES_MS)) }],
  ['a timestamp to come', { headers: headersOf(new Date(Date.now() + 6 * MINUTES_MS)) }],
  ['a timestamp that is none', { headers: { ...headersOf(), 'webhook-timestamp': 'now' } }],
  [
    'another timestamp',
    { headers: { ...headersOf(), 'webhook-timestamp': headersOf(new Date(Date.now() - 60_000))['webhook-timestamp'] } },
  ],
  [
    'another version of signatures',
    { headers: { ...headersOf(), 'webhook-signature': headersOf()['webhook-signature'].replace('v1', 'v2') } },
  ],
  ['a signature that is no base64', { headers: { ...headersOf(), 'webhook-signature': 'v1,%' } }],
  ['no signature', { headers: unsigned }],
])('a callback with %s is refused', async (_what, altered) => {
  const callback = { headers: headersOf(), body: BODY, secret: SECRET, ...altered };
  await expect(verifyCallback(callback)).rejects.toBeInstanceOf(InvalidCallbackError);
});

it('a secret that cannot be one is the receiver’s fault, and not the callback’s', async () => {
  const verified = verifyCallback({ headers: headersOf(), body: BODY, secret: 'whsec_%' });
  await expect(verified).rejects.toThrow(new MediagateError('The secret is not `whsec_` and base64.'));
});
