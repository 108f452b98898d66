import type { Request } from 'express';
import type { Faults } from '../faults/chooser';
import type { ScenarioName } from '../faults/table';
import type { VendorJob } from '../jobs/vendor-job';
import type { Operation } from '../journal/journal';

export type JsonObject = Record<string, unknown>;

/** A vendor's answer: a JSON body, or an HTML page for what stands in front of the vendor. */
export interface Reply {
  status: number;
  body: JsonObject | JsonObject[] | { html: string };
  headers?: Record<string, string>;
}

/** An answer that goes out as it is made. */
export interface StreamedReply {
  status: 200;
  /** With the content type. */
  headers: Record<string, string>;
  /** Whole events, of an event stream. Throws when the work fails; ends early when the call's `stop` fires. */
  chunks: AsyncIterable<Buffer>;
  /** Bytes that `malformed` puts in the place of the chunks; bare sound breaks off instead. */
  spoiling?: Buffer;
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
export type RefusalName =
  | 'auth'
  /** Too many requests in a time. */
  | 'rate-limit'
  /** Too many of them, or of jobs, at once. */
  | 'concurrency'
  /** An allowance is used up, as of a day or of a trial. */
  | 'quota'
  /** The account has no money, or owes some. */
  | 'balance'
  /** The same as 402. */
  | 'payment'
  /** The account has used up what its subscription grants for some hours or days. */
  | 'plan-window'
  /** The vendor no longer serves the model, to anybody or to accounts that did not use it before. */
  | 'retired'
  | 'new-users'
  | '5xx'
  | 'busy'
  | 'policy-submit';

/** How a vendor says it; or a sentence: why it never does. */
export type Word = ((details: RefusalDetails) => Reply) | string;
export type Words = Readonly<Record<RefusalName, Word>>;

export interface RefusalDetails {
  requestId: string;
  /** The one that was asked for. */
  model: string;
  /** The status that `5xx` answers with. */
  status: number;
  /** For vendors that put the wait elsewhere than into `Retry-After`; undefined when there is no figure. */
  retryAfterMs: number | undefined;
}

/** The manners that one vendor's endpoints have in common. */
export interface Wire {
  /** The name of the vendor's folder. */
  name: string;
  newRequestId(): string;
  /** Throws a Refusal in the vendor's words when the key is missing or wrong. */
  checkKey(request: Request, requestId: string): void;
  /** Headers on every reply, refusals included. */
  replyHeaders(requestId: string, window: RateWindowState): Record<string, string>;
  words: Words;
  /** Faults that this vendor cannot have, and why, beside the refusals for which it has no words. */
  cannot?: Readonly<Partial<Record<ScenarioName, string>>>;
  /** Where a start asks to be called back, and what is posted there as its job goes on; absent: the vendor calls nobody. */
  callback?: {
    address(request: Request, body: JsonObject, job: VendorJob<unknown>): string | undefined;
    report(job: VendorJob<unknown>): JsonObject;
    /** Shares of the work after which it is posted: the end alone when it is left out. */
    at?: readonly number[];
    /** A job that was cancelled is reported, too. */
    ofCancelled?: true;
  };
  /** How a refusal is framed, where that depends on what was asked for. */
  frameRefusal?(reply: Reply, request: Request): Reply;
  unknownPath(method: string, path: string): Reply;
}

export interface RateWindowState {
  limit: number;
  remaining: number;
  resetMs: number;
}

/** One paid operation of a vendor, in the order in which a call goes through it. */
export type Endpoint<Body, Job> = Reading<Body, Job> & (Waited<Job> | Started<Job>);

export interface Reading<Body, Job> {
  /** Reads the bounded body; throws a Refusal when it cannot be read at all. */
  read(request: Request, requestId: string): Promise<Body>;
  /** Model and raw prompt, as far as they can be made out before anything is checked. */
  describe(request: Request, body: Body): { model: string; prompt: string };
  /** Checks everything as strictly as the vendor and fetches what the request points to; throws a Refusal. */
  prepare(body: Body, call: Call): Promise<Job>;
}

/** The caller waits for the work. */
interface Waited<Job> {
  /** Whether the answer begins at once; else it takes the time of an image. */
  isAtOnce?(job: Job): boolean;
  /** Does the paid work and answers. */
  run(job: Job, call: Call): Promise<Reply | StreamedReply>;
}

/** The caller gets an id, and asks for the work later. */
interface Started<Job> {
  /** Books the job, from which on the vendor charges; throws a Refusal of what only shows by then. */
  start(job: Job, call: Call): { externalId: string; reply: Reply };
}

/** An operation that costs nothing: asking after a job, cancelling it, a moderation. */
export interface Question<Subject> {
  operation: Operation;
  /** Finds the subject of the question, from path, query or bounded body; throws a Refusal. */
  find(request: Request, requestId: string): Subject | Promise<Subject>;
  about(subject: Subject): QuestionFacts;
  answer(subject: Subject, call: Call): Reply | Promise<Reply>;
}

export interface QuestionFacts {
  model: string;
  /** Raw, as far as it is known: rules match on it, and a directive in it is obeyed. */
  prompt: string;
  externalId?: string | undefined;
  /** The faults chosen when the job asked after was started. */
  jobFaults?: Faults | undefined;
  /** The body for the journal. */
  body?: unknown;
}

export interface Call {
  requestId: string;
  request: Request;
  faults: Faults;
  /** Fires when the caller hangs up or the simulator stops. */
  stop: AbortSignal;
  /** Puts a sentence into the journal: something a vendor lets pass but a careful caller would not send. */
  warn(sentence: string): void;
}
