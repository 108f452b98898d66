import type { JsonObject } from '@mediagate/contracts';
import { HELD_LIMIT_MS, holdLimits } from '@mediagate/testkit/clock';
import { callContext } from '../../test/fixtures';
import { type Replay, type ReplayServer, replyWith, startReplayServer } from '../conformance/replay-server';
import {
  checkChannelOptions,
  createHttpClient,
  createModerator,
  type HttpClient,
  ownProtocols,
  protocolWords,
} from '../index';

const PROMPT = 'a lighthouse on a cliff at dusk, waves below';
const ONE = 'https://callers.example/1.png?sig=abcdefgh';
const TWO = 'data:image/png;base64,iVBORw0KGgo=';

let server: ReplayServer | undefined;
let http: HttpClient | undefined;
const limits = holdLimits();

afterEach(async () => {
  await http?.close();
  await server?.close();
  server = undefined;
});

function result(...found: string[]): JsonObject {
  const categories = { harassment: false, sexual: false, 'violence/graphic': false };
  const flags = Object.fromEntries(found.map((name) => [name, true]));
  return { flagged: found.length > 0, categories: { ...categories, ...flags }, category_scores: {} };
}

function verdicts(...results: JsonObject[]): JsonObject {
  return { id: 'modr-1', model: 'omni-moderation-2024-09-26', results };
}

async function moderate(
  input: { prompt?: string; imageUrls?: string[] },
  replay: Replay,
  options: JsonObject = {},
  signal?: AbortSignal,
  client = createHttpClient(),
) {
  server = await startReplayServer(replay);
  http = client;
  const wanted = { imageUrls: [], ...input };
  const more = { model: 'omni-moderation-latest', ...(signal ? { signal } : {}) };
  return createModerator({ http }).moderate(wanted, callContext(`${server.origin}/v1`, options, more));
}

/** Holds the limit of each question, and notes how long it was to be. */
function heldClient(): { client: HttpClient; given: number[] } {
  const given: number[] = [];
  const client = createHttpClient();
  const send: HttpClient['send'] = (request) => {
    given.push(request.timeoutMs);
    return client.send({ ...request, timeoutMs: HELD_LIMIT_MS });
  };
  return { client: { ...client, send }, given };
}

function answering(body: unknown, status = 200): Replay {
  return (response) => replyWith(response, status, {}, body);
}

/** A verdict for each image, in whatever order they come. */
function byImage(found: Record<string, string[]>): Replay {
  return (response) => {
    const asked = server?.received.at(-1)?.body.toString() ?? '';
    const [, categories = []] = Object.entries(found).find(([url]) => asked.includes(url)) ?? [];
    replyWith(response, 200, {}, verdicts(result(...categories)));
  };
}

function asked(): unknown[] {
  return (server?.received ?? []).map(({ body }) => JSON.parse(body.toString()));
}

describe('a moderator', () => {
  it('asks once about a prompt and an image, with the key and the model of the channel', async () => {
    const verdict = await moderate({ prompt: PROMPT, imageUrls: [ONE] }, answering(verdicts(result())));
    expect(verdict).toEqual({ kind: 'passed' });
    expect(server?.received).toMatchObject([
      { method: 'POST', path: '/v1/moderations', headers: { authorization: 'Bearer key-for-tests' } },
    ]);
    expect(asked()).toEqual([
      {
        model: 'omni-moderation-latest',
        input: [
          { type: 'text', text: PROMPT },
          { type: 'image_url', image_url: { url: ONE } },
        ],
      },
    ]);
  });

  it('asks about each further image by itself, because the vendor takes one a request', async () => {
    await moderate({ prompt: PROMPT, imageUrls: [ONE, TWO] }, answering(verdicts(result())));
    expect(asked()).toContainEqual({
      model: 'omni-moderation-latest',
      input: [{ type: 'image_url', image_url: { url: TWO } }],
    });
    expect(asked()).toHaveLength(2);
  });

  it('asks about words alone and about an image alone, and about nothing not at all', async () => {
    await moderate({ prompt: PROMPT }, answering(verdicts(result())));
    expect(asked()).toMatchObject([{ input: [{ type: 'text', text: PROMPT }] }]);
    await server?.close();
    await moderate({ imageUrls: [TWO] }, answering(verdicts(result())));
    expect(asked()).toMatchObject([{ input: [{ type: 'image_url' }] }]);
    await server?.close();
    expect(await moderate({}, answering({}))).toEqual({ kind: 'passed' });
    expect(asked()).toEqual([]);
  });

  it('names what was found in any of the answers, once and sorted', async () => {
    const found = { [ONE]: ['violence/graphic', 'sexual'], [TWO]: ['sexual', 'harassment'] };
    expect(await moderate({ imageUrls: [ONE, TWO] }, byImage(found))).toEqual({
      kind: 'flagged',
      categories: ['harassment', 'sexual', 'violence/graphic'],
    });
  });

  it('is sure of a flag even where another answer was lost', async () => {
    const replay: Replay = (response) => {
      const lost = server?.received.at(-1)?.body.toString().includes(ONE);
      if (lost) response.destroy();
      else replyWith(response, 200, {}, verdicts(result('sexual')));
    };
    expect(await moderate({ imageUrls: [ONE, TWO] }, replay)).toEqual({ kind: 'flagged', categories: ['sexual'] });
  });

  it('lets nothing pass where one of the answers was lost', async () => {
    const replay: Replay = (response) => {
      const lost = server?.received.at(-1)?.body.toString().includes(ONE);
      if (lost) response.destroy();
      else replyWith(response, 200, {}, verdicts(result()));
    };
    expect(await moderate({ imageUrls: [ONE, TWO] }, replay)).toMatchObject({ kind: 'refused' });
  });

  const noVerdicts: [string, unknown][] = [
    ['no results', { id: 'modr-1' }],
    ['an empty list of results', verdicts()],
    ['a flag that is none', verdicts({ flagged: 'no', categories: {} })],
    ['one result without a flag', verdicts(result(), {})],
    ['no JSON', '<html/>'],
  ];
  it.each(noVerdicts)('takes %s for no verdict', async (_, body) => {
    const verdict = await moderate({ prompt: PROMPT }, answering(body));
    expect(verdict).toMatchObject({ kind: 'refused', fault: { code: 'outcome_unknown' } });
  });

  it('believes a flag without categories', async () => {
    expect(await moderate({ prompt: PROMPT }, answering(verdicts({ flagged: true })))).toEqual({
      kind: 'flagged',
      categories: [],
    });
  });

  const refusals: [string, number, JsonObject, string][] = [
    ['rate', 429, { message: 'Rate limit reached', type: 'requests', code: 'rate_limit_exceeded' }, 'rate_limited'],
    ['money', 429, { message: 'exceeded', type: 'insufficient_quota', code: 'insufficient_quota' }, 'operator'],
    ['key', 401, { message: 'Incorrect API key provided: key-for-tests', code: 'invalid_api_key' }, 'operator'],
    ['image', 400, { message: `Failed to download ${ONE}`, code: 'invalid_image_url' }, 'bad_request'],
    ['failure', 500, { message: `failed on ${PROMPT}`, type: 'server_error' }, 'upstream_fault'],
  ];
  it.each(refusals)(
    'says what the vendor refused (%s), without key, prompt or link',
    async (_, status, error, code) => {
      const verdict = await moderate({ prompt: PROMPT, imageUrls: [ONE] }, answering({ error }, status));
      expect(verdict).toMatchObject({ kind: 'refused', fault: { code } });
      expect(JSON.stringify(verdict)).not.toMatch(/key-for-tests|lighthouse|https?:/);
    },
  );

  it('gives up at its deadline, all questions together', async () => {
    const images = Array.from({ length: 8 }, (_, index) => `https://callers.example/${index}.png`);
    const { client, given } = heldClient();
    const verdict = moderate({ imageUrls: images }, () => undefined, { timeout_seconds: 1 }, undefined, client);
    await limits.begun(images.length);
    await server?.waitFor(images.length);
    limits.pass();
    expect(await verdict).toMatchObject({ kind: 'refused', fault: { code: 'outcome_unknown' } });
    expect(given).toEqual(images.map(() => 1000));
  });

  it('gives up of itself while there is time for another channel', async () => {
    const { client, given } = heldClient();
    const verdict = moderate({ prompt: PROMPT }, () => undefined, {}, undefined, client);
    await limits.begun(1);
    await server?.waitFor(1);
    limits.pass();
    expect(await verdict).toMatchObject({ kind: 'refused', fault: { code: 'outcome_unknown' } });
    expect(given).toEqual([3000]);
  });

  it('asks nothing for a caller who is gone', async () => {
    const verdict = await moderate({ prompt: PROMPT }, answering({}), {}, AbortSignal.abort());
    expect(verdict).toMatchObject({ kind: 'refused', fault: { code: 'not_accepted' } });
    expect(server?.connections()).toBe(0);
  });

  it('refuses more images than any model takes, before anything is sent', async () => {
    const images = Array.from({ length: 65 }, () => ONE);
    expect(await moderate({ imageUrls: images }, answering({}))).toMatchObject({
      kind: 'refused',
      fault: { code: 'cannot_carry' },
    });
    expect(asked()).toEqual([]);
  });

  it('has a word in the channels file, and options that are checked', () => {
    expect(protocolWords(ownProtocols())).toContain('openai-moderations');
    expect(checkChannelOptions('openai-moderations', { timeout_seconds: 5 })).toBeUndefined();
    expect(checkChannelOptions('openai-moderations', { timeout_seconds: 6 })).toContain('timeout_seconds');
    expect(checkChannelOptions('openai-moderations', { timeout_seconds: 0 })).toContain('timeout_seconds');
    expect(checkChannelOptions('openai-moderations', { model: 'x' })).toContain('"model"');
  });
});
