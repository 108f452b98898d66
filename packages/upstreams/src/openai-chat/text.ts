import type { JsonObject } from '@mediagate/contracts';
import type { CallContext, Endpoint } from '../contract';
import type { HttpClient } from '../http-client';
import { present, text } from '../json-guards';
import { lackOfImages } from '../text-request';
import { streamedText, type TextUpstream } from '../text-upstream';
import { cannotCarry, refused } from '../vendor-call';
import { streamVendor } from '../vendor-stream';
import { chunksToPieces, completionToPiece } from './answer';
import { chatErrors } from './errors';
import { toChatRequest } from './request';

/** Until the server begins to answer: a whole answer only once the model has thought it all. At most. */
const TIMEOUT_SECONDS = 300;
/** A model that thinks in the middle of its answer says nothing for long. */
const STALL_MS = 120_000;
/** Texts alone: no model says more. */
const ANSWER_MAX_BYTES = 32 * 1024 * 1024;
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/** Text by chat completions: requests and answers are turned from the one shape of text here into theirs, and back. */
export function createOpenAiChatText(http: HttpClient): TextUpstream {
  return {
    protocol: 'openai-chat',
    imageTypes: IMAGE_TYPES,
    async call(call, context) {
      const { endpoint, owner, signal, onSent } = context;
      const unread = lackOfImages(call.json, IMAGE_TYPES);
      if (unread) return cannotCarry(unread);
      const request = toChatRequest(call, endpoint);
      if (!request.ok) return cannotCarry(request.lack);
      const contentType = call.sse ? 'text/event-stream' : 'application/json';
      const reply = await streamVendor(http, {
        method: 'POST',
        url: urlOf(endpoint),
        headers: headersOf(endpoint),
        endpoint,
        body: Buffer.from(JSON.stringify(request.body)),
        owner,
        signal,
        onSent,
        headersTimeoutMs: timeoutMs(context),
        bodyTimeoutMs: STALL_MS,
        maxBodyBytes: ANSWER_MAX_BYTES,
        accepts: (mediaType) => mediaType === contentType,
        dialect: chatErrors,
        confidential: { apiKey: endpoint.apiKey },
      });
      if (!reply.ok) return refused(reply.fault, [reply.requestId]);
      const { body } = reply.answer;
      return streamedText(contentType, call.sse ? chunksToPieces(body) : completionToPiece(body), () => body.close());
    },
  };
}

function urlOf({ baseUrl, model, options }: Endpoint): string {
  const path = options['path'] === 'deployment' ? `/deployments/${encodeURIComponent(model)}` : '';
  const version = text(options['api_version']);
  const query = version === undefined ? '' : `?api-version=${encodeURIComponent(version)}`;
  return `${baseUrl}${path}/chat/completions${query}`;
}

function headersOf({ apiKey, options }: Endpoint): Record<string, string> {
  const isAzure = options['key_header'] === 'api-key';
  return present<JsonObject & Record<string, string>>({
    'content-type': 'application/json',
    ...(isAzure ? { 'api-key': apiKey } : { authorization: `Bearer ${apiKey}` }),
  });
}

function timeoutMs({ endpoint }: CallContext): number {
  const seconds = endpoint.options['timeout_seconds'];
  return (typeof seconds === 'number' ? seconds : TIMEOUT_SECONDS) * 1000;
}
