import { message } from '@mediagate/contracts';
import { createGeminiKey, methodUrl } from '../gemini-call';
import { geminiErrors } from '../gemini-errors';
import type { HttpClient } from '../http-client';
import { lackOfImages } from '../text-request';
import { type TextCall, type TextUpstream, textAnswer } from '../text-upstream';
import { signLostCalls } from '../thought-signatures';
import { cannotCarry, refused } from '../vendor-call';
import { streamVendor } from '../vendor-stream';
import { publicWords } from './public-words';
import { lackOfCandidates, thinkLeast } from './third-generation';

/**
 * Until the vendor begins to answer, which for an answer in one piece is when the model has thought it all. At most: callers
 * wait, and their connections are cut soon after so long a silence.
 */
const TIMEOUT_SECONDS = 300;
/** A model that thinks in the middle of its answer says nothing for long. */
const STALL_MS = 120_000;
/** Images come in the answers of some models. */
const ANSWER_MAX_BYTES = 256 * 1024 * 1024;
/** The vendor reads photos as telephones make them, and no GIF. */
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif'];

/**
 * Text by the vendor's own protocol. It shares its channels with the adapter for images, and how they are set up: an
 * option `timeout_seconds` counts until the answer begins, up to 300.
 */
export function createGeminiText(http: HttpClient): TextUpstream {
  const credentials = createGeminiKey(http);
  return {
    protocol: 'gemini',
    imageTypes: IMAGE_TYPES,
    async call({ method, sse, body, json }, { endpoint, owner, signal, onSent }) {
      const lack = lackOfImages(json, IMAGE_TYPES) ?? lackOfCandidates(json, endpoint.model);
      if (lack) return cannotCarry(lack);
      const seconds = endpoint.options['timeout_seconds'];
      const contentType = sse ? 'text/event-stream' : 'application/json';
      const reply = await streamVendor(http, {
        method: 'POST',
        url: `${methodUrl(endpoint, method)}${sse ? '?alt=sse' : ''}`,
        headers: { 'content-type': 'application/json' },
        key: { credentials, endpoint },
        body: bodyFor(endpoint.model, { body, json }),
        owner,
        signal,
        onSent,
        headersTimeoutMs: Math.min(typeof seconds === 'number' ? seconds : Infinity, TIMEOUT_SECONDS) * 1000,
        bodyTimeoutMs: STALL_MS,
        maxBodyBytes: ANSWER_MAX_BYTES,
        accepts: (mediaType) => mediaType === contentType,
        dialect: geminiErrors,
        // The prompt is not read here, and the vendor's words may quote it: none of them go into the detail.
        confidential: { apiKey: endpoint.apiKey },
      });
      if (reply.ok) return textAnswer(contentType, reply.answer.body);
      const { fault, error } = reply;
      const words = fault.code === 'bad_request' ? publicWords(error?.message, endpoint) : undefined;
      return refused(words === undefined ? fault : { ...fault, message: message('foreign', { text: words }) });
    },
  };
}

/** The caller's own bytes, where the model takes them as they are. */
function bodyFor(model: string, { body, json }: Pick<TextCall, 'body' | 'json'>): Buffer {
  const request = thinkLeast(signLostCalls(json, model), model);
  return request === json ? body : Buffer.from(JSON.stringify(request));
}
