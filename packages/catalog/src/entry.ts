import type {
  CallersPart,
  Failure,
  Family,
  JsonObject,
  KnownMedia,
  LoadedMedia,
  MediaReference,
  Message,
  Nano,
  TaskKind,
  TaskStatus,
  Usage,
} from '@mediagate/contracts';
import type { ModeratedContent } from './moderation';

/**
 * Rates of one input in nano-units, by unit name, or the one price of its billing key under that key's name; snapshotted on
 * the task so that a later price change never re-prices it.
 */
export type Rates = Record<string, Nano>;

export interface ParsedInput {
  ok: true;
  /** Defaults applied, unknown fields dropped, aliases and letter case normalised: all other code stores and reads this. */
  input: JsonObject;
  /** Fields that were ignored or changed, in the caller's terms. */
  warnings: Message[];
  /** Fields that were ignored without a word, because the body is in a mode that has no use for them; absent: none. */
  dropped?: readonly string[];
}

export interface RejectedInput {
  ok: false;
  /** The code of the first failure. */
  code: 'invalid_request' | 'conflicting_parameters';
  /** Everything that is wrong, each of another field; at most `MAX_FAILURES`. */
  failures: readonly [Failure, ...Failure[]];
}

/** An earlier task whose result this one works on, as the body names it. */
export interface SourceReference {
  /** Where in the body it stands, for messages: `task_id`. */
  field: string;
  taskId: string;
}

/** The earlier task that an input names. It belongs to the caller's account. */
export interface SourceTask {
  id: string;
  model: string;
  kind: TaskKind;
  operation: string;
  status: TaskStatus;
  input: JsonObject;
  /** As its entry says; absent: nothing is known of it. */
  callersPart?: CallersPart;
  /** Absent until it is completed. */
  result?: JsonObject;
  /** Where its last attempt is or was, and what that channel calls the job; absent before an upstream accepted it. */
  upstream?: { channelId: string; protocol: string; externalId?: string };
  /** It has not ended, and another task goes on with it that has not failed. */
  isContinued?: boolean;
}

/** An address in the body: where it stands there, and what it is. */
export interface NamedAddress {
  /** `image_urls[0]` */
  field: string;
  url: string;
}

export interface MediaProblem {
  param: string;
  /** Names the files, the limit and what was found. */
  message: Message;
}

/** The billing keys of an operation that is priced by the task, at a price that depends on the input. */
export interface Billing {
  /** Every key that some input may be billed under; the last resort of all is the model's id. */
  known: readonly string[];
  /** This input's keys, most specific first: the first that has a price decides. */
  keys(input: JsonObject): readonly string[];
}

/** Where callers submit an operation that has paths of its own. */
export interface ModelRoute {
  paths: readonly [string, ...string[]];
  /** The operation in a few words. */
  summary: string;
}

/**
 * One operation of one model as the rest of the system sees it: its input type is erased behind `parse`, which alone lets
 * input in. No two have the same `id` and `operation`.
 */
export interface CatalogueEntry {
  id: string;
  aliases: readonly string[];
  family: Family;
  kind: TaskKind;
  /** The API operation that offers the model, for example `images.generations`. */
  operation: string;
  /** Absent: a route of the API names the operation. */
  route?: ModelRoute;
  /** Bumped when schema or pricing changes; stored on the task. */
  version: number;
  /** The caller waits for the answer and gets it as it is made; nothing of it is kept, and without the caller there is no task. */
  synchronous: boolean;
  /** The configuration file describes it, its prices too. */
  isDescribed?: true;
  /** Stands in for a model that there is no more: nothing of it can begin. */
  isGone?: true;
  unsupportedParameters: readonly string[];
  /** To OpenAI's clients, unless they ask for links. */
  answersInBase64: boolean;
  /** `metadata` is a parameter of the model, and may be any object. */
  takesAnyMetadata: boolean;
  /** JSON Schema of the body, for the API reference. */
  schema: JsonObject;
  examples: readonly JsonObject[];
  /** Currency units per unit name, or, with `billing`, of a task by billing key; the configuration may override each. */
  defaultPrices: Readonly<Record<string, number>>;
  /** Absent: priced by units, under the model's id. */
  billing?: Billing;
  /** A task fails unless it has begun so long after its submission, as one with that `expires_in`; absent: no such limit. */
  startWithinSeconds?: number;
  /** From the beginning of a task that must begin within some time, else from its submission, to its refund unless it has ended. */
  deadlineMs: number;
  resultLifetimeMs: number;
  /** Compiles the schema now, which the first `parse` does else. @throws Error on a schema that Ajv's strict mode refuses. */
  compile(): void;
  parse(body: JsonObject): ParsedInput | RejectedInput;
  /** The most the task can cost. */
  reserve(input: JsonObject, rates: Rates): Nano;
  /** Enough to be held where there is less money than `reserve` says; undefined: nothing less will do. */
  least(input: JsonObject, rates: Rates): Nano | undefined;
  /** The input of which `reserve` says no more than `nano`, which is what was held in place of it. */
  within(input: JsonObject, nano: Nano, rates: Rates): JsonObject;
  /** The task's cost for the reported usage; the runtime never lets it exceed the reservation. */
  settle(input: JsonObject, usage: Usage, rates: Rates): Nano;
  media(input: JsonObject): MediaReference[];
  /** Web pages that the upstream reads by itself: nobody fetches them here, so only their addresses can be judged. */
  pages(input: JsonObject): NamedAddress[];
  /** The earlier task that this one works on; undefined: none. */
  source(input: JsonObject): SourceReference | undefined;
  /** The source waits for this task, and for no other. */
  continuesSource: boolean;
  /**
   * Judges the source and takes from it what the job needs, into the input, so that nobody has to look it up again: the
   * source may expire before the job begins.
   */
  bindSource(input: JsonObject, source: SourceTask): ParsedInput | RejectedInput;
  /**
   * The channel that made what this task works on, as its id; undefined: it works on nothing, or none did. That channel is
   * asked before all others, whatever its priority.
   */
  madeBy(input: JsonObject): string | undefined;
  /**
   * The part of the result that the caller brought: `all` (no model makes it, what came in comes out, as it was or cut), `some` (it went in),
   * `none`.
   */
  callersPart(input: JsonObject): CallersPart;
  /** The content to review before the task is accepted, because the caller asked for it; undefined: nothing. */
  moderate(input: JsonObject): ModeratedContent | undefined;
  /**
   * Judges what only all files together can break: totals, and properties that must be alike. `media` are the caller's files in
   * the order of `media(input)`; a property that is not known of a file is not held against it.
   */
  checkMedia(input: JsonObject, media: readonly KnownMedia[]): MediaProblem | undefined;
  /** The vendor-neutral request; `media` are the caller's files in the order of `media(input)`. */
  request(input: JsonObject, media: readonly LoadedMedia[]): JsonObject;
  /** How many outputs the input asks for; undefined: it names no number. */
  outputsAsked(input: JsonObject): number | undefined;
  /** The caller's field behind a part of that request; undefined: no field of the caller's is to blame for it. */
  fieldOf(input: JsonObject, part: string): string | undefined;
}
