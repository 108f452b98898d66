import OpenAI, { toFile } from 'openai';
import { download, judgedFetch } from '../system/judged-answers';
import { sharedSystem } from '../system/shared-system';

const UNIT = 1_000_000_000n;
const IMAGE = { model: 'imagegen-2.5-flare', prompt: 'a lighthouse', size: '1024x1024', quality: 'low' } as const;
const MODEL = 'text-2.5-flash';
const PNG = '89504e47';
const WAIT_MS = 60_000;

let client: OpenAI;
let accountId: string;
beforeAll(async () => {
  const { system } = await sharedSystem();
  const account = await system.account(10n * UNIT);
  accountId = account.accountId;
  // The vendor's own client, configured with a base URL and a key alone.
  client = new OpenAI({
    apiKey: account.key,
    baseURL: `${system.baseUrl}/openai/v1`,
    maxRetries: 0,
    fetch: judgedFetch,
  });
});

const startOf = (base64: string | undefined) =>
  Buffer.from(base64 ?? '', 'base64')
    .subarray(0, 4)
    .toString('hex');

it(
  'gets images by link and as themselves, and edits them',
  async () => {
    const byLink = await client.images.generate({ ...IMAGE, response_format: 'url' });
    const bytes = await download(byLink.data?.[0]?.url);
    expect(bytes.subarray(0, 4).toString('hex')).toBe(PNG);
    expect(byLink.usage?.total_tokens).toBeGreaterThan(0);
    const image = await toFile(bytes, 'a.png', { type: 'image/png' });
    const edited = await client.images.edit({ ...IMAGE, image });
    expect(startOf(edited.data?.[0]?.b64_json)).toBe(PNG);
  },
  WAIT_MS,
);

it(
  'pays once for a request that it repeats under one key',
  async () => {
    const options = { headers: { 'Idempotency-Key': `openai-${accountId}` } };
    const [first, second] = await Promise.all([
      client.images.generate({ ...IMAGE, prompt: 'twice' }, options),
      client.images.generate({ ...IMAGE, prompt: 'twice' }, options),
    ]);
    expect(second).toEqual(first);
    const { system } = await sharedSystem();
    const tasks = await system.database.task.findMany({ where: { accountId } });
    expect(tasks.filter(({ input }) => JSON.stringify(input).includes('twice'))).toHaveLength(1);
  },
  WAIT_MS,
);

it('is acknowledged, not shown an image, where it has the base URL of the service', async () => {
  const { system } = await sharedSystem();
  const elsewhere = client.withOptions({ baseURL: `${system.baseUrl}/v1` });
  const acknowledged = { code: 200, data: [{ status: 'submitted', task_id: expect.stringMatching(/^task_/) }] };
  expect(await elsewhere.images.generate({ ...IMAGE })).toMatchObject(acknowledged);
});

it('gets speech and models', async () => {
  const speech = await client.audio.speech.create({
    model: 'ttsmodel-mini',
    voice: 'coral',
    input: 'Hello.',
    response_format: 'wav',
  });
  expect(
    Buffer.from(await speech.arrayBuffer())
      .subarray(0, 4)
      .toString(),
  ).toBe('RIFF');
  const { data } = await client.models.list();
  expect(data.map(({ id }) => id)).toContain('text-2.5-flash');
});

// The second channel is asked where the first is busy.
it.each([
  ['of the native protocol', [], 'gemini'],
  ['that speaks chat completions', [{ match: { wire: 'gemini' }, scenario: 'busy' }], 'openai'],
])('gets texts from a server %s, whole and streamed', async (_what, rules, wire) => {
  const { system } = await sharedSystem();
  const { seq: before = 0 } = (await system.simulator.journal()).at(-1) ?? {};
  await system.simulator.setRules(rules);
  try {
    const messages = [{ role: 'user' as const, content: 'Why do lighthouses blink?' }];
    const whole = await client.chat.completions.create({ model: MODEL, messages });
    expect(whole.choices[0]?.message.content).toContain('lighthouses');
    expect(whole.usage?.total_tokens).toBeGreaterThan(0);
    const stream = client.chat.completions.stream({ model: MODEL, messages });
    expect((await stream.finalChatCompletion()).choices[0]?.finish_reason).toBe('stop');
  } finally {
    await system.simulator.setRules([]);
  }
  const answered = (await system.simulator.journal()).filter(({ seq, accepted }) => seq > before && accepted);
  expect(answered.map((entry) => entry.wire)).toEqual([wire, wire]);
});
