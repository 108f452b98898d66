import { estimateContentTokens, LONGEST_CANDIDATE, LONGEST_CONTEXT, MAX_CANDIDATES } from '@mediagate/catalog';
import { isJsonObject, type Json, type JsonObject, type Usage } from '@mediagate/contracts';

/** Learns from the pieces of an answer what it used. */
export interface TokenMeter {
  see(piece: JsonObject): void;
  /** Undefined: nothing of the answer came. */
  usage(end: 'whole' | 'broken'): Usage | undefined;
  /** The vendor's id of the answer, for support cases. */
  responseId(): string | undefined;
  /** The vendor's name of the model that answered; undefined: it does not say. */
  answeredBy(): string | undefined;
}

const MAX_ID_CHARACTERS = 200;
const LONGEST_ANSWER = LONGEST_CANDIDATE * MAX_CANDIDATES;
const LONGEST_TOTAL = 2 * LONGEST_CONTEXT + LONGEST_ANSWER;

/**
 * The last figures reported count, for each of them is of all that came before. What they leave out, and what an answer that
 * broke off had sent since, is counted by what came, like a prompt; a count beyond any model is none.
 *
 * @param onFirst called with the first piece.
 * @param promptTokens the estimate of the prompt, asked for only where it was never reported.
 */
export function createTokenMeter(promptTokens: () => number, onFirst: () => void = () => undefined): TokenMeter {
  let reported: Reported = {};
  let responseId: string | undefined;
  let answeredBy: string | undefined;
  let seen = false;
  let estimated = 0;
  return {
    responseId: () => responseId,
    answeredBy: () => answeredBy,
    see(piece) {
      if (!seen) onFirst();
      seen = true;
      const usage = piece['usageMetadata'];
      if (isJsonObject(usage)) reported = readReport(usage);
      const id = piece['responseId'];
      if (typeof id === 'string') responseId = storable(id);
      const model = piece['modelVersion'];
      if (typeof model === 'string') answeredBy = storable(model.replace(/^models\//, ''));
      estimated += candidateTokens(piece['candidates']);
    },
    usage(end) {
      if (!seen) return undefined;
      const { prompt, toolUse = 0, cached, total } = reported;
      // Where something was generated, nought for the prompt is no count.
      const isCounted = prompt !== undefined && (prompt > 0 || estimated === 0);
      const inputTokens = isCounted ? prompt + toolUse : promptTokens();
      const outputTokens = outputOf(reported, estimated, end);
      return {
        inputTokens,
        outputTokens,
        ...(cached === undefined ? {} : { cachedTextTokens: cached }),
        ...(total === undefined || total < inputTokens + outputTokens ? {} : { totalTokens: total }),
      };
    },
  };
}

/** Makes a vendor's name fit into a row: no control characters, and no half of a character. */
function storable(name: string): string {
  return name.slice(0, MAX_ID_CHARACTERS).replace(/[\p{Cc}\p{Cs}]/gu, '');
}

type Reported = Partial<Record<'prompt' | 'toolUse' | 'candidates' | 'thoughts' | 'cached' | 'total', number>>;

/** `usageMetadata`: cached content is part of the prompt; what tools read on the way is put before the model like it. */
function readReport(usage: JsonObject): Reported {
  const counts = {
    prompt: count(usage['promptTokenCount'], LONGEST_CONTEXT),
    toolUse: count(usage['toolUsePromptTokenCount'], LONGEST_CONTEXT),
    candidates: count(usage['candidatesTokenCount'], LONGEST_ANSWER),
    thoughts: count(usage['thoughtsTokenCount'], LONGEST_ANSWER),
    cached: count(usage['cachedContentTokenCount'], LONGEST_CONTEXT),
    total: count(usage['totalTokenCount'], LONGEST_TOTAL),
  };
  return Object.fromEntries(Object.entries(counts).filter(([, tokens]) => tokens !== undefined));
}

/** Thoughts are output. */
function outputOf(reported: Reported, estimated: number, end: 'whole' | 'broken'): number {
  const { candidates, thoughts = 0 } = reported;
  const output = candidates === undefined ? restOf(reported) : candidates + thoughts;
  if (end === 'whole' && output !== undefined && output > 0) return output;
  return Math.max(output ?? thoughts, estimated);
}

/** The total without what went in. */
function restOf({ prompt, toolUse = 0, total }: Reported): number | undefined {
  if (prompt === undefined || total === undefined) return undefined;
  const rest = total - prompt - toolUse;
  return rest < 0 || rest > LONGEST_ANSWER ? undefined : rest;
}

function count(value: unknown, most: number): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most ? value : undefined;
}

function candidateTokens(candidates: Json | undefined): number {
  if (!Array.isArray(candidates)) return 0;
  let tokens = 0;
  for (const { content } of candidates.filter(isJsonObject)) tokens += estimateContentTokens(content);
  return tokens;
}
