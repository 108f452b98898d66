import type { Reply, Wire } from '../../vendor-call/contract';
import { openaiError, openaiWire } from '../wire';

/** OpenAI's manners, with the words in which it refuses to say something. */
export const speechWire: Wire = {
  ...openaiWire,
  words: { ...openaiWire.words, 'policy-submit': contentBlocked },
};

export function contentBlocked(): Reply {
  const message = 'Your input was rejected as a result of our safety system.';
  return openaiError(400, { message, type: 'invalid_request_error', param: null, code: 'content_policy_violation' });
}
