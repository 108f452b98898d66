import { postCallback } from './post-callback';
import type { SendingRules } from './sending-rules';
import type { Prepared, Sent } from './stages';

export interface SendDeps {
  rules(): SendingRules;
}

/** One request, with the bytes that were counted. */
export async function send(prepared: Prepared, deps: SendDeps): Promise<Sent> {
  const { url, headers, attempt } = prepared;
  const request = { owner: prepared, url, headers, body: attempt.body };
  return { ...prepared, ...(await postCallback(request, deps.rules())) };
}
