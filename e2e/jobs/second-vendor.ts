import { judgedFetch } from '../system/judged-answers';
import { sharedSystem } from '../system/shared-system';
import type { System, SystemAccount } from '../system/start-system';

/* A task whose first vendor takes nothing more is done by another vendor, under one task and one reservation. */

let system: System;
beforeAll(async () => {
  ({ system } = await sharedSystem());
});
afterAll(() => system.simulator.setRules([]));

const SECOND_PRICE = 50_000_000n;
const HD_SECOND_PRICE = 100_000_000n;
const IMAGE_PRICE = 30_000_000n;
const CHARACTER_PRICE = 15_000n;
const WORDS = 'a quay by another vendor';

/** Asks for one answer at once. @returns the id of its task */
async function answered({ key }: SystemAccount, path: string, body: object): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await judgedFetch(`${system.baseUrl}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0);
  return response.headers.get('x-task-id') ?? '';
}

const submitted = ({ caller }: SystemAccount, path: string, body: Record<string, unknown>) => caller.submit(body, path);

/** The image tool is missing: there is one vendor of it (docs/second-vendors.md). */
it.each([
  {
    what: 'an image',
    ask: submitted,
    path: '/v1/images/generations',
    body: { model: 'imageseed-4.0', prompt: WORDS, n: 2, size: '4:3' },
    refusing: [{ wire: 'ark', channel: 'images-ark' }],
    last: 'hosted-fal',
    charged: 2n * IMAGE_PRICE,
  },
  {
    what: 'a video',
    ask: submitted,
    path: '/v1/videos/generations',
    body: { model: 'videod-02', prompt: WORDS, duration: 5 },
    refusing: [
      { wire: 'minimax', channel: 'videos-minimax' },
      { wire: 'fal', channel: 'hosted-fal' },
    ],
    last: 'hosted-replicate',
    charged: 5n * SECOND_PRICE,
  },
  {
    what: 'a video by a vendor that the configuration alone describes',
    ask: submitted,
    path: '/v1/videos/generations',
    body: { model: 'videoa-2.6', prompt: WORDS, duration: 5 },
    refusing: [
      { wire: 'dashscope', channel: 'videos-dashscope' },
      { wire: 'ark', channel: 'videos-ark' },
      { wire: 'vllm', channel: 'videos-vllm' },
    ],
    last: 'videos-studio',
    charged: 5n * HD_SECOND_PRICE,
  },
  {
    what: 'a track',
    ask: submitted,
    path: '/v1/music/generations',
    body: { model: 'musicgen', prompt: WORDS, title: 'Harbour', tags: 'waltz' },
    refusing: [{ wire: 'ttapi', channel: 'music-ttapi' }],
    last: 'music-sunoapi',
  },
  {
    what: 'a speech',
    ask: answered,
    path: '/v1/audio/speech',
    body: { model: 'ttsmodel-mini', voice: 'alloy', input: WORDS },
    refusing: [{ wire: 'openai', channel: 'speech-openai' }],
    last: 'speech-elevenlabs',
    charged: BigInt(WORDS.length) * CHARACTER_PRICE,
  },
  {
    what: 'a text',
    ask: answered,
    path: '/gemini/v1beta/models/text-2.5-flash:generateContent',
    body: { contents: [{ role: 'user', parts: [{ text: WORDS }] }] },
    refusing: [{ wire: 'gemini', channel: 'text-gemini' }],
    last: 'text-chat',
  },
])(
  '$what goes on to $last where the vendors before have no credit, with one record and one charge',
  async ({ ask, path, body, refusing, last, charged }) => {
    const account = await system.account(10_000_000_000n);
    const match = { prompt: 'by another vendor' };
    await system.simulator.setRules(refusing.map(({ wire }) => ({ match: { ...match, wire }, scenario: 'balance' })));
    const taskId = await ask(account, path, body);
    const record = await account.caller.ended(taskId);
    expect(record).toMatchObject({ status: 'completed' });

    const attempts = await system.attempts(taskId);
    expect(attempts).toMatchObject([
      ...refusing.map(({ channel }) => ({ channelId: channel, state: 'refused', fault: 'operator' })),
      { channelId: last, state: 'succeeded' },
    ]);
    const booked = await system.database.ledgerEntry.findMany({ where: { taskId }, orderBy: { id: 'asc' } });
    expect(booked.map(({ kind }) => kind)).toEqual(['hold', 'settle']);
    const { heldNano, settledNano } = await system.database.account.findUniqueOrThrow({
      where: { id: account.accountId },
    });
    expect({ heldNano, settledNano }).toEqual({ heldNano: 0n, settledNano: charged ?? settledNano });
    expect(settledNano).toBeGreaterThan(0n);
    expect(Number(settledNano) / 1e9).toBeCloseTo(Number(record.cost), 9);
  },
);

it('a job that fails at a vendor that the configuration alone describes is refunded, whole', async () => {
  const account = await system.account(10_000_000_000n);
  const match = { prompt: 'a quay that is never finished' };
  const refusing = ['dashscope', 'ark', 'vllm'].map((wire) => ({ match: { ...match, wire }, scenario: 'balance' }));
  await system.simulator.setRules([...refusing, { match: { ...match, wire: 'studio' }, scenario: 'failed-result' }]);
  const taskId = await submitted(account, '/v1/videos/generations', {
    model: 'videoa-2.6',
    prompt: match.prompt,
    duration: 5,
  });
  expect(await account.caller.ended(taskId)).toMatchObject({ status: 'failed', error: { reason: 'upstream_error' } });
  const attempts = await system.attempts(taskId);
  expect(attempts.at(-1)).toMatchObject({ channelId: 'videos-studio', fault: 'generation_failed' });
  const booked = await system.database.ledgerEntry.findMany({ where: { taskId }, orderBy: { id: 'asc' } });
  expect(booked.map(({ kind }) => kind)).toEqual(['hold', 'refund']);
  const { heldNano, settledNano } = await system.database.account.findUniqueOrThrow({
    where: { id: account.accountId },
  });
  expect({ heldNano, settledNano }).toEqual({ heldNano: 0n, settledNano: 0n });
});
