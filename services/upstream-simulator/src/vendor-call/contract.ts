import type { Request } from 'express';
import type { Faults } from '../faults/chooser';

export type JsonObject = Record<string, unknown>;

/** What a vendor answers: a JSON body, or an HTML page for what stands in front of the vendor. */
export interface Reply {
  status: number;
  body: JsonObject | { html: string };
  headers?: Record<string, string>;
}

/** A vendor's own refusal. Thrown from any depth of reading and checking a request, sent as it is. */
export class Refusal extends Error {
  readonly reply: Reply;
  constructor(reply: Reply) {
    super(`refused with ${reply.status}`);
    this.name = 'Refusal';
    this.reply = reply;
  }
}

/** The refusals that faults ask for; each vendor has its own words for them. */
export type RefusalName = 'auth' | 'rate-limit' | 'quota' | '5xx' | 'busy' | 'policy-submit';

export interface RefusalDetails {
  requestId: string;
  /** For `5xx`. */
  status: number;
  /** For `rate-limit`: undefined when nothing asked for a figure. */
  retryAfterMs: number | undefined;
}

/** What one vendor's endpoints have in common. */
export interface Wire {
  name: 'openai' | 'gemini' | 'ark';
  newRequestId(): string;
  /** Throws a Refusal in the vendor's words when the key is missing or wrong. */
  checkKey(request: Request, requestId: string): void;
  /** Headers on every reply, refusals included. */
  replyHeaders(requestId: string, window: RateWindowState): Record<string, string>;
  refuse(name: RefusalName, details: RefusalDetails): Reply;
  unknownPath(method: string, path: string): Reply;
}

export interface RateWindowState {
  limit: number;
  remaining: number;
  resetMs: number;
}

/** One paid operation of a vendor, in the order in which a call goes through it. */
export interface Endpoint<Body, Job> {
  /** Reads the bounded body; throws a Refusal when it cannot be read at all. */
  read(request: Request, requestId: string): Promise<Body>;
  /** Model and raw prompt, as far as they can be made out before anything is checked. */
  describe(request: Request, body: Body): { model: string; prompt: string };
  /** Checks everything as strictly as the vendor and fetches what the request points to; throws a Refusal. */
  prepare(body: Body, call: Call): Promise<Job>;
  /** Does the paid work and answers. */
  run(job: Job, call: Call): Promise<Reply>;
}

export interface Call {
  requestId: string;
  request: Request;
  faults: Faults;
  /** Puts a sentence into the journal: something a vendor lets pass but a careful caller would not send. */
  warn(sentence: string): void;
}
