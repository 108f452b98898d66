import type { JsonObject } from '@mediagate/contracts';
import { createTokenMeter } from './token-meter';

const PROMPT_TOKENS = 40;

function usageOf(pieces: readonly JsonObject[], end: 'whole' | 'broken' = 'whole') {
  const meter = createTokenMeter(() => PROMPT_TOKENS);
  for (const piece of pieces) meter.see(piece);
  return meter.usage(end);
}

const said = (text: string, usageMetadata?: JsonObject): JsonObject => ({
  candidates: [{ content: { parts: [{ text }] } }],
  ...(usageMetadata && { usageMetadata }),
});

it('goes by the last figures, thoughts as output and cached tokens inside the prompt', () => {
  const last = { promptTokenCount: 10, cachedContentTokenCount: 4, candidatesTokenCount: 5, thoughtsTokenCount: 3 };
  expect(usageOf([said('a', { promptTokenCount: 9, candidatesTokenCount: 1 }), said('b', last), said('c')])).toEqual({
    inputTokens: 10,
    cachedTextTokens: 4,
    outputTokens: 8,
  });
  expect(usageOf([said('a', { ...last, totalTokenCount: 18 })])).toMatchObject({ totalTokens: 18 });
});

it('counts what tools read on the way as prompt', () => {
  const usage = { promptTokenCount: 10, toolUsePromptTokenCount: 90, candidatesTokenCount: 1 };
  expect(usageOf([said('a', usage)])).toMatchObject({ inputTokens: 100 });
});

it('has no output for a blocked prompt', () => {
  const blocked = { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 6 } };
  expect(usageOf([blocked])).toEqual({ inputTokens: 6, outputTokens: 0 });
});

it('knows nothing of an answer of which nothing came', () => {
  expect(usageOf([], 'broken')).toBeUndefined();
});

it('estimates an answer that broke off before its output was reported', () => {
  const pieces = [said('twelve bytes', { promptTokenCount: 9 }), said('ö')];
  expect(usageOf(pieces, 'broken')).toEqual({ inputTokens: 9, outputTokens: 4 });
});

it('estimates an answer without figures, whole or not', () => {
  const usage = { inputTokens: PROMPT_TOKENS, outputTokens: 3 };
  expect(usageOf([said('twelve bytes')])).toEqual(usage);
  expect(usageOf([said('twelve bytes')], 'broken')).toEqual(usage);
});

it.each([-1, 1.5, '7', null, Number.NaN])('takes no notice of %p in place of a count', (promptTokenCount) => {
  const odd = { promptTokenCount: promptTokenCount as number, candidatesTokenCount: 1 };
  expect(usageOf([said('a', odd)])).toEqual({ inputTokens: PROMPT_TOKENS, outputTokens: 1 });
});

it('takes no notice of counts beyond any model', () => {
  const absurd = { promptTokenCount: 1_048_577, candidatesTokenCount: 600_000, totalTokenCount: 1e15 };
  expect(usageOf([said('twelve bytes', absurd)])).toEqual({ inputTokens: PROMPT_TOKENS, outputTokens: 3 });
});

it('finds the output in the total, where only the prompt is counted beside it', () => {
  const usage = { promptTokenCount: 10, totalTokenCount: 25 };
  expect(usageOf([said('a', usage)])).toEqual({ inputTokens: 10, outputTokens: 15, totalTokens: 25 });
});

it('estimates what came with counts of nought', () => {
  const nothing = { promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 };
  expect(usageOf([said('twelve bytes', nothing)])).toEqual({ inputTokens: PROMPT_TOKENS, outputTokens: 3 });
});

it.each([
  ['only thoughts', { promptTokenCount: 5, thoughtsTokenCount: 2 }, 10],
  ['more thoughts than text', { promptTokenCount: 5, thoughtsTokenCount: 30 }, 30],
  ['figures of an earlier moment', { promptTokenCount: 5, candidatesTokenCount: 1 }, 10],
])('takes the greater of report and estimate of an answer that broke off after %s', (_what, usage, outputTokens) => {
  expect(usageOf([said('', usage), said('x'.repeat(40))], 'broken')).toEqual({ inputTokens: 5, outputTokens });
});

it('estimates calls of functions too', () => {
  const called = {
    candidates: [{ content: { parts: [{ functionCall: { name: 'tide', args: { at: 'x'.repeat(400) } } }] } }],
  };
  expect(usageOf([called], 'broken')?.outputTokens).toBeGreaterThan(100);
});

it('remembers what the vendor calls the answer', () => {
  const meter = createTokenMeter(() => 0);
  meter.see({ responseId: 'r-1' });
  expect(meter.responseId()).toBe('r-1');
});
