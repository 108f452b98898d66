import { callbackHeaders } from './sign';
import { verificationFault } from './verify';
import { newWebhookSecret } from './webhook-secret';

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
