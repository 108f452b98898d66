import {
  ApiError,
  type GenerateContentParameters,
  type GenerateContentResponseUsageMetadata,
  GoogleGenAI,
} from '@google/genai';
import { createFinisher, type FinishRequest, taskError } from '@mediagate/billing';
import { until } from '@mediagate/testkit';
import { judgedFetch } from '../system/judged-answers';
import { sharedSystem } from '../system/shared-system';
import type { System, SystemAccount } from '../system/start-system';

const UNIT = 1_000_000_000n;
/** Nano-units a token, at the default prices of text-2.5-flash. */
const PROMPT = 300n;
const OUTPUT = 2500n;
const MODEL = 'text-2.5-flash';
const QUESTION = 'Why do lighthouses blink?';

let system: System;
beforeAll(async () => {
  ({ system } = await sharedSystem());
});

/** The vendor's own client, configured with a base URL and a key alone. */
function clientOf({ key }: SystemAccount): GoogleGenAI {
  // With a fetch of one's own the client leaves Undici's global dispatcher alone, which Jest's sandbox does not have.
  return new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: `${system.baseUrl}/gemini`, fetch: judgedFetch } });
}

function generate(account: SystemAccount, fields: Partial<GenerateContentParameters> = {}) {
  return clientOf(account).models.generateContent({ model: MODEL, contents: QUESTION, ...fields });
}

/** The price of these figures: thoughts are output, and cached tokens would be part of the prompt. */
function costOf(usage: GenerateContentResponseUsageMetadata | undefined): bigint {
  const { promptTokenCount = 0, candidatesTokenCount = 0, thoughtsTokenCount = 0 } = usage ?? {};
  return BigInt(promptTokenCount) * PROMPT + BigInt(candidatesTokenCount + thoughtsTokenCount) * OUTPUT;
}

/** The money settled, once nothing is held any more. */
const settled = ({ accountId: id }: SystemAccount) =>
  until(async () => {
    const { heldNano, settledNano } = await system.database.account.findUniqueOrThrow({ where: { id } });
    return heldNano === 0n ? settledNano : undefined;
  }, 'nothing is held');

async function refusal(call: Promise<unknown>): Promise<{ status: number; error: { code: number; status: string } }> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ApiError) return { status: error.status, ...JSON.parse(error.message) };
    throw error;
  }
  throw new Error('it was answered');
}

describe('the vendor’s own client', () => {
  it('generates, and pays for what the model reports', async () => {
    const account = await system.account(UNIT);
    const answer = await generate(account, {
      config: { systemInstruction: 'Answer in one sentence.', maxOutputTokens: 400, temperature: 0.2 },
    });
    expect(answer.text).toMatch(/\w/);
    expect(answer.usageMetadata?.promptTokenCount).toBeGreaterThan(0);
    expect(await settled(account)).toBe(costOf(answer.usageMetadata));
  });

  it('streams, and pays for the figures of the last piece', async () => {
    const account = await system.account(UNIT);
    const pieces = [];
    for await (const piece of await clientOf(account).models.generateContentStream({
      model: MODEL,
      contents: QUESTION,
    })) {
      pieces.push(piece);
    }
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.map(({ text }) => text ?? '').join('')).toMatch(/\w/);
    const last = pieces.at(-1);
    expect(last?.candidates?.[0]?.finishReason).toBe('STOP');
    expect(await settled(account)).toBe(costOf(last?.usageMetadata));
  });

  it('chats', async () => {
    const account = await system.account(UNIT);
    const chat = clientOf(account).chats.create({ model: MODEL });
    const first = await chat.sendMessage({ message: QUESTION });
    const second = await chat.sendMessage({ message: 'And why are some red?' });
    expect(chat.getHistory()).toHaveLength(4);
    expect(await settled(account)).toBe(costOf(first.usageMetadata) + costOf(second.usageMetadata));
  });

  it('counts tokens for nothing, and finds the models', async () => {
    const account = await system.account(0n);
    const { models } = clientOf(account);
    expect((await models.countTokens({ model: MODEL, contents: QUESTION })).totalTokens).toBeGreaterThan(0);
    const names = [];
    for await (const { name } of await models.list()) names.push(name);
    const texts = names.filter((name) => name?.startsWith('models/text-'));
    expect(texts).toEqual(['2.5-flash', '2.5-pro', '3.5-flash-lite', '3.8-flash'].map((name) => `models/text-${name}`));
    // Images are made by the same method.
    expect(names.every((name) => /^models\/(?:text|image)/.test(name ?? ''))).toBe(true);
    expect((await models.get({ model: MODEL })).name).toBe(`models/${MODEL}`);
  });
});

describe('the vendor’s own client, refused or cut off', () => {
  it.each([
    ['what the vendor rejects', { config: { responseMimeType: 'text/papyrus' } }, 400, 'INVALID_ARGUMENT'],
    ['a vendor that is busy', { contents: `${QUESTION} [[sim:rate-limit]]` }, 503, 'UNAVAILABLE'],
    ['a vendor that breaks off', { contents: `${QUESTION} [[sim:truncated-json]]` }, 502, 'BAD_GATEWAY'],
  ])('is told of %s, for nothing', async (_what, fields, code, status) => {
    const account = await system.account(UNIT);
    const told = await refusal(generate(account, fields));
    expect(told).toMatchObject({ status: code, error: { code, status } });
    expect(await settled(account)).toBe(0n);
  });

  it('sees a stream that the vendor cuts break, and pays for what came', async () => {
    const account = await system.account(UNIT);
    const pieces: { usageMetadata?: GenerateContentResponseUsageMetadata }[] = [];
    const contents = `${QUESTION} [[sim:stream-cut=1/2]]`;
    await expect(async () => {
      for await (const piece of await clientOf(account).models.generateContentStream({ model: MODEL, contents })) {
        pieces.push(piece);
      }
    }).rejects.toThrow();
    expect(pieces.length).toBeGreaterThan(0);
    const paid = await settled(account);
    expect(paid).toBeGreaterThan(0n);
    expect(paid).toBeLessThan(UNIT);
  });
});

describe('messages that no file has', () => {
  const MESSAGE = 'The moon stood in the way of the picture.';

  /** A task that somebody else than a worker ended, in words of their own. */
  async function endedInWordsOf(text: string, account: SystemAccount, webhook: string): Promise<string> {
    const id = await account.caller.submit({ prompt: 'a boat [[sim:latency=60s]]', webhook, language: 'fr' });
    const finish = createFinisher(system.database);
    const taskId = id as FinishRequest['taskId'];
    await finish({
      taskId,
      accountId: account.accountId,
      fence: 'any',
      outcome: {
        kind: 'failed',
        error: taskError('upstream_error', { message: { key: 'foreign', params: { text } } }),
      },
    });
    return id;
  }

  it('are translated by the text upstream, for polls and for callbacks', async () => {
    const account = await system.account(10n * UNIT);
    const id = await endedInWordsOf(MESSAGE, account, system.simulator.receiverUrl('translated'));
    const { body } = await account.caller.get(`/v1/tasks/${id}?language=de`);
    expect(body.data.error.message).toBe(`[German] ${MESSAGE}`);
    const [callback] = await system.simulator.received('translated', 1);
    expect(JSON.parse(callback?.body ?? '{}').error.message).toBe(`[French] ${MESSAGE}`);
  });

  it('stay as they are, and nobody waits for long, while the text upstream hangs', async () => {
    await system.simulator.setRules([
      { match: { wire: 'gemini', path: 'generateContent' }, scenario: 'latency=3600s' },
    ]);
    const account = await system.account(10n * UNIT);
    const other = `${MESSAGE} Twice.`;
    const id = await endedInWordsOf(other, account, system.simulator.receiverUrl('hanging'));
    const { body } = await account.caller.get(`/v1/tasks/${id}?language=de`);
    expect(body.data.error.message).toBe(other);
    const [callback] = await system.simulator.received('hanging', 1);
    expect(JSON.parse(callback?.body ?? '{}').error.message).toBe(other);
    await system.simulator.setRules([]);
  });
});
