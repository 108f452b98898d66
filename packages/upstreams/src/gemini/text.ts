import type { Readable } from 'node:stream';
import { message, type Refused } from '@mediagate/contracts';
import type { CallContext } from '../contract';
import type { StreamingClient } from '../streaming-client';
import { refused } from '../vendor-call';
import { streamVendor } from '../vendor-stream';
import { geminiErrors } from './errors';
import { publicWords } from './public-words';
import { geminiHeaders, methodUrl } from './wire';

export const TEXT_METHODS = ['generateContent', 'streamGenerateContent', 'countTokens'] as const;
export type TextMethod = (typeof TEXT_METHODS)[number];

export interface TextCall {
  method: TextMethod;
  /** Asks for server-sent events (`alt=sse`); only for `streamGenerateContent`, whose answer is one JSON array without. */
  sse: boolean;
  /** The caller's JSON, forwarded to the byte. */
  body: Buffer;
}

/** The vendor has begun to answer with a success. */
export interface TextAnswer {
  kind: 'answer';
  status: 200;
  /** `text/event-stream` where events were asked for, else `application/json`. */
  contentType: string;
  /** The bytes as they come. Breaks with a `BrokenAnswerError`; must be read to its end or destroyed, which ends the call. */
  body: Readable;
}

/** One vendor's native text protocol, for whoever calls it while his own caller waits. Never retries. */
export interface TextUpstream {
  /** The channels' word for it in the configuration file. */
  protocol: string;
  /**
   * Resolves when the vendor has begun to answer with a success, or with the fault that came instead, whatever the vendor
   * or the network does. Of a `bad_request` the fault has the vendor's own words where they name nobody. A success may
   * still say in its body that the prompt was blocked, or, in a later event, that the vendor failed.
   */
  call(call: TextCall, context: CallContext): Promise<TextAnswer | Refused>;
}

/**
 * Until the vendor begins to answer, which for an answer in one piece is when the model has thought it all. At most: callers
 * wait, and their connections are cut soon after so long a silence.
 */
const TIMEOUT_SECONDS = 300;
/** A model that thinks in the middle of its answer says nothing for long. */
const STALL_MS = 120_000;
/** Images come in the answers of some models. */
const ANSWER_MAX_BYTES = 256 * 1024 * 1024;

/**
 * Text by the vendor's own protocol. It shares its channels with the adapter for images, and how they are set up: an
 * option `timeout_seconds` counts until the answer begins, up to 300.
 */
export function createGeminiText(streams: StreamingClient): TextUpstream {
  return {
    protocol: 'gemini',
    async call({ method, sse, body }, { endpoint, signal }) {
      const seconds = endpoint.options['timeout_seconds'];
      const contentType = sse ? 'text/event-stream' : 'application/json';
      const reply = await streamVendor(streams, {
        method: 'POST',
        url: `${methodUrl(endpoint, method)}${sse ? '?alt=sse' : ''}`,
        headers: geminiHeaders(endpoint),
        body,
        signal,
        headersTimeoutMs: Math.min(typeof seconds === 'number' ? seconds : Infinity, TIMEOUT_SECONDS) * 1000,
        bodyTimeoutMs: STALL_MS,
        maxBodyBytes: ANSWER_MAX_BYTES,
        accepts: (mediaType) => mediaType === contentType,
        dialect: geminiErrors,
        // What was asked is not read here, so that of the vendor's words, which may quote it, none go into the detail.
        confidential: { apiKey: endpoint.apiKey },
      });
      if (reply.ok) return { kind: 'answer', status: 200, contentType, body: reply.body };
      const { fault, error } = reply;
      const words = fault.code === 'bad_request' ? publicWords(error?.message, endpoint) : undefined;
      return refused(words === undefined ? fault : { ...fault, message: message('foreign', { text: words }) });
    },
  };
}
