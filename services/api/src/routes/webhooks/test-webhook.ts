import { type Call, sendJson } from '../../http/exchange';
import { readJsonObject } from '../../http/json-body';
import { invalid, missing } from '../../use-cases/invalid';
import type { SendTestCallback } from '../../use-cases/send-test-callback';

export interface TestWebhookDeps {
  sendTestCallback: SendTestCallback;
}

/** POST /v1/webhooks/test: whatever becomes of the callback is an answer of 200. */
export function createTestWebhook({ sendTestCallback }: TestWebhookDeps): (call: Call) => Promise<void> {
  return async (call) => {
    const { url } = await readJsonObject(call);
    if (url === undefined) throw missing('url', 'required');
    if (typeof url !== 'string') throw invalid('url', 'must_be_string');
    if (url.trim() === '') throw missing('url', 'required');
    const { delivered, status, error, durationMs } = await sendTestCallback(call.caller.accountId, url);
    sendJson(call.response, 200, { code: 200, data: { delivered, status, error, duration_ms: durationMs } });
  };
}
