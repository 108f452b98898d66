import type { Endpoint } from './contract';
import { sendWithKey } from './send-with-key';

it('a call whose body cannot be read for its signature is not sent, and says so', async () => {
  const gone = Object.assign(new Error('no such file: secret-name'), { code: 'ENOENT' });
  const key = { endpoint: {} as Endpoint, credentials: { show: () => Promise.reject(gone) } };
  const send = jest.fn();
  expect(await sendWithKey(key, { signal: new AbortController().signal, send })).toEqual({
    kind: 'not_shown',
    fault: { code: 'not_accepted', detail: 'not sent: the call could not be signed: ENOENT' },
  });
  expect(send).not.toHaveBeenCalled();
});
