import { type JsonObject, type Nano, proRata, type Usage } from '@mediagate/contracts';
import { estimateInputTokens } from './input-tokens';
import { partsHoldData } from './part-data';
import { asDocumented } from './spelling';
import { textInput } from './text-input';

/** The fields that the price of a call depends on; the upstream judges all others. */
interface TextInput {
  contents: readonly unknown[];
  systemInstruction?: unknown;
  generationConfig?: { maxOutputTokens?: number; candidateCount?: number };
}

interface TokenLimits {
  /** Tokens of the context: no prompt is longer. */
  input: number;
  /** Tokens of one candidate, thoughts included. */
  output: number;
  /** Answers that it writes to one prompt (default 8). */
  candidates?: number;
}

type TextRates = Readonly<Record<'text_input' | 'cached_text_input' | 'text_output', Nano>>;

const TOKENS_PER_PRICE = 1_000_000n;
/** Less is not worth asking for, where the caller names no number. */
const LEAST_OUTPUT_TOKENS = 1024;

/** All but the name and the prices of a model of the native text endpoint. */
export function textModel(limits: TokenLimits) {
  return {
    family: 'text',
    operation: 'text.generate',
    version: 1,
    synchronous: true,
    input: textInput(limits.output, limits.candidates),
    read: asDocumented,
    rules: [partsHoldData],
    ...textPricing(limits),
    media: () => [],
    // The caller's body goes to the upstream as it came.
    request: () => ({}),
    // Longer than any answer may take, so that only a call whose process died is ended by its deadline.
    deadlineMinutes: 10,
    resultLifetimeHours: 24,
  } as const;
}

/**
 * Reserves the estimate of the prompt and all that may be generated; settles on the tokens reported, thoughts counted as
 * output and cached ones inside the prompt. A call whose usage nobody knows costs what was reserved; one that used nothing, nothing.
 */
function textPricing(limits: TokenLimits) {
  const promptTokens = (input: TextInput) =>
    Math.min(estimateInputTokens(input as unknown as JsonObject), limits.input);
  function reserve(input: TextInput, rates: TextRates): Nano {
    const { maxOutputTokens = limits.output, candidateCount = 1 } = input.generationConfig ?? {};
    const prompt = promptTokens(input);
    return price({ prompt, cached: 0, output: maxOutputTokens * candidateCount }, rates);
  }
  function settle(input: TextInput, usage: Usage, rates: TextRates): Nano {
    if (usage.inputTokens === undefined && usage.outputTokens === undefined) return reserve(input, rates);
    const { inputTokens: prompt = 0, cachedTextTokens = 0, outputTokens: output = 0 } = usage;
    return price({ prompt, cached: Math.min(cachedTextTokens, prompt), output }, rates);
  }
  const askingFor = (input: TextInput, maxOutputTokens: number): TextInput => ({
    ...input,
    generationConfig: { ...input.generationConfig, maxOutputTokens },
  });
  function least(input: TextInput, rates: TextRates): Nano | undefined {
    const isGiven = input.generationConfig?.maxOutputTokens !== undefined;
    return isGiven ? undefined : reserve(askingFor(input, Math.min(LEAST_OUTPUT_TOKENS, limits.output)), rates);
  }
  /** As many tokens as the money is for. */
  function within<I extends TextInput>(input: I, nano: Nano, rates: TextRates): I {
    if (reserve(input, rates) <= nano) return input;
    const { candidateCount = 1 } = input.generationConfig ?? {};
    const forOutput = nano * TOKENS_PER_PRICE - BigInt(promptTokens(input)) * rates.text_input;
    const tokens = forOutput / (rates.text_output * BigInt(candidateCount));
    return askingFor(input, Number(tokens)) as I;
  }
  return { reserve, settle, less: { least, within } };
}

/** Rounded once, after adding up. */
function price({ prompt, cached, output }: Record<'prompt' | 'cached' | 'output', number>, rates: TextRates): Nano {
  const total =
    BigInt(prompt - cached) * rates.text_input +
    BigInt(cached) * rates.cached_text_input +
    BigInt(output) * rates.text_output;
  return proRata(1, total, TOKENS_PER_PRICE);
}
