import type { JsonObject, Refused } from '@mediagate/contracts';
import { type AnswerBytes, collect } from './answer-body';
import type { CallContext } from './contract';

export const TEXT_METHODS = ['generateContent', 'streamGenerateContent', 'countTokens'] as const;
export type TextMethod = (typeof TEXT_METHODS)[number];

export interface TextCall {
  method: TextMethod;
  /** Asks for server-sent events (`alt=sse`); only for `streamGenerateContent`, whose answer is one JSON array without. */
  sse: boolean;
  /** False: the model is to call one function at a time. The body has no word for it; passed over where the vendor has none. */
  parallelToolCalls?: boolean | undefined;
  /** The caller's JSON, forwarded to the byte. */
  body: Buffer;
  /** The same, parsed. */
  json: JsonObject;
}

/** The vendor has begun to answer with a success. */
export interface TextAnswer {
  kind: 'answer';
  status: 200;
  /** `text/event-stream` where events were asked for, else `application/json`. */
  contentType: string;
  /** Breaks with a `BrokenAnswerError`; must be read to its end or closed. */
  body: AnswerBytes;
}

/** A success of a vendor, its answer as it came. */
export function textAnswer(contentType: string, body: AnswerBytes): TextAnswer {
  return { kind: 'answer', status: 200, contentType, body };
}

/** A success whose pieces are made of a vendor's answer. */
export function streamedText(contentType: string, pieces: AsyncIterable<Buffer>, close = () => {}): TextAnswer {
  const whole: AnswerBytes['whole'] = (take) => collect(pieces, take);
  return textAnswer(contentType, { [Symbol.asyncIterator]: () => pieces[Symbol.asyncIterator](), whole, close });
}

/**
 * A vendor's text protocol, for whoever calls it while his own caller waits. Never retries. Requests and answers have one shape,
 * that of the native endpoint (docs/adr/0015-synchronous-tasks-are-leased-and-limited.md), whatever the vendor's own is.
 */
export interface TextUpstream {
  /** The channels' word for it in the configuration file. */
  protocol: string;
  /** Types of images that its vendors read within a body. */
  imageTypes: readonly string[];
  /**
   * Resolves when the vendor has begun to answer with a success, or with the fault that came instead, whatever the vendor
   * or the network does. Of a `bad_request` the fault has the vendor's own words where they name nobody. A success may
   * still say in its body that the prompt was blocked, or, in a later event, that the vendor failed.
   */
  call(call: TextCall, context: CallContext): Promise<TextAnswer | Refused>;
}
