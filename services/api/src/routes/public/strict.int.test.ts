import type { JsonObject } from '@mediagate/contracts';
import { forAllTests } from '@mediagate/testkit';
import { SMALL_IMAGE, startTestApi } from '../../../test/test-api';

const api = forAllTests(startTestApi);
const caller = forAllTests(() => api.createCaller());

const post = (path: string, body: JsonObject, strict = 'true') =>
  api.post(path, body, { key: caller.key, headers: { strict } });

describe('Strict: true', () => {
  it.each<[path: string, body: JsonObject, params: string[]]>([
    ['/v1/images/generations', { ...SMALL_IMAGE, colour: 'red', mood: 'calm' }, ['colour', 'mood']],
    ['/v1/images/generations', { ...SMALL_IMAGE, language: 'it' }, ['language']],
    ['/openai/v1/images/generations', { ...SMALL_IMAGE, colour: 'red' }, ['colour']],
    ['/v1/images/edits', { ...SMALL_IMAGE, image_urls: ['https://example.com/a.png'], colour: 'red' }, ['colour']],
    ['/v1/music/generations', { custom: false, gpt_description: 'a song', title: 'of the other mode' }, ['title']],
    ['/v1/imgtool/generations/imagine', { prompt: 'a fox', repeat: 2 }, ['repeat']],
    [
      '/mj/submit/imagine',
      { prompt: 'a fox', notifyHook: 'https://example.com', colour: 'red' },
      ['notifyHook', 'colour'],
    ],
    ['/v1/audio/speech', { model: 'ttsmodel-mini', input: 'a boat', voice: 'alloy', colour: 'red' }, ['colour']],
  ])('of %s refuses %j, naming each field that would be ignored, and writes nothing', async (path, body, params) => {
    const rows = await api.countRows();
    const answer = await post(path, body);
    const { errors } = answer.body.error ?? answer.body.properties;
    const named = (errors as { param: string; reason: string }[]).map(({ param, reason }) => [param, reason]);
    // Nothing was: it is refused.
    expect(JSON.stringify(errors)).not.toContain('ignored:');
    expect([answer.status, named]).toEqual([400, params.map((param) => [param, 'unsupported_parameter'])]);
    expect(await api.countRows()).toEqual(rows);
  });

  it('accepts a body of which nothing is ignored, and one of any kind where it is false', async () => {
    expect((await post('/v1/images/generations', SMALL_IMAGE)).status).toBe(200);
    expect((await post('/v1/images/generations', { ...SMALL_IMAGE, colour: 'red' }, 'false')).status).toBe(200);
  });

  it('counts for an estimate too', async () => {
    const answer = await post('/v1/estimate', {
      path: '/v1/images/generations',
      body: { ...SMALL_IMAGE, colour: 'red' },
    });
    expect([answer.status, answer.body.error.param]).toEqual([400, 'colour']);
  });

  it('says what is wrong with a field', async () => {
    const said = async (path: string, body: JsonObject) => (await post(path, body)).body.error.message;
    expect([
      await said('/v1/images/generations', { ...SMALL_IMAGE, colour: 'red' }),
      await said('/v1/images/generations', { ...SMALL_IMAGE, webhook: 'ftp://example.com' }),
      await said('/v1/imgtool/generations/imagine', { prompt: 'a fox', repeat: 2 }),
    ]).toEqual([
      'colour is not a field of this request; leave it out',
      'webhook: The URL must begin with http:// or https://.',
      'repeat would be ignored, which Strict refuses; leave it out',
    ]);
  });

  it('that is no boolean is 400', async () => {
    const answer = await post('/v1/images/generations', SMALL_IMAGE, 'yes');
    expect([answer.status, answer.body.error.param]).toEqual([400, 'Strict']);
  });
});

it('a field that the model calls otherwise is refused with the name that it has', async () => {
  const { status, body } = await post('/v1/images/generations', { ...SMALL_IMAGE, aspect_ratio: '1:1' }, 'false');
  expect([status, body.error.message]).toEqual([400, 'aspect_ratio is not a parameter of the model; use size']);
});
