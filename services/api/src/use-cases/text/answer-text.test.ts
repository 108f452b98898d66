import { Readable } from 'node:stream';
import type { JsonObject } from '@mediagate/contracts';
import type { Channel } from '@mediagate/settings';
import { streamedText } from '@mediagate/upstreams';
import type { Gone } from '../caller-connection';
import { answerText, type TextOutcome, type TextQuestion } from './answer-text';
import type { CallUnderWay, TextChannels, TextReply } from './text-channels';
import type { TextWriter } from './text-writer';
import type { TokenMeter } from './token-meter';

const FIRST: CallUnderWay = { channelId: 'first', protocol: 'gemini', beganAt: 1 };
const SECOND: CallUnderWay = { channelId: 'second', protocol: 'gemini', beganAt: 2 };
const REFUSED = { ...FIRST, state: 'refused', fault: 'rate_limited', endedAt: 2 } as const;
const PROMPT_TOKENS = 7;
const piece = (text: string, more: JsonObject = {}) => ({ candidates: [{ content: { parts: [{ text }] } }], ...more });

/** A text whose vendor and caller the test plays, and what it would come to if its process were gone. */
function begin(method: TextQuestion['method'] = 'streamGenerateContent') {
  let [gone, soFar]: [Gone | undefined, () => TextOutcome | undefined] = [undefined, () => undefined];
  let step: Parameters<TextChannels['call']>[0]['onStep'] = () => undefined;
  let meter: TokenMeter | undefined;
  let [answers, isSent]: (() => void)[] = [];
  let breaks: (error: Error) => void = () => undefined;
  const leaveSlot = jest.fn();
  const ended = new Promise<void>((resolve, reject) => {
    [isSent, breaks] = [resolve, reject];
  });
  const reply = new Promise<TextReply>((resolve) => {
    const answer = streamedText('text/event-stream', Readable.from([]));
    const channel = { id: 'second', models: new Map() } as unknown as Channel;
    const came = {
      kind: 'answer',
      answer,
      channel,
      underWay: SECOND,
      refused: [REFUSED],
      brokeOff() {},
      leaveSlot,
    } as const;
    answers = () => resolve({ ...came, refused: [...came.refused] });
  });
  const textChannels = {
    call({ onStep }: Parameters<TextChannels['call']>[0]) {
      step = onStep;
      return reply;
    },
    billedAs: () => ({ id: 'text-2.5-flash' }),
    reportOther: () => undefined,
  } as unknown as TextChannels;
  const writer = {
    begun: false,
    watch: () => ({
      signal: new AbortController().signal,
      gone: () => gone,
      linger: () => undefined,
      stop: () => undefined,
      end: () => undefined,
    }),
    send(_answer: unknown, given: TokenMeter) {
      meter = given;
      return ended;
    },
  } as unknown as TextWriter;
  const question: TextQuestion = {
    model: 'text-2.5-flash',
    owner: { accountId: 'account' },
    method,
    body: Buffer.from('{}'),
    json: {},
    promptTokens: () => PROMPT_TOKENS,
    onProgress(outcome) {
      soFar = outcome;
    },
  };
  const outcome = answerText(writer, question, { textChannels, lingerMs: 1 });
  return {
    outcome,
    now: () => soFar(),
    step: (name: 'begins' | 'sent', calls: Parameters<typeof step>[1]) => step(name, calls),
    async passOn(pieces: readonly JsonObject[]) {
      answers?.();
      await new Promise((resolve) => setImmediate(resolve));
      for (const each of pieces) meter?.see(each);
    },
    ends: () => isSent?.(),
    breaks: () => breaks(new Error('cut')),
    leaveSlot,
    leaves() {
      gone = 'caller_left';
    },
  };
}

it.each(['ends', 'breaks'] as const)('gives the slot of its channel back once its answer %s', async (how) => {
  const text = begin();
  await text.passOn([piece('twelve bytes')]);
  expect(text.leaveSlot).not.toHaveBeenCalled();
  text[how]();
  await text.outcome;
  expect(text.leaveSlot).toHaveBeenCalledTimes(1);
});

describe('what a text comes to if its process is gone', () => {
  it('is nothing before a vendor is asked, with the calls that were refused', () => {
    const { now, step } = begin();
    expect(now()).toBeUndefined();
    step('begins', { refused: [REFUSED], underWay: SECOND });
    expect(now()).toMatchObject({ usage: undefined, reason: 'internal_error', calls: [REFUSED] });
  });

  it('is nothing while its vendor thinks, for a caller who waits: the call is written down as unknown', () => {
    const { now, step } = begin();
    step('sent', { refused: [REFUSED], underWay: SECOND });
    const call = { ...SECOND, state: 'unknown', detail: 'this process ended' };
    expect(now()).toMatchObject({ usage: undefined, reason: 'internal_error', calls: [REFUSED, call] });
  });

  it('is what was sent while its vendor thinks, for a caller who has left', () => {
    const { now, step, leaves } = begin();
    step('sent', { refused: [], underWay: SECOND });
    leaves();
    const usage = { inputTokens: PROMPT_TOKENS, outputTokens: 0 };
    expect(now()).toMatchObject({ usage, reason: 'caller_left', calls: [{ state: 'unknown', usage }] });
  });

  it('is what a stream has passed on by then, and changes no figure of its end', async () => {
    const { now, passOn, ends, outcome } = begin();
    await passOn([piece('twelve bytes')]);
    const soFar = { inputTokens: PROMPT_TOKENS, outputTokens: 3 };
    expect(now()).toMatchObject({ usage: soFar, calls: [REFUSED, { ...SECOND, state: 'unknown', usage: soFar }] });
    const usage = { inputTokens: 5, outputTokens: 9 };
    await passOn([piece('more', { usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 9 } })]);
    expect(now()).toMatchObject({ usage });
    ends();
    expect(await outcome).toMatchObject({ usage, calls: [REFUSED, { ...SECOND, state: 'succeeded', usage }] });
  });

  it('is nothing in the middle of an answer that is only sent whole', async () => {
    const { now, passOn } = begin('generateContent');
    await passOn([piece('twelve bytes')]);
    expect(now()).toMatchObject({ usage: undefined, calls: [REFUSED, { ...SECOND, state: 'unknown' }] });
  });
});
