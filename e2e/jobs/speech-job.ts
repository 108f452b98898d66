import { spawnSync } from 'node:child_process';
import { ffmpegProgram } from '@mediagate/testkit/servers';
import OpenAI, { APIError, BadRequestError, InternalServerError } from 'openai';
import { judgedFetch } from '../system/judged-answers';
import { sharedSystem } from '../system/shared-system';
import type { System, SystemAccount } from '../system/start-system';

const UNIT = 1_000_000_000n;
const NANO_A_CHARACTER = 15_000n;
const TEXT = 'The lighthouse keeper counts the ships that pass.';
const PCM_BYTES_A_SECOND = 24_000 * 2;

type Speech = Parameters<OpenAI['audio']['speech']['create']>[0];

let system: System;
let account: SystemAccount;
let client: OpenAI;
beforeAll(async () => {
  ({ system } = await sharedSystem());
  account = await system.account(10n * UNIT);
  client = clientOf(account.key);
});

/** The vendor's own client, configured with a base URL and a key alone. */
function clientOf(apiKey: string): OpenAI {
  return new OpenAI({ apiKey, baseURL: `${system.baseUrl}/v1`, maxRetries: 0, fetch: judgedFetch });
}

/** One speech as a whole. The client's types leave voices and formats open. */
async function speak(fields: Partial<Speech> & { input?: string } = {}) {
  const response = await client.audio.speech.create({
    model: 'ttsmodel-mini',
    voice: 'coral',
    input: TEXT,
    ...fields,
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { bytes, type: response.headers.get('content-type'), taskId: response.headers.get('x-task-id') ?? '' };
}

/** Resolves with the error that the client throws, and the task that it was about. */
async function refused(fields: Partial<Speech>, of: OpenAI = client): Promise<{ error: APIError; taskId: string }> {
  try {
    await of.audio.speech.create({ model: 'ttsmodel-mini', voice: 'coral', input: TEXT, ...fields });
  } catch (error) {
    if (error instanceof APIError) return { error, taskId: error.headers?.get('x-task-id') ?? '' };
    throw error;
  }
  throw new Error('it was spoken');
}

/** Decodes it by ffmpeg, which takes nobody's part here. Throws when anything cannot be decoded. */
function listen(bytes: Buffer): { codec: string; hertz: number; seconds: number } {
  const args = ['-hide_banner', '-nostdin', '-i', 'pipe:0', '-f', 's16le', '-ac', '1', '-ar', '24000', '-'];
  const limits = { input: bytes, maxBuffer: 256 * 1024 * 1024 };
  const { status, stdout, stderr } = spawnSync(ffmpegProgram(), args, limits);
  const said = stderr.toString();
  if (status !== 0) throw new Error(`ffmpeg cannot play it: ${said.slice(-500)}`);
  const [, codec = '', hertz = ''] = /Audio: (\w+).*?, (\d+) Hz/.exec(said) ?? [];
  return { codec, hertz: Number(hertz), seconds: stdout.length / PCM_BYTES_A_SECOND };
}

async function balance(): Promise<number> {
  return (await account.caller.balance()).remain_balance;
}

describe('the sound', () => {
  it.each([
    ['mp3', 'audio/mpeg', 'mp3', 24_000],
    ['wav', 'audio/wav', 'pcm_s16le', 24_000],
    ['opus', 'audio/ogg', 'opus', 48_000],
    ['aac', 'audio/aac', 'aac', 24_000],
    ['flac', 'audio/flac', 'flac', 24_000],
  ] as const)('as %s is %s and can be decoded', async (format, type, codec, hertz) => {
    const speech = await speak({ response_format: format });
    expect(speech.type).toBe(type);
    const heard = listen(speech.bytes);
    expect(heard).toMatchObject({ codec, hertz });
    expect(heard.seconds).toBeGreaterThan(1.5);
    expect(heard.seconds).toBeLessThan(10);
  });

  it('as pcm is bare samples: 24 kHz, 16 bits, one channel', async () => {
    const [pcm, wav] = [await speak({ response_format: 'pcm' }), await speak({ response_format: 'wav' })];
    expect(pcm.type).toBe('audio/pcm');
    expect(pcm.bytes.length % 2).toBe(0);
    expect(pcm.bytes.length / PCM_BYTES_A_SECOND).toBeCloseTo(listen(wav.bytes).seconds, 1);
  });

  it('is wav where no format is asked for', async () => {
    const { bytes, type } = await speak();
    expect(type).toBe('audio/wav');
    expect(bytes.subarray(0, 4).toString()).toBe('RIFF');
  });

  it('takes half as long at twice the speed, and twice as long at half of it', async () => {
    const lengths = new Map<number, number>();
    for (const speed of [0.5, 1, 2]) lengths.set(speed, listen((await speak({ speed })).bytes).seconds);
    const usual = lengths.get(1) ?? 0;
    expect((lengths.get(2) ?? 0) / usual).toBeGreaterThan(0.35);
    expect((lengths.get(2) ?? 0) / usual).toBeLessThan(0.7);
    expect((lengths.get(0.5) ?? 0) / usual).toBeGreaterThan(1.5);
  });

  it('is another sound in another voice, and in each of the thirteen', async () => {
    const voices = 'alloy ash ballad coral echo fable onyx nova sage shimmer verse marin cedar'.split(' ');
    const sounds = await Promise.all(voices.map((voice) => speak({ voice, input: 'Land ahoy.' })));
    expect(new Set(sounds.map(({ bytes }) => bytes.toString('base64'))).size).toBe(voices.length);
  });
});

describe('speech while it is made', () => {
  it('costs its characters, and has a record in which nothing of the audio is kept', async () => {
    const before = await balance();
    const { taskId } = await speak({ input: '🚢 ahoy' });
    const record = await account.caller.ended(taskId);
    expect(record).toMatchObject({ status: 'completed', kind: 'audio', progress: 100, cost: 0.00009 });
    expect(record).not.toHaveProperty('result');
    expect(await balance()).toBeCloseTo(before - 0.00009, 9);
    const { settledNano } = await system.database.reservation.findUniqueOrThrow({ where: { taskId } });
    expect(settledNano).toBe(6n * NANO_A_CHARACTER);
  });

  it('begins while the upstream is still at work', async () => {
    const response = await client.audio.speech.create({
      model: 'ttsmodel-mini',
      voice: 'coral',
      input: `${TEXT} [[sim:slow-body=3s]]`,
    });
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(first?.value?.length).toBeGreaterThan(0);
    const call = (await system.simulator.journal()).find(({ prompt }) => prompt?.includes('slow-body'));
    expect(call).toMatchObject({ ending: 'open' });
    let size = first?.value?.length ?? 0;
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) size += part.value.length;
    expect(size).toBeGreaterThan(PCM_BYTES_A_SECOND);
    expect(await account.caller.ended(response.headers.get('x-task-id') ?? '')).toMatchObject({ status: 'completed' });
  });
});

describe('the second vendor of speech', () => {
  it.each([
    ['mp3', 'mp3', 44_100],
    ['wav', 'pcm_s16le', 24_000],
    ['opus', 'opus', 48_000],
  ] as const)('speaks by its own model %s that can be decoded', async (format, codec, hertz) => {
    const { bytes } = await speak({ model: 'ttsmodel-multilingual', voice: 'george', response_format: format });
    expect(listen(bytes)).toMatchObject({ codec, hertz });
  });
});

describe("the client's errors", () => {
  it.each([
    ['policy-submit', 400, BadRequestError],
    ['rate-limit', 503, InternalServerError],
    ['reset-after', 502, InternalServerError],
  ])(
    '%s before the first byte: %i, and nothing to pay',
    async (scenario, status, kind) => {
      const { error, taskId } = await refused({ input: `${TEXT} [[sim:${scenario}]]` });
      expect(error).toBeInstanceOf(kind);
      expect(error.status).toBe(status);
      expect(error.message).not.toMatch(/127\.0\.0\.1|openai/i);
      expect(await account.caller.ended(taskId)).toMatchObject({ status: 'failed', kind: 'audio', cost: 0 });
    },
    150_000,
  );
});

describe('a process that ends', () => {
  it('a worker that is killed in the middle: the connection ends at once, and there is nothing to pay', async () => {
    const { body, taskId } = await begin('slow-body=3600s');
    // The reconciler would end the task once its lease has lapsed, and the connection with it.
    const reconciler = system.services.reconciler.pid();
    process.kill(reconciler, 'SIGSTOP');
    try {
      await system.services.tts.kill();
      await expect(body()).rejects.toThrow();
    } finally {
      process.kill(reconciler, 'SIGCONT');
    }
    expect(await account.caller.ended(taskId)).toMatchObject({ status: 'failed', kind: 'audio', cost: 0 });
    await system.services.tts.start();
    expect(listen((await speak()).bytes).seconds).toBeGreaterThan(1.5);
  });

  it('an API that is told to stop: what is in flight finishes, and what takes too long is cut off and refunded', async () => {
    const [quick, endless] = [await begin('slow-body=2s'), await begin('slow-body=60s')];
    const stopped = system.services.api.stop();
    expect((await quick.body()).byteLength).toBeGreaterThan(PCM_BYTES_A_SECOND);
    await expect(endless.body()).rejects.toThrow();
    expect(await stopped).toBe(0);
    await system.services.api.start();
    expect(await account.caller.ended(quick.taskId)).toMatchObject({ status: 'completed' });
    expect(await account.caller.ended(endless.taskId)).toMatchObject({ status: 'failed', cost: 0 });
  });

  /** A speech whose first bytes have come. */
  async function begin(scenario: string) {
    const input = `${TEXT} [[sim:${scenario}]]`;
    const response = await client.audio.speech.create({ model: 'ttsmodel-mini', voice: 'coral', input });
    return { body: () => response.arrayBuffer(), taskId: response.headers.get('x-task-id') ?? '' };
  }
});

it('leaves nothing held, and no call open at the upstream', async () => {
  expect((await system.simulator.open(0)).calls).toEqual([]);
  const { heldNano } = await system.database.account.findUniqueOrThrow({ where: { id: account.accountId } });
  expect(heldNano).toBe(0n);
});
