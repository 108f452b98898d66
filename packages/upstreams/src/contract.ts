import type {
  CancelOutcome,
  CheckOutcome,
  Family,
  Fault,
  JsonObject,
  KnownMedia,
  LoadedMedia,
  Message,
  Owner,
  Refused,
  ShownKey,
  Started,
  StartOutcome,
} from '@mediagate/contracts';
import type { FileWriter } from '@mediagate/egress';

/** Where and as whom a call is made: one channel of the configuration file, for one model. */
export interface Endpoint {
  channelId: string;
  /** The URL before the first resource name in the vendor's documentation; no trailing slash. */
  baseUrl: string;
  apiKey: string;
  /** The vendor's own name of the model. */
  model: string;
  /** Protocol-specific switches of the channel; each adapter documents and checks its own. */
  options: JsonObject;
}

export interface StartRequest {
  /** Unique per attempt and stable over re-sends: sent wherever a vendor takes a reference or an idempotency key. */
  attemptId: string;
  /** The family's request (`ImageRequest`, ...), as the catalogue entry made it. */
  request: JsonObject;
  media: LoadedMedia[];
  /**
   * For vendors that call back when a job has moved on, whatever they say then: the job is checked early. The same over
   * re-sends. Absent: they cannot reach us.
   */
  callbackUrl?: string;
}

/** A caller's file as far as it is known. */
export type FileOutline = KnownMedia & { bytes?: number };

/** All that a task would be at a channel, but for its files' bytes. */
export interface Plan {
  request: JsonObject;
  /** In the order of the body. */
  files: readonly FileOutline[];
  endpoint: Endpoint;
}

/** The part of a request that a channel's protocol cannot carry, found from request and channel before anything is sent. */
export interface Lack {
  /** For the caller, without the field's name. */
  message: Message;
  /** The part to blame: a field of the request by its name there, the role of an input, or the body's own name of a file. */
  part?: string;
  /** The limit that was passed, where a larger one would do. */
  most?: number;
}

export interface CallContext {
  endpoint: Endpoint;
  /** The task's owner, whose share limits the work that is done on this machine. Default: nobody. */
  owner?: Owner;
  /** Aborts when the lease is lost, the task's deadline passes or the process must go. */
  signal: AbortSignal;
  /** Opens a new file for what an answer holds, which is there until the step is over; absent: it stays in memory. */
  newFile?: (() => FileWriter) | undefined;
  /** All that the caller wrote, to be masked in a vendor's sentence about a job; absent: such sentences are left out of details. */
  callersWords?: (() => string) | undefined;
  /** For calls whose answer comes as it is made: called when the request goes out. */
  onSent?: (() => void) | undefined;
}

/** The bytes of a body, piece by piece. */
export type BodyPieces = Iterable<Buffer> | AsyncIterable<Buffer>;

/** One call before it is sent, for keys that sign. */
export interface UnsentCall {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  /** Without those that show the key. */
  headers: Readonly<Record<string, string>>;
  /** From the first byte on, whenever it is asked for. Throws for a form, whose bytes are made while it is sent. */
  body(): BodyPieces;
}

/** How a protocol shows a channel's key: the one place for its calls and for outputs with `needsKey`. */
export interface Credentials {
  /** The headers for one call. Without `call`, of streams and of files, no signature can be made. */
  show(context: CallContext, call?: UnsentCall): ShownKey | Promise<ShownKey>;
  /** The vendor has refused these headers: forgets them. False, or absent: there are no others to be had. */
  renew?(context: CallContext, refused: Readonly<Record<string, string>>): boolean;
}

/** A fault deep within a channel's options. */
export interface OptionFault {
  /** As `templates.seedream[0].endpoint`. */
  field: string;
  problem: string;
}

/** A model's family, or the reviews that no caller can ask for. */
export type ServedFamily = Family | 'moderation';

/**
 * One vendor protocol. An adapter knows the wire and nothing else: no database, no queue, no prices. It never throws for
 * what a vendor or the network does; whatever it throws is a bug. It never retries: the runtime does, by the fault table.
 */
export interface Adapter {
  protocol: string;
  /** Families whose models the protocol can serve. If a channel maps another model to it, the configuration file is refused. */
  families: readonly ServedFamily[];
  /** Its channels have templates, which take the body of a model that the configuration describes to the vendor. */
  hasTemplates?: boolean;
  /**
   * How to go on when a start's answer was lost: `never` re-send; re-send because the vendor enforces `attemptId`
   * (`idempotent`); or ask the vendor by `attemptId` first (`lookup`).
   */
  afterLostAnswer: 'never' | 'idempotent' | 'lookup';
  /** Needed where an output has `needsKey`. */
  credentials?: Credentials;
  /** Kinds of files that a request may hold as data URLs in place of their addresses; absent: none. */
  fileRoles?: ReadonlySet<LoadedMedia['role']>;
  /**
   * The fault in a channel's `options`, as a sentence for its operator; undefined: none. `names`: the vendor's names that the
   * channel maps models to, where they are known.
   */
  checkOptions?(options: JsonObject, names?: readonly string[]): string | OptionFault | undefined;
  /**
   * The part of a task that the protocol cannot carry; undefined: none that is known. It decides at submission, by the channels'
   * union, and again before a channel is used, when all files are known: `start` is never called with such a part.
   */
  lacks?(plan: Plan): Lack | undefined;
  start(request: StartRequest, context: CallContext): Promise<StartOutcome>;
  /**
   * Only for protocols whose `start` can answer `started`. `refused` with a fault about the request or the job ends the task,
   * with any other it says that asking failed; `not_started` ends the attempt alone.
   */
  check?(operation: JsonObject, context: CallContext): Promise<CheckOutcome>;
  /**
   * Only for protocols with `check` whose vendor can stop a job that it has accepted: does so, or says that it will not. A
   * lost answer is `refused`; then the next `check` tells what became of the job, and the question is asked again.
   */
  cancel?(operation: JsonObject, context: CallContext): Promise<CancelOutcome>;
  /**
   * Only for protocols whose `check` can answer `stage_done`, and with `afterLostAnswer: 'never'`: starts the next stage of a
   * job, once. A refusal that leaves no doubt is followed by another `check`, which finds the first stage done again.
   */
  startNext?(stage: NextStage, context: CallContext): Promise<Started | Refused>;
  /** Only with `afterLostAnswer: 'lookup'`: the job that a lost start made, if the vendor has one. */
  lookup?(attemptId: string, context: CallContext): Promise<LookupOutcome>;
  /** The cheapest harmless question to the vendor, for operators: is the key taken, are the models known, what is left of the balance. */
  probe?: Probe;
}

export interface NextStage {
  /** The one of the first stage. */
  attemptId: string;
  /** As `check` gave it. */
  next: JsonObject;
}

export type LookupOutcome =
  | { kind: 'found'; externalId: string; operation: JsonObject; checkAfterMs: number }
  | { kind: 'absent' }
  | { kind: 'refused'; fault: Fault };

/** Whom a probe asks, and for which of the vendor's models. */
export interface ProbePlace {
  /** Its model is one of `models`. */
  endpoint: Endpoint;
  /** By the vendor's names. */
  models: readonly string[];
  signal: AbortSignal;
}

/** The findings of the cheapest harmless question to a vendor. The question makes nothing and costs nothing. */
export interface Sighting {
  reachable: boolean;
  /** `unproved`: nothing was learnt of it. */
  key: 'taken' | 'refused' | 'unproved';
  /** The vendor's answer, for operators: no key, no address. */
  detail: string;
  /** Absent: the vendor shows no list of models. */
  models?: SeenModel[];
  /** In the vendor's own credits; absent: it does not say. */
  balance?: string;
}

export interface SeenModel {
  name: string;
  known: boolean;
  /** The day on which the vendor ends it, by its list. */
  servedUntil?: string;
}

/** Never throws for what a vendor or the network does. */
export type Probe = (place: ProbePlace) => Promise<Sighting>;
