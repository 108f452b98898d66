import type { Exchange } from './exchange';
import { unreadable } from './unreadable';

/** OpenAI's clients send this header in every request: the language that they are written in. */
const CLIENT_HEADER = 'x-stainless-lang';

/**
 * Turns away a client of OpenAI under another base URL: it expects images, and would get a task that is charged.
 *
 * @throws GatewayError `invalid_request`, in OpenAI's words.
 */
export function refuseOpenAiClient({ request, wording }: Pick<Exchange, 'request' | 'wording'>, base: string): void {
  if (request.headers[CLIENT_HEADER] === undefined) return;
  wording.errors = 'openai';
  throw unreadable('base_of_openai_clients', { base });
}
