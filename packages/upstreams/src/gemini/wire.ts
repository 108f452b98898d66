import type { JsonObject, Usage } from '@mediagate/contracts';
import { count, list, object, present, text } from '../json-guards';

/*
 * Blocks and usage, which all uses of generateContent share. Nothing here knows about images.
 */

/** The word of a prompt that was refused; the answer is a 200 then. */
export function blockReason(body: JsonObject): string | undefined {
  return text(object(body['promptFeedback'])['blockReason']);
}

/** Finish reasons by which the vendor withholds what it made for its content. */
export const POLICY_FINISH_REASONS: ReadonlySet<string> = new Set([
  'BLOCKLIST',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
  'IMAGE_SAFETY',
  'PROHIBITED_CONTENT',
  'RECITATION',
  'SAFETY',
  'SPII',
]);

/** `usageMetadata`; thoughts are output. Parts by modality are the text and image tokens of the prompt. */
export function readUsage(value: unknown): Usage {
  const usage = object(value);
  const candidates = count(usage['candidatesTokenCount']);
  const thoughts = count(usage['thoughtsTokenCount']);
  return present<Usage>({
    inputTokens: count(usage['promptTokenCount']),
    inputTextTokens: tokensOf('TEXT', usage['promptTokensDetails']),
    inputImageTokens: tokensOf('IMAGE', usage['promptTokensDetails']),
    cachedTextTokens: tokensOf('TEXT', usage['cacheTokensDetails']),
    cachedImageTokens: tokensOf('IMAGE', usage['cacheTokensDetails']),
    outputTokens: candidates === undefined && thoughts === undefined ? undefined : (candidates ?? 0) + (thoughts ?? 0),
    totalTokens: count(usage['totalTokenCount']),
  });
}

function tokensOf(modality: string, details: unknown): number | undefined {
  const counts = (list(details) ?? [])
    .map(object)
    .filter((detail) => detail['modality'] === modality)
    .flatMap((detail) => count(detail['tokenCount']) ?? []);
  return counts.length === 0 ? undefined : counts.reduce((sum, tokens) => sum + tokens, 0);
}
