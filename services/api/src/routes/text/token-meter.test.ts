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
    ...{ inputTokens: 10, cachedTextTokens: 4, outputTokens: 8 },
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
  const meter = createTokenMeter(() => PROMPT_TOKENS);
  meter.seeBytes(0);
  expect(meter.usage('broken')).toBeUndefined();
});

it('estimates an answer that broke off before its output was reported', () => {
  const pieces = [said('twelve bytes', { promptTokenCount: 9 }), said('ö')];
  expect(usageOf(pieces, 'broken')).toEqual({ inputTokens: 9, outputTokens: 4 });
});

it('estimates an answer without figures, whole or not', () => {
  const usage = { inputTokens: PROMPT_TOKENS, outputTokens: 3 };
  expect(usageOf([said('twelve bytes')])).toEqual(usage);
  expect(usageOf([said('twelve bytes')], 'broken')).toEqual(usage);
  const meter = createTokenMeter(() => PROMPT_TOKENS);
  meter.seeBytes(9);
  expect(meter.usage('broken')).toEqual(usage);
});

it.each([-1, 1.5, '7', null, Number.NaN])('takes no notice of %p in place of a count', (promptTokenCount) => {
  const odd = { promptTokenCount: promptTokenCount as number, candidatesTokenCount: 1 };
  expect(usageOf([said('a', odd)])).toEqual({ inputTokens: PROMPT_TOKENS, outputTokens: 1 });
});

it('keeps absurd counts within what the books can hold', () => {
  expect(usageOf([said('a', { promptTokenCount: 1e15, candidatesTokenCount: 1 })])?.inputTokens).toBe(1_000_000_000);
});

it('remembers what the vendor calls the answer', () => {
  const meter = createTokenMeter(() => 0);
  meter.see({ responseId: 'r-1' });
  expect(meter.responseId()).toBe('r-1');
});
