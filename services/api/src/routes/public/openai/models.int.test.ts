import { forAllTests } from '@mediagate/testkit';
import { startTestApi } from '../../../../test/test-api';

let key: string;

const api = forAllTests(startTestApi);
beforeAll(async () => {
  ({ key } = await api.createCaller());
});

describe.each(['/openai/v1/models', '/v1/models'])('GET %s', (path) => {
  it('lists what can be had, under ids and aliases, in OpenAI’s shape', async () => {
    const { status, body } = await api.get(path, { key });
    expect([status, body.object]).toEqual([200, 'list']);
    const ids = body.data.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(expect.arrayContaining(['imagegen-2.5-flare', 'imagefast-ext', 'ttsmodel-mini']));
    expect(new Set(ids).size).toBe(ids.length);
    expect(body.data[0]).toEqual({ id: ids[0], object: 'model', created: 0, owned_by: 'mediagate' });
  });

  it('reads one by its name, and answers 404 to another', async () => {
    expect((await api.get(`${path}/imagefast-ext`, { key })).body.id).toBe('imagefast-ext');
    const { status, body } = await api.get(`${path}/gpt-4o`, { key });
    expect([status, body.error.type, body.error.code]).toEqual([404, 'invalid_request_error', 'model_not_found']);
  });
});

describe('a path under a wrong base URL', () => {
  it.each([
    ['/openai/images/generations', '/openai/v1/images/generations'],
    ['/openai/v1/v1/audio/speech', '/openai/v1/audio/speech'],
    ['/openai/v1/openai/v1/models', '/openai/v1/models'],
    ['/images/edits/', '/openai/v1/images/edits'],
  ])('%s is told to use %s', async (wrong, right) => {
    const { status, body } = await api.post(wrong, {}, { key });
    expect([status, body.error.message]).toEqual([404, `There is no such endpoint; use ${right}.`]);
  });

  it.each(['/openai/v1/embeddings', '/openai/v1/audio/transcriptions', '/openai/v1/whatever'])(
    '%s is told in the dialect what is served',
    async (path) => {
      const { status, body } = await api.post(path, {}, { key });
      expect([status, body.error]).toEqual([
        404,
        {
          message: expect.stringMatching(
            /^There is no such endpoint\. Of OpenAI's API .*\/openai\/v1\/chat\/completions, .* are served\.$/,
          ),
          type: 'invalid_request_error',
          code: 'not_found',
          reason: 'not_found',
          param: null,
          request_id: expect.any(String),
        },
      ]);
    },
  );

  it.each(['/v1/conversations', '/v1/responses/resp_1', '/embeddings'])(
    '%s is told what of OpenAI’s is served, in the shape of the paths beside it',
    async (path) => {
      const { status, body } = await api.post(path, {}, { key });
      expect([status, body.error.type, body.error.code]).toEqual([404, 'not_found', 404]);
      expect(body.error.message).toContain('/openai/v1/chat/completions');
    },
  );
});
