import type { Usage } from '@mediagate/contracts';
import { count, object, present } from '../json-guards';

/**
 * Tokens as the vendor counted them. `cached_tokens` alone is cached text; `cached_tokens_details` tells text and image
 * apart. Cached tokens never exceed the tokens that they are part of.
 */
export function readUsage(value: unknown, images: number): Usage {
  const usage = object(value);
  const details = object(usage['input_tokens_details']);
  const cached = object(details['cached_tokens_details']);
  const inputTextTokens = count(details['text_tokens']);
  const inputImageTokens = count(details['image_tokens']);
  return present<Usage>({
    images,
    inputTokens: count(usage['input_tokens']),
    inputTextTokens,
    inputImageTokens,
    cachedTextTokens: atMost(count(cached['text_tokens']) ?? count(details['cached_tokens']), inputTextTokens),
    cachedImageTokens: atMost(count(cached['image_tokens']), inputImageTokens),
    outputTokens: count(usage['output_tokens']),
    totalTokens: count(usage['total_tokens']),
  });
}

function atMost(part: number | undefined, total: number | undefined): number | undefined {
  return part === undefined || total === undefined ? part : Math.min(part, total);
}
