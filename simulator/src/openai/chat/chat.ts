import type { Endpoint, JsonObject } from '../../vendor-call/contract';
import { textOf as asText, isJsonObject } from '../../vendor-call/request-body';
import { readJsonBody } from '../json-body';
import { streamedCompletion, wholeCompletion, writeCompletion } from './completion';
import { toOrder } from './order';
import { type ChatBody, checkChatRequest } from './request';

const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** `POST /v1/chat/completions`, by models that write as those of any vendor here do. */
export function createChat(): Endpoint<JsonObject, ChatBody & { thinks: boolean }> {
  return {
    read: (request) => readJsonBody(request, MAX_BODY_BYTES),
    describe: (_request, body) => ({ model: asText(body['model']), prompt: promptOf(body) }),
    prepare: async (body) => checkChatRequest(body),
    isAtOnce: () => true,
    async run(body, { faults }) {
      if (faults.take('wrong-type')) return { status: 200, body: { choices: 'none', usage: 42 } };
      const filtered = faults.take('policy-result') !== undefined;
      const completion = writeCompletion({ ...toOrder(body), model: body.model }, filtered);
      if (faults.take('empty-result')) completion.candidates = [];
      if (body.stream) return streamedCompletion(completion, body.stream_options?.include_usage ?? false);
      return { status: 200, body: wholeCompletion(completion) };
    },
  };
}

/** Raw, as far as it can be made out before anything is checked. */
function promptOf({ messages }: JsonObject): string {
  const sent = Array.isArray(messages) ? messages.filter(isJsonObject) : [];
  return sent.map(({ content }) => (typeof content === 'string' ? content : rawTexts(content))).join('\n');
}

function rawTexts(content: unknown): string {
  const parts = Array.isArray(content) ? content.filter(isJsonObject) : [];
  return parts.map(({ text }) => asText(text)).join('\n');
}
