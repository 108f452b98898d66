import type { Readable } from 'node:stream';
import type { Refused } from '@mediagate/contracts';
import type { CallContext } from '../contract';

export const TEXT_METHODS = ['generateContent', 'streamGenerateContent', 'countTokens'] as const;
export type TextMethod = (typeof TEXT_METHODS)[number];

export interface TextCall {
  method: TextMethod;
  /** Asks for server-sent events (`alt=sse`); only for `streamGenerateContent`, whose answer is one JSON array without. */
  sse: boolean;
  /** The caller's JSON, forwarded to the byte. */
  body: Buffer;
}

/** The vendor has begun to answer. */
export interface TextAnswer {
  kind: 'answer';
  status: 200;
  /** What the body is: one object, an array of them that grows, or events. */
  form: 'object' | 'array' | 'sse';
  /** To be sent on: `application/json; charset=UTF-8` or `text/event-stream`. */
  contentType: string;
  /** The bytes as they come. Breaks with a `BrokenAnswerError`; must be read to its end or destroyed. */
  body: Readable;
  requestIds?: string[];
}

/** One vendor's native text protocol, called by whoever waits for the answer. Never retries, and never throws. */
export interface TextUpstream {
  /** The channels' word for it in the configuration file. */
  protocol: string;
  /** Resolves when the vendor has begun to answer with a success, or with the fault that came instead. */
  call(call: TextCall, context: CallContext): Promise<TextAnswer | Refused>;
}
