import OpenAI, { toFile } from 'openai';
import { download, judgedFetch } from '../system/judged-answers';
import { sharedSystem } from '../system/shared-system';

const UNIT = 1_000_000_000n;
const IMAGE = { model: 'imagegen-2.5-flare', prompt: 'a lighthouse', size: '1024x1024', quality: 'low' } as const;
const MODEL = 'text-2.5-flash';
const PNG = '89504e47';
const WAIT_MS = 60_000;

let client: OpenAI;
let _accountId: string;
beforeAll(async () => {
  const { system } = await sharedSystem();
  const account = await system.account(10n * UNIT);
  _accountId = account.accountId;
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
