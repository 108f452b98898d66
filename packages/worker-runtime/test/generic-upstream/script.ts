/**
 * How the generic upstream treats the jobs of one label, or all calls made with one API key. Moves are used up one a call;
 * the last one stays.
 */
export interface Script {
  /** Default: accept. */
  starts?: StartMove[];
  /** Default: running, then done. */
  checks?: CheckMove[];
  /** How a request to cancel a job is answered; default: it is cancelled. */
  cancels?: CancelMove[];
  /** A job is a first stage, which is done as soon as it is asked about; the moves of `checks` are those of its second. */
  staged?: boolean;
  /** Links in the answer of a job that is done; default 1. */
  outputs?: number;
  /** How many of them, from the last on, lead nowhere. */
  missing?: number;
  /** How often a fetch of a file that is there is answered with 404 first. */
  lateFetches?: number;
  /** The files are sounds where images were promised. */
  spoilt?: boolean;
  /** The files are signed, with bytes behind their end. */
  signed?: boolean;
  /** The files are GIFs. */
  gif?: boolean;
  /** Default: image. */
  role?: 'image' | 'audio';
  /** They are given to a key alone. */
  keyed?: boolean;
  /** They are images of four. */
  grid?: boolean;
  /** As reported: whatever JSON can say. */
  usage?: Record<string, unknown>;
  /** The cost of the job that it reports. */
  credits?: string;
  /** The answer to a call that is streamed; default: one part, and that is all. */
  stream?: Stream;
}

export interface Stream {
  parts: number;
  partBytes: number;
  /** After the parts `hold` says no more until `release` is called, and `cut` breaks the connection then. */
  end: 'whole' | 'cut' | 'hold';
}

export type StartMove =
  | 'accept'
  /** Does the work within the call. */
  | 'answer'
  /** Accepts, and breaks the connection instead of answering. */
  | 'accept and drop'
  /** Accepts, and answers once `release` is called. */
  | 'accept and hold'
  /** Accepts, and answers with half a JSON text. */
  | 'accept and garble'
  /** Does the work, and has it where the channel does not look. */
  | 'answer elsewhere'
  | Refusal;

export type CheckMove =
  | 'queued'
  /** Waits for its caller. */
  | 'parked'
  | 'running'
  | 'done'
  | 'failed'
  | 'blocked'
  /** The accepted job was a first stage, and the account has no money for the next. */
  | 'not_started'
  /** Done, and the channel does not know where the answer has its result. */
  | 'misplaced'
  /** Under way, by a word that the channel does not know. */
  | 'unknown_word'
  | 'drop'
  | 'garble'
  | 'hold'
  | Refusal;

export type CancelMove =
  | 'cancel'
  /** Cancels, and charges for the `usage`. */
  | 'cancel and charge'
  | 'too late'
  /** Cancels, and breaks the connection instead of answering. */
  | 'cancel and drop'
  | Refusal;

export interface Refusal {
  status: number;
  retryAfterSeconds?: number;
  /** A call that is to be streamed is refused once `release` is called. */
  isHeld?: boolean;
}

/** One line of what the upstream saw and did, in its order. */
export interface JournalEntry {
  event:
    | 'accepted'
    | 'replayed'
    | 'refused'
    | 'checked'
    | 'cancelled'
    | 'finished'
    | 'looked_up'
    | 'fetched'
    | 'hung_up';
  /** Milliseconds since the upstream started. */
  atMs: number;
  label: string;
  /** The API key of the call: tests give every channel its own. */
  channel: string;
  /** The caller's name for its attempt, if it gave one. */
  reference?: string;
  job?: string;
  /** Where it may call back, as its start says. */
  callbackUrl?: string;
  /** The file of a start, as it was given. */
  image?: string;
}
