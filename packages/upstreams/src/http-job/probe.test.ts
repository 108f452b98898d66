import { createHttpClient, type HttpClient, type Reply } from '../http-client';
import createHttpJob from './adapter';

const endpoint = { channelId: 'c', baseUrl: 'http://vendor.internal/v2', apiKey: 'k-1', model: 'm', options: {} };

async function probed(reply: Reply) {
  const asked: Parameters<HttpClient['send']>[0][] = [];
  const send: HttpClient['send'] = async (request) => {
    asked.push(request);
    return reply;
  };
  const { probe } = createHttpJob({ http: { ...createHttpClient(), send } });
  const seen = await probe?.({ endpoint, models: ['m'], signal: new AbortController().signal });
  return { seen, asked };
}

it('without a `probe` any answer shows that the vendor can be reached, and nothing of the key', async () => {
  const body = { kind: 'json', value: { message: 'no such path' } } as const;
  const { seen, asked } = await probed({ kind: 'answer', status: 404, headers: {}, body });
  expect(seen).toMatchObject({ reachable: true, key: 'unproved', detail: expect.stringContaining('HTTP 404') });
  expect(asked).toMatchObject([{ method: 'GET', url: 'http://vendor.internal/v2/' }]);
  expect(JSON.stringify(asked)).not.toContain('k-1');
});

it('without a `probe` a closed port is one', async () => {
  const { seen } = await probed({ kind: 'lost', sent: false, why: 'network', code: 'ECONNREFUSED' });
  expect(seen).toMatchObject({ reachable: false, key: 'unproved', detail: expect.stringContaining('ECONNREFUSED') });
});
