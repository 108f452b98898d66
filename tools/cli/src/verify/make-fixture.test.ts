import { ownProtocols } from '@mediagate/upstreams';
import { makeFixture } from './make-fixture';

it('says what a channel that signs has sent, under a key of tests', async () => {
  const endpoint = {
    channelId: 'signed',
    baseUrl: 'https://vendor.example/v1',
    apiKey: 'AKID-of-ours:secret-of-ours',
    model: 'clips',
    options: {
      http_job: {
        auth: { aws4: { region: 'eu-central-1', service: 'execute-api' } },
        start: { id: '/id' },
        status: { path: '/jobs/{id}', at: '/state', words: { done: 'succeeded' } },
      },
      templates: { clips: [{ endpoint: 'jobs', input: { prompt: { from: '/prompt' } }, output: { video: '/url' } }] },
    },
  };
  const reply = { kind: 'answer', status: 200, headers: {}, body: { kind: 'json', value: { id: '81' } } } as const;
  const outcome = { kind: 'started', externalId: '81', operation: {}, checkAfterMs: 1 } as const;
  const fixture = await makeFixture(
    { kind: 'start', subject: { prompt: 'a heron', inputs: [] }, replies: [reply], outcome },
    { protocol: 'http-job', protocols: ownProtocols(), endpoint, about: 'the start' },
  );
  expect(fixture).toMatchObject({
    wire: [
      {
        method: 'POST',
        path: '/v1/jobs',
        headers: { authorization: expect.stringContaining('Credential=key-for-tests/') },
        json: { prompt: 'a heron' },
      },
    ],
    outcome: { kind: 'started', externalId: '81' },
  });
  expect(JSON.stringify(fixture)).not.toContain('of-ours');
});
