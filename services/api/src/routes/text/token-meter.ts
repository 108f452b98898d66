import { isJsonObject, type JsonObject, type Usage } from '@mediagate/contracts';

/** Learns from the pieces of an answer what it used. */
export interface TokenMeter {
  see(piece: JsonObject): void;
  /** Bytes of the answer that were no complete piece. */
  seeBytes(bytes: number): void;
  /** Undefined: nothing of the answer came. */
  usage(end: 'whole' | 'broken'): Usage | undefined;
  /** What the vendor calls the answer, for support cases. */
  responseId(): string | undefined;
}

const BYTES_PER_TOKEN = 4;
const MAX_ID_CHARACTERS = 200;
/** Beyond any context; what a vendor reports above it is an error of its own. */
const MAX_TOKENS = 1_000_000_000;

/**
 * The last figures reported count, for each of them is of all that came before. Where an answer broke off before its output
 * was reported, and where nothing ever was, the text that came is counted like that of a prompt.
 *
 * @param promptTokens the estimate of the prompt, asked for only where it was never reported.
 */
export function createTokenMeter(promptTokens: () => number): TokenMeter {
  let reported: JsonObject | undefined;
  let responseId: string | undefined;
  let seen = false;
  let bytes = 0;
  return {
    responseId: () => responseId,
    see(piece) {
      seen = true;
      const usage = piece['usageMetadata'];
      if (isJsonObject(usage)) reported = usage;
      const id = piece['responseId'];
      if (typeof id === 'string') responseId = id.slice(0, MAX_ID_CHARACTERS);
      bytes += textBytes(piece['candidates']);
    },
    seeBytes(count) {
      seen ||= count > 0;
      bytes += count;
    },
    usage(end) {
      if (!seen) return undefined;
      const { inputTokens = promptTokens(), outputTokens, ...rest } = readUsage(reported);
      const generated = Math.ceil(bytes / BYTES_PER_TOKEN);
      const isComplete = reported !== undefined && end === 'whole';
      return { inputTokens, outputTokens: outputTokens ?? (isComplete ? 0 : generated), ...rest };
    },
  };
}

/** `usageMetadata`: thoughts are output, and cached content is part of the prompt. */
function readUsage(reported: JsonObject | undefined): Usage {
  const candidates = count(reported?.['candidatesTokenCount']);
  const thoughts = count(reported?.['thoughtsTokenCount']);
  const prompt = count(reported?.['promptTokenCount']);
  // What tools read on the way is put before the model like the prompt.
  const toolUse = count(reported?.['toolUsePromptTokenCount']) ?? 0;
  const cached = count(reported?.['cachedContentTokenCount']);
  const total = count(reported?.['totalTokenCount']);
  return {
    ...(prompt === undefined ? {} : { inputTokens: prompt + toolUse }),
    ...(candidates === undefined && thoughts === undefined
      ? {}
      : { outputTokens: (candidates ?? 0) + (thoughts ?? 0) }),
    ...(cached === undefined ? {} : { cachedTextTokens: cached }),
    ...(total === undefined ? {} : { totalTokens: total }),
  };
}

function count(value: unknown): number | undefined {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) return undefined;
  return Math.min(value, MAX_TOKENS);
}

function textBytes(candidates: unknown): number {
  if (!Array.isArray(candidates)) return 0;
  let bytes = 0;
  for (const { content } of candidates.filter(isJsonObject)) {
    const parts = isJsonObject(content) ? content['parts'] : undefined;
    if (!Array.isArray(parts)) continue;
    for (const { text } of parts.filter(isJsonObject)) if (typeof text === 'string') bytes += Buffer.byteLength(text);
  }
  return bytes;
}
