/** Limits of requests and their answers. Sizes in bytes, times in milliseconds. */

const KIB = 1024;
const MIB = 1024 * KIB;

/** A prompt with files in it, as the vendor takes it. */
export const TEXT_MAX_BYTES = 20 * MIB;
/** Limits of a model's answer and of one event of it: text, and files in base64. */
export const TEXT_ANSWER_MAX_BYTES = 64 * MIB;
export const TEXT_EVENT_MAX_BYTES = 16 * MIB;
/** How long texts may take to end at a shutdown; those that take longer are left to their leases. */
export const TEXT_DRAIN_MS = 10_000;

/** Limit for one SQL statement. */
export const STATEMENT_TIMEOUT_MS = 3_000;

/** Time from the request to the last byte of its answer; below the deadline of the task, so that its end is written before. */
export const TEXT_TOTAL_TIMEOUT_MS = 540_000;
/** Time without a byte in either direction while the model thinks, or the caller does not read. */
export const TEXT_IDLE_TIMEOUT_MS = 305_000;
/** How long a caller of a text or speech waits for a slot of a key that runs as many as it may, before anything is booked. */
export const SLOT_WAIT_SECONDS = 30;
/** When a request that got no slot may come again. */
export const RETRY_AFTER_NO_SLOT_SECONDS = 5;
/** A body of plain parameters. */
export const PARAMETERS_MAX_BYTES = 256 * KIB;
export const UPLOAD_MAX_BYTES = 20 * MIB;
/** A submission or an upload, in which files may stand as data URLs: base64 makes them a third larger. */
export const UPLOAD_JSON_MAX_BYTES = 28 * MIB;

/** Bytes that a form may add for the headers and boundaries of its parts. */
export const FORM_OVERHEAD_BYTES = 64 * KIB;

/**
 * Limits of all uploads of one process: the bytes of their files on disk until they are judged and stored, and how many arrive
 * at once. An account alone gets half of the bytes. Each upload also counts against the memory for bodies, by the bytes that are
 * on their way to the disk.
 */
export const FILES_ON_DISK = {
  of: "the work folder for callers' files",
  maxBytes: 2048 * MIB,
  accountMaxOpen: 32,
  keyMaxOpen: 16,
  accountBytesPerSecond: Number.POSITIVE_INFINITY,
} as const;
export const FILE_BYTES_IN_FLIGHT = 256 * KIB;

/** Files of an image edit, as a form; an image has the deployment's own limit, `media.max_image_mb`, 50 MiB at most. */
export const EDIT_MAX_IMAGES = 16;
export const EDIT_MASK_MAX_BYTES = 4 * MIB;
export const EDIT_FORM_MAX_BYTES = 64 * MIB;

export const FORM_MAX_FIELDS = 64;
export const FORM_FIELD_MAX_BYTES = 128 * KIB;

/**
 * Limits of all request bodies of one process: the bytes that they hold in memory at once, and how many are read at once. An account
 * alone gets half of the bytes, a key five sixths of that: enough for the largest form.
 */
export const BODIES_IN_MEMORY = {
  maxBytes: 160 * MIB,
  accountMaxOpen: 1024,
  keyMaxOpen: 512,
  accountBytesPerSecond: 10 * MIB,
} as const;

/** Stands for the account of callers who have shown no key: all of them count together. */
export const NO_ACCOUNT = '';

/**
 * Refused requests of an account, in one process, that are answered without waiting: a second, and at once. Each takes up to a
 * millisecond of everybody's time.
 */
export const REFUSALS = { perSecond: 50, burst: 50, waitMaxMs: 3000 } as const;

/**
 * Requests for the API's description from one address, in one process: a page takes three requests and up to 0.7 MB once. A proxy
 * in front of many readers needs limits this high.
 */
export const REFERENCE_PER_ADDRESS = { perSecond: 10, burst: 100 } as const;

/** Records of ended tasks that one process has ready for polls. */
export const ENDED_RECORDS = {
  maxRecords: 40_000,
  maxBytes: 32 * MIB,
  recordMaxBytes: 256 * KIB,
  keepMs: 600_000,
} as const;

/** All users of one account in the console together, over all processes, beside the limits of each one's key. */
export const CONSOLE_USERS_PER_MINUTE = { submit: 300, query: 6000 } as const;

/** Limits of each operator's token, over all processes: far above what people and their scripts send. */
export const OPERATOR_LIMITS = { readsPerMinute: 3000, changesPerMinute: 1200 } as const;
/** Requests with a wrong operator's token, in one process; beyond them the answer is 429. Right tokens are never turned away for it. */
export const WRONG_TOKENS_PER_ADDRESS = { perSecond: 1, burst: 60 } as const;

/** Nesting of a JSON body: the deepest body of the specification needs 4. */
export const JSON_MAX_DEPTH = 32;
/**
 * Limit for a field's name in JSON. From 16,384 characters on V8 hashes a string by its length alone, so that parsing a thousand
 * names of one length compares each with each.
 */
export const JSON_NAME_MAX_BYTES = 4096;
/** Limit for all fields' names of a body together: the engine keeps a table of names, and takes some 20 ms for so many. */
export const JSON_NAMES_MAX_BYTES = MIB;
/** Values in a body of parameters: so many take milliseconds to parse, check and walk through, and no model needs nearly as many. */
export const JSON_MAX_VALUES = 10_000;
/** Values in the body of a text: a long conversation, and the declarations of many functions. */
export const TEXT_MAX_VALUES = 50_000;

/**
 * JSON in the strings of one conversation: the arguments of all its calls together, and apart from them the results of functions. Programs
 * that write code send whole files as arguments, and repeat them at each turn.
 */
export const NESTED_JSON_MAX_BYTES = 8 * MIB;

export const IDEMPOTENCY_KEY_MAX_CHARACTERS = 255;
export const BATCH_MAX_TASKS = 100;

/** Limits of speech, whose callers wait for the answer. */
export interface SpeechLimits {
  /** Callers of one process at once, each with up to 256 KiB in flight. */
  slots: number;
  /** Time from the submission to the first byte. */
  firstByteMs: number;
  /** Time from the first byte to the last, for callers who play what they get; both together are below the models' deadline. */
  speakMs: number;
  /** Interval at which the task's row is read before the first byte: the task may have ended without a message. */
  lookMs: number;
  /** Time for speeches in flight at a shutdown; less than for connections, so that a caller who is cut off does not count as leaving. */
  drainMs: number;
}

export const SPEECH_LIMITS: SpeechLimits = {
  slots: 1000,
  firstByteMs: 120_000,
  speakMs: 900_000,
  lookMs: 5_000,
  drainMs: 8_000,
};

/** The tasks that waiting callers follow are looked at this often, all in one statement. */
export const TASK_LOOK_MS = 300;
/** Callers of one process who wait for a task: by `wait`, `Prefer` or events, for images, or for the answer to a cancellation. */
export interface WaitLimits {
  max: number;
  /** Limit for one account. */
  accountMax: number;
}

export const TASK_WAITS: WaitLimits = { max: 20_000, accountMax: 10_000 };
/** A caller who waits by `wait` or `Prefer` is answered by then: most proxies give up after 60 s. */
export const TASK_WAIT_MAX_SECONDS = 55;
/** Limits of a stream of a task's events: its duration, the interval of its comments, and the bytes its reader may leave unread. */
export const TASK_EVENTS = { totalMs: 3_600_000, commentMs: 15_000, unreadMaxBytes: MIB } as const;
/**
 * How long a caller waits for images: a little less than the clients of this interface wait by themselves (ten minutes), so that
 * they learn which task goes on.
 */
export const IMAGES_WAIT_MS = 590_000;
/** How long after its end a task for images answers a repetition, by its client, of a request whose answer did not arrive. */
export const REPEATABLE_AFTER_END_SECONDS = 60;
/** How long after a request for images such a repetition may come: as long as the request waits, and then that minute. */
export const REPEATABLE_SECONDS = IMAGES_WAIT_MS / 1000 + REPEATABLE_AFTER_END_SECONDS;
