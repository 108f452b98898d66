// The contract of adapters, version 1, as `npm run reference` of mediagate writes it. Only types: the functions of a kit are handed to
// the adapter, and nothing can be imported from here at run time.
type FormData = never;
import type { Readable } from 'node:stream';

/** The default export of an adapter: `<protocol>/adapter.ts` here, the main file of a package elsewhere. */
export type CreateProtocol = (tools: Tools) => Adapter | ProtocolDescription;

/** All that a protocol is handed. Those of this package import the functions of the kit by themselves. */
export interface Tools extends Clients {
    kit: Kit;
}

/** The clients that protocols use. */
export interface Clients {
    http: HttpClient;
    /** For work that is done here. */
    runFfmpeg?: RunFfmpeg | undefined;
}

/** Both ways to send resolve whatever the vendor or the network does; they never redirect, retry, or use a proxy. */
export interface HttpClient {
    /** Reads the answer whole. */
    send(request: VendorRequest): Promise<Reply>;
    /** Gives the answer as it comes. */
    stream(request: StreamRequest): Promise<StreamReply>;
    heed?: HeedEnd | undefined;
    /** Ends what is under way and closes all connections. Later requests are not sent. */
    close(): Promise<void>;
}

export interface VendorRequest {
    method: 'GET' | 'POST' | 'PUT' | 'DELETE';
    url: string;
    headers: Record<string, string>;
    body?: RequestBody;
    /** The caller's wish to stop. */
    signal: AbortSignal;
    /** From the first step to the last byte of the answer; a slow drip does not extend it. */
    timeoutMs: number;
    /** Counted after inflating; 256 MiB at most, whatever is said here. */
    maxResponseBytes: number;
    /** `file`: a success whose type is none of text is kept as its bytes; anything else is read as JSON, as errors are. Default: `json`. */
    expects?: 'json' | 'file';
    /** Opens what a long value of the answer goes into; absent: it stays in memory. */
    newFile?: (() => FileWriter) | undefined;
    /** The answer is a secret: it stands in no log and no record. */
    isSecret?: true;
}

export type RequestBody = {
    json: JsonObject;
} | {
    jsonText: string;
} | {
    form: FormData;
} | {
    fields: Record<string, string>;
};

export type JsonObject = {
    [key: string]: Json;
};

export type Json = string | number | boolean | null | Json[] | {
    [key: string]: Json;
};

/** Writes bytes to a new file as they arrive, with their size and hash on the way. */
declare class FileWriter {
    #private;
    /** @param newPath answers where there is no file yet; called with the first bytes, or at the end, and again where the disk took no file. */
    constructor(newPath: () => Promise<string>, options?: FileWriterOptions);
    /** The bytes are kept until they are written, and must not change. */
    push(bytes: Buffer): void;
    /** Resolves once the disk has caught up with all of these; undefined: there is nothing to wait for. Never rejects. */
    static backlogOf(writers: readonly FileWriter[], maxUnwrittenBytes?: number): Promise<unknown> | undefined;
    /** The SHA-256 of all bytes: no more may follow. */
    sha256(): Buffer;
    /** The file, once all of it is written, were it without a byte. Throws what kept it from being written. */
    end(): Promise<Required<FileOnDisk>>;
    /** Closes the file, whose bytes may be given up. Never rejects. */
    close(): Promise<void>;
}

export interface FileWriterOptions {
    onFailure?: WriteFailed;
    /** The bytes cannot be had a second time: the writer keeps them while the disk takes nothing, until this signal or five minutes after its first failure. */
    waitsUntil?: AbortSignal;
}

/** Hears what keeps a file from being written, each time that it is tried, and how many bytes it was to have by then. */
export type WriteFailed = (error: unknown, bytes: number) => void;

/** A file that belongs to whoever made it: its first `totalBytes` bytes. */
export interface FileOnDisk {
    path: string;
    totalBytes: number;
    /** The SHA-256 of these bytes, where it was taken while they arrived. */
    sha256?: Buffer;
}

export type Reply = Answer | Lost;

/** The vendor's status line arrived. */
export interface Answer {
    kind: 'answer';
    status: number;
    /** Lower-case names. */
    headers: Readonly<Record<string, string>>;
    body: JsonBody | FileBody;
}

export type JsonBody = {
    kind: 'json';
    value: unknown;
} | UnreadBody;

export interface UnreadBody {
    kind: 'unreadable';
    /** `not_kept`: its files could not be written. */
    why: Interruption | 'truncated' | 'too_large' | 'not_json' | 'not_kept';
}

/** Why it was given up: its own deadline, or the caller's wish. */
export type Interruption = 'deadline' | 'aborted';

/** A success that is a file itself, as a track. */
export interface FileBody {
    kind: 'file';
    bytes: MediaBytes;
}

/** The bytes of a medium: in memory where they are few, else in a file. */
export type MediaBytes = Buffer | FileOnDisk;

/** No status line. With `sent` false the vendor cannot have seen the request; else it may be working on it. */
export interface Lost {
    kind: 'lost';
    sent: boolean;
    /** `busy`: no connection was free, and too many waited for one, or it waited too long. */
    why: Interruption | 'connect_timeout' | 'network' | 'busy';
    /** The system's error code, as `ECONNREFUSED`; never an address, a header or a body. */
    code?: string;
}

export interface StreamRequest extends ExchangeRequest {
    method: 'GET' | 'POST';
    body?: Buffer;
    bodyTimeoutMs: number;
}

export interface ExchangeRequest {
    method: 'GET' | 'POST' | 'PUT' | 'DELETE';
    url: string;
    headers: Record<string, string>;
    /** Sent as it is; absent: none. */
    body?: string | Buffer | Readable | undefined;
    /** The owner whose share of the connections the request takes; absent: nobody. */
    owner?: Owner | undefined;
    /** The caller's wish to stop, at any moment: before the answer, or in the middle of it. */
    signal: AbortSignal;
    /** Called when the request goes out: from then on the vendor may be working on it. */
    onSent?: (() => void) | undefined;
    /** From the first step, waiting for a free connection included, to the vendor's status line. */
    headersTimeoutMs: number;
    /** The longest silence of the vendor in the middle of its answer; a reader that makes it wait does not count. Absent: no limit. */
    bodyTimeoutMs?: number | undefined;
    maxBodyBytes: number;
}

/** The account that work is for; a task or a caller has it, for example. Resources that all work shares are divided by it. */
export interface Owner {
    accountId: string;
    /** Work of a test key, or for an estimate: it costs its account nothing, so it yields to work that is paid for. */
    isTest?: boolean | undefined;
}

export type StreamReply = StreamAnswer | Lost;

/** The vendor's status line arrived; the rest is on its way. */
export interface StreamAnswer {
    kind: 'answer';
    status: number;
    /** Lower-case names, each with its first value. */
    headers: Readonly<Record<string, string>>;
    /**
     * The bytes as they come, never inflated; some 128 KiB wait at most. Ends when the answer is complete, else breaks with a
     * `BrokenAnswerError`; an answer without a byte is broken too. Whoever has it must read it to its end or close it.
     */
    body: AnswerBody;
}

/** The bytes of one answer, from the exchange to whoever reads them. A stream would copy those that wait into one, and make several promises of each. */
declare class AnswerBody implements AnswerBytes, AsyncIterableIterator<Buffer, undefined> {
    #private;
    constructor(source: AnswerSource);
    [Symbol.asyncIterator](): this;
    whole(take: TakeBytes): Promise<Buffer>;
    /** @param error what a reader learns. */
    close(error?: Error): void;
    /** False: whoever reads is to catch up first. */
    push(chunk: Buffer): boolean;
    end(): void;
    /** Drops unread chunks, as a stream does. */
    break(error: Error): void;
    next(): Promise<IteratorResult<Buffer, undefined>>;
    /** The reader leaves: nobody is to wait for more of it, or to ask a call for more that has ended. */
    return(): Promise<IteratorResult<Buffer, undefined>>;
    /** Resolves once the reader has done what must come before the next piece; rejects as soon as the answer breaks. */
    during(work: Promise<unknown>): Promise<unknown>;
}

/** The bytes of an answer, for one reader: piece by piece as they came, or all of them. Leaving a loop over them early ends the call. */
export interface AnswerBytes extends AsyncIterable<Buffer> {
    /** All bytes, once the answer is complete. What `take` throws ends the call, and is thrown. */
    whole(take: TakeBytes): Promise<Buffer>;
    /** Ends the call, if its answer has not come to its end: whoever reads, or begins to, learns that it was given up. */
    close(): void;
}

/** Gets each piece of an answer before it is kept; throws where it would exceed the limit. */
export type TakeBytes = (chunk: Buffer) => void;

/** The exchange that an answer comes by. */
export interface AnswerSource {
    /** Whoever reads wants more. */
    resume(): void;
    /** Nobody reads any more: ends the call, if it is not over. */
    leave(): void;
}

export type HeedEnd = (end: AnnouncedEnd) => void;

/** A vendor's own word, beside an answer, that what was called will not be served any more. */
export interface AnnouncedEnd {
    channelId: string;
    /** The vendor's name of it. */
    model: string;
    /** The day of UTC on which it ends; undefined: the vendor has said no day yet. */
    servedUntil: string | undefined;
    /** The headers as they came. */
    words: string;
}

/**
 * Runs ffmpeg with these arguments, overwriting its output, and resolves when it is done. Rejects with what it complains of,
 * as an error whose `exitCode` is the program's own; without one it did not run, or not to its end. Rejects with the signal's
 * reason once it is stopped. How long and how many at once is the runner's to bound.
 */
export type RunFfmpeg = (args: readonly string[], options: {
    owner: Owner;
    signal: AbortSignal;
}) => Promise<void>;

export type Kit = typeof kit;

/** The functions by which a package speaks to its vendor: it imports nothing of the gateway, so it is handed them. */
declare const kit: {
    readonly callVendor: typeof callVendor;
    readonly callVendorForFile: typeof callVendorForFile;
    readonly staticKey: typeof staticKey;
    readonly createProbe: typeof createProbe;
    readonly NO_SUCH_ID: "00000000-0000-4000-8000-000000000000";
    readonly refused: typeof refused;
    readonly unreadable: typeof unreadable;
    readonly startJob: typeof startJob;
    readonly askJob: typeof askJob;
    readonly judgeJob: typeof judgeJob;
    readonly jobFault: typeof jobFault;
    readonly stopped: typeof stopped;
    readonly bearer: typeof bearer;
    readonly pending: typeof pending;
    readonly ended: typeof ended;
    readonly unanswered: typeof unanswered;
    readonly withIdsOf: typeof withIdsOf;
    readonly withResult: typeof withResult;
    readonly checkAgainst: typeof checkAgainst;
    readonly JOB_OPTIONS: {
        readonly timeout_seconds: {
            readonly kind: 'integer';
            readonly min: 1;
            readonly max: 600;
        };
        readonly max_check_seconds: {
            readonly kind: 'integer';
            readonly min: 1;
            readonly max: 600;
        };
    };
    readonly readImageCall: typeof readImageCall;
    readonly readImageRequest: typeof readImageRequest;
    readonly imageCallBounds: typeof imageCallBounds;
    readonly readVideoCall: typeof readVideoCall;
    readonly readVideoRequest: typeof readVideoRequest;
    readonly addressOf: typeof addressOf;
    readonly doneWith: typeof doneWith;
    readonly lack: typeof lack;
    readonly fieldLack: typeof fieldLack;
    readonly fileLack: typeof fileLack;
    readonly videoLack: typeof videoLack;
    readonly message: typeof message;
    readonly fieldNamedIn: typeof fieldNamedIn;
    readonly object: typeof object;
    readonly list: typeof list;
    readonly text: typeof text;
    readonly identifier: typeof identifier;
    readonly count: typeof count;
    readonly decimal: typeof decimal;
    readonly httpUrl: typeof httpUrl;
    readonly base64Bytes: typeof base64Bytes;
    readonly present: typeof present;
};

/** Makes one call and judges everything about its reply that is not the protocol's success shape. */
declare function callVendor(http: HttpClient, call: VendorCall): Promise<VendorReply>;

export interface VendorCall extends Omit<VendorRequest, 'headers' | 'expects'> {
    /** Beside those of `key`. */
    headers?: Record<string, string>;
    /** Absent: `headers` and `body` show it. */
    key?: KeyInUse;
    /** Whom the answer is about; absent: the endpoint of `key`. */
    endpoint?: Endpoint;
    dialect: ErrorDialect;
    confidential: Confidential;
}

/** The endpoint whose key a call shows, and how it is shown. */
export interface KeyInUse {
    credentials: Credentials;
    endpoint: Endpoint;
}

/** How a protocol shows a channel's key: the one place for its calls and for outputs with `needsKey`. */
export interface Credentials {
    /** The headers for one call. Without `call`, of streams and of files, no signature can be made. */
    show(context: CallContext, call?: UnsentCall): ShownKey | Promise<ShownKey>;
    /** The vendor has refused these headers: forgets them. False, or absent: there are no others to be had. */
    renew?(context: CallContext, refused: Readonly<Record<string, string>>): boolean;
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

/** One call before it is sent, for keys that sign. */
export interface UnsentCall {
    method: 'GET' | 'POST' | 'PUT' | 'DELETE';
    url: string;
    /** Without those that show the key. */
    headers: Readonly<Record<string, string>>;
    /** From the first byte on, whenever it is asked for. Throws for a form, whose bytes are made while it is sent. */
    body(): BodyPieces;
}

/** The bytes of a body, piece by piece. */
export type BodyPieces = Iterable<Buffer> | AsyncIterable<Buffer>;

/** The headers that show a channel's key to its vendor, by lower-case names. A fault: they had to be fetched and were not had. */
export type ShownKey = {
    ok: true;
    headers: Readonly<Record<string, string>>;
} | {
    ok: false;
    fault: Fault;
};

export interface Fault {
    code: FaultCode;
    /** Fit for the caller: no vendor name, host, key, balance or raw body. Absent: the standard message of the reason. */
    message?: Message;
    /** A more exact reason than the code's; absent: the code's. */
    reason?: TaskFailureReason;
    /** The caller's name of the field that the vendor blames. */
    param?: string;
    /** For operators and logs; never secrets, prompts or whole bodies. At most 500 characters. */
    detail: string;
    /** The vendor's own Retry-After, in milliseconds. */
    retryAfterMs?: number;
    /** The vendor's charge for it all the same, as the vendor reports it, in its own credits: a plain decimal. */
    credits?: string;
    /** Only what the channel says of the model is at fault, as a name that the vendor does not have: its other models go on. */
    ofModel?: true;
    /** Only the channel's voice is at fault, as one that the vendor does not have: its other voices go on. */
    ofVoice?: true;
    /** The same channel would say the same again, and be paid again, although the code does not say so. */
    everyTime?: true;
}

export type FaultCode = keyof typeof FAULT_TABLE;

/**
 * The faults of upstreams, in the few words that the rest of the system needs. Adapters translate a vendor's many
 * signals into these; the table says what follows from each, so no code switches on a fault.
 *
 * - `nextChannel`: the task moves on to another channel, or waits and tries again, under the same reservation.
 * - `breaker`: counts against the channel's circuit breaker.
 * - `everyTime`: the same channel would say the same again, so where no other takes it the task ends at once.
 * - `quarantine`: the upstream may have done (and billed) the work; the attempt is kept for the operator, never re-sent.
 * - `reason`: the failure's reason for a task that this fault ends, where the fault itself names none.
 */
declare const FAULT_TABLE: {
    /** Nothing reached the vendor: refused, unknown host, TLS failure, 503 before acceptance. */
    readonly not_accepted: {
        readonly nextChannel: true;
        readonly breaker: true;
        readonly everyTime: false;
        readonly quarantine: false;
        readonly reason: 'no_upstream';
    };
    readonly rate_limited: {
        readonly nextChannel: true;
        readonly breaker: false;
        readonly everyTime: false;
        readonly quarantine: false;
        readonly reason: 'no_upstream';
    };
    /** The vendor answered that it failed, so nothing was produced. */
    readonly upstream_fault: {
        readonly nextChannel: true;
        readonly breaker: true;
        readonly everyTime: false;
        readonly quarantine: false;
        readonly reason: 'no_upstream';
    };
    /** Our account with the vendor: key, permission, money. */
    readonly operator: {
        readonly nextChannel: true;
        readonly breaker: true;
        readonly everyTime: false;
        readonly quarantine: false;
        readonly reason: 'no_upstream';
    };
    /** The channel has no way to do what this request asks for, as its protocol or a path that is not there tells; others it has. */
    readonly cannot_carry: {
        readonly nextChannel: true;
        readonly breaker: false;
        readonly everyTime: true;
        readonly quarantine: false;
        readonly reason: 'invalid_parameter';
    };
    readonly bad_request: {
        readonly nextChannel: false;
        readonly breaker: false;
        readonly everyTime: false;
        readonly quarantine: false;
        readonly reason: 'invalid_parameter';
    };
    readonly content_policy: {
        readonly nextChannel: false;
        readonly breaker: false;
        readonly everyTime: false;
        readonly quarantine: false;
        readonly reason: 'content_policy';
    };
    /** The vendor ended an accepted job without a result for a reason of its own. */
    readonly generation_failed: {
        readonly nextChannel: false;
        readonly breaker: false;
        readonly everyTime: false;
        readonly quarantine: false;
        readonly reason: 'upstream_error';
    };
    /** Sent, and the answer was lost or cannot be read. */
    readonly outcome_unknown: {
        readonly nextChannel: false;
        readonly breaker: true;
        readonly everyTime: false;
        readonly quarantine: true;
        readonly reason: 'outcome_unknown';
    };
};

/** A text for a caller, as data; `message` makes one whose parameters are those of its text. */
export interface Message {
    readonly key: MessageKey;
    readonly params: Readonly<Record<string, MessageParam>>;
}

export type MessageKey = keyof typeof MESSAGES;

/**
 * The English texts of all failures and warnings, by message key. `{name}` is a parameter. The parameters of a key never change: failed
 * tasks and warnings are stored with them.
 */
declare const MESSAGES: {
    readonly takes_no_first_frame: 'The model does not accept a first frame.';
    readonly takes_no_last_frame: 'The model does not accept a last frame.';
    readonly takes_no_mid_frames: 'The model does not accept frames in between.';
    readonly takes_characters: 'The model accepts at most {limit} characters.';
    readonly takes_items: 'The model accepts at most {limit} of these.';
    readonly takes_no_mid_frames_alone: 'The model accepts frames in between only with a first frame.';
    readonly takes_no_continued_video: 'The model cannot continue a video.';
    readonly takes_no_reference_images: 'The model does not accept reference images.';
    readonly takes_no_reference_audio: 'The model does not accept reference audio.';
    readonly takes_no_reference_videos: 'The model does not accept reference videos.';
    readonly takes_no_heard_sound: 'The model does not accept a sound track as input.';
    readonly takes_no_documents: 'The model does not accept documents.';
    readonly takes_no_web_pages: 'The model does not accept web pages.';
    readonly takes_no_resolution: 'The model does not support a resolution of {resolution}.';
    readonly takes_no_shape: 'The model does not support an aspect ratio of {ratio}.';
    readonly takes_no_own_length: 'The model cannot choose the length itself.';
    readonly takes_no_length: 'The model does not support a length of {seconds} seconds.';
    readonly takes_no_negative_prompts: 'The model does not support negative prompts.';
    readonly takes_no_seeds: 'The model does not support seeds.';
    readonly takes_no_watermarks: 'The model does not support watermarks.';
    readonly takes_no_choice_of_rewriting: 'The model does not support choosing whether the prompt is rewritten.';
    readonly takes_no_fast_rewriting: 'The model does not support fast rewriting of the prompt.';
    readonly takes_no_sound_track: 'The model cannot make a sound track.';
    readonly takes_no_silent_videos: 'The model cannot make silent videos.';
    readonly takes_no_tags: 'The model does not support tags of inputs.';
    readonly takes_no_subjects: 'The model does not support subjects.';
    readonly takes_no_elements: 'The model does not support elements.';
    readonly takes_no_shots: 'The model does not support several shots.';
    readonly takes_no_lone_last_frame: 'The model accepts a last frame only with a first frame.';
    readonly takes_no_lone_audio: 'The model accepts reference audio only with an image or a video.';
    readonly takes_no_last_frame_with_shots: 'The model does not accept a last frame together with several shots.';
    readonly takes_no_negative_prompt_with_elements: 'The model does not support a negative prompt together with elements unless there is an image.';
    readonly takes_no_resolution_without_frame: 'The model supports a resolution of {resolution} only with a first frame.';
    readonly takes_no_untagged_video: 'The model does not accept a video without a tag.';
    readonly takes_no_frames_with_references: 'The model does not accept frames together with references.';
    readonly takes_no_first_frame_with_video: 'The model does not accept a first frame together with a video to continue.';
    readonly takes_no_sound_with_video: 'The model does not accept sound together with a video to continue.';
    readonly takes_no_document_with_page: 'The model does not accept a document together with a web page.';
    readonly takes_no_reading_without_rewriting: 'The model accepts a document or web page only if the prompt may be rewritten.';
    readonly takes_no_masks: 'The model does not accept masks.';
    readonly takes_no_exact_sizes: 'The model does not support exact sizes.';
    readonly takes_no_files_as_large: 'The model does not accept input files as large as these.';
    readonly takes_no_size_presets: 'The model does not support size presets.';
    readonly takes_no_last_frame_at: 'The model does not accept a last frame at {resolution}.';
    readonly takes_no_own_length_without_video: 'The model can choose the length itself only with a reference video.';
    readonly takes_no_length_at: 'The model does not support a length of {seconds} seconds at {resolution}.';
    readonly takes_no_foreign_tracks: 'The model accepts only songs that it made itself.';
    readonly takes_no_long_tracks: 'The model does not accept songs of over 8 minutes.';
    readonly takes_no_wanted_length: 'The model does not support a target length for this operation.';
    readonly takes_no_choice_of_length: 'The model does not support choosing the length.';
    readonly takes_no_result_format: 'The model cannot return results as {name}.';
    readonly takes_no_two_fades: 'The model does not support fading in and fading out at once.';
    readonly takes_no_stem_type: 'The model does not support stems of type {name}.';
    readonly takes_no_rewritten_lyrics: 'The model cannot rewrite the lyrics.';
    readonly takes_no_sound_version: 'The model does not support sounds of version v5.5.';
    readonly takes_no_lyrics_model: 'The model does not support choosing the model that writes the lyrics.';
    readonly takes_no_operation: 'The model does not support the operation {name}.';
    readonly takes_no_described_extensions: 'The model cannot extend a song by a description.';
    readonly takes_no_replacement_length: 'The model cannot replace a part of {seconds} seconds.';
    readonly takes_no_replacement_without_lyrics: 'The model can replace a part only with lyrics.';
    readonly takes_no_replacement_without_tags: 'The model can replace a part only with tags.';
    readonly takes_no_replacement_without_title: 'The model can replace a part only with a title.';
    readonly takes_no_unfetched_tracks: 'The model accepts only songs that the service has fetched.';
    readonly takes_no_empty_results: 'The operation would leave nothing of the song.';
    readonly takes_no_result_length: 'The model does not support results of this length.';
    readonly takes_no_blend_of_so_many: 'The model blends 2 to 5 images.';
    readonly takes_no_operation_without_task: 'The model supports {name} only for an earlier task.';
    readonly takes_no_operation_without_image: 'The model supports this operation only with an image.';
    readonly takes_no_several_images: 'The model accepts only one image for this operation.';
    readonly takes_no_videos_of_720p: 'The model cannot make videos of 720p from this task.';
    readonly takes_no_speed: 'The model does not support the speed {name} for this operation.';
    readonly takes_no_voice: 'The model does not support the voice {name}.';
    readonly takes_no_instructions: 'The model does not support instructions.';
    readonly takes_no_more_images: 'The model accepts at most {limit} images.';
    readonly takes_no_such_field: 'The model does not support {name}.';
    readonly link_gone: 'The link is not valid or has expired.';
    readonly file_gone: 'The file has expired or was deleted. Send it to /v1/files again.';
    readonly file_unknown: 'There is no such file. Send it to /v1/files, and give the id that it gets there.';
    readonly upload_size: 'The file has {bytes} bytes, and {announced} were announced.';
    readonly file_too_large: 'The file has {bytes} bytes; at most {limit} are accepted.';
    readonly file_empty: 'The file is empty: it has 0 bytes.';
    readonly file_type_refused: 'The file is {type}; accepted are {types}.';
    readonly file_type_converted: 'The file is {type}; accepted are {types}. Send it to {path} first, where it becomes one of these, and give its id.';
    readonly file_type_convert: 'The file is {type}; accepted are {types}. Convert it to {to}.';
    readonly file_type_unknown: 'The file is of an unknown type; accepted are {types}.';
    readonly file_unreadable: 'The file cannot be read.';
    readonly image_unreadable: 'The image cannot be read.';
    readonly video_unreadable: 'The video cannot be read.';
    readonly audio_unreadable: 'The audio cannot be read.';
    readonly document_unreadable: 'The document cannot be read.';
    readonly image_damaged: 'The image is damaged or ends too early.';
    readonly not_an_image: 'The file is not an image.';
    readonly no_video: 'The file holds no video.';
    readonly no_sound: 'The file holds no sound.';
    readonly video_without_length: 'The video has no length.';
    readonly audio_without_length: 'The audio has no length.';
    readonly image_without_size: 'The image has no width or height.';
    readonly image_pixels: 'The image has {width}x{height} pixels; at most {limit} megapixels are accepted.';
    readonly converted_pixels: 'The image has {width}x{height} pixels; at most {limit} megapixels are accepted for the type {type}.';
    readonly image_side_too_short: 'The image has {width}x{height} pixels; each side must have at least {limit}.';
    readonly image_side_too_long: 'The image has {width}x{height} pixels; each side may have at most {limit}.';
    readonly image_aspect: 'The image has {width}x{height} pixels; one side may be at most {limit} times the other.';
    readonly video_side_too_short: 'The video has {width}x{height} pixels; each side must have at least {limit}.';
    readonly video_side_too_long: 'The video has {width}x{height} pixels; each side may have at most {limit}.';
    readonly video_aspect: 'The video has {width}x{height} pixels; one side may be at most {limit} times the other.';
    readonly image_alpha: 'The image has an alpha channel; none is accepted.';
    readonly image_no_alpha: 'The image has no alpha channel; one is required.';
    readonly mask_size: 'The mask has {width}x{height} pixels and its image {imageWidth}x{imageHeight}; they must have the same size.';
    readonly video_too_short: 'The video is {seconds} s long; at least {limit} s is required.';
    readonly video_too_long: 'The video is {seconds} s long; at most {limit} s is allowed.';
    readonly audio_too_short: 'The audio is {seconds} s long; at least {limit} s is required.';
    readonly audio_too_long: 'The audio is {seconds} s long; at most {limit} s is allowed.';
    readonly file_names_too_many: 'The file is broken: its part {table} names {entries} entries, and the file has room for {limit} at most.';
    readonly document_pages: 'The document has {pages} pages; at most {limit} are accepted.';
    readonly document_files: 'The document holds {files} files; at most {limit} are accepted.';
    readonly document_unpacked: 'The document unpacks to {bytes} bytes; at most {limit} are accepted.';
    readonly document_properties: 'The properties of the document are too large.';
    readonly document_cut_off: 'The document is cut off.';
    readonly document_password: 'The document is protected by a password.';
    readonly pdf_broken: 'The PDF is broken; its pages cannot be counted.';
    readonly data_url_form: 'A data URL must begin with data:<type>;base64, as in data:image/png;base64,';
    readonly data_url_too_large: 'The data URL holds {bytes} bytes; at most {limit} are accepted.';
    readonly data_url_base64: 'The data URL is not valid base64.';
    readonly together_too_long: 'together they last {seconds} s; at most {limit} s are accepted.';
    readonly with_output_too_long: 'they last {seconds} s and the output {output} s; together at most {limit} s are accepted.';
    readonly file_changed: 'The file changed while it was read.';
    readonly size_unknown: 'The server does not say how large the file is.';
    readonly connection_broken: 'The connection was lost.';
    readonly connection_refused: 'The connection was refused.';
    readonly connection_failed: 'The connection failed.';
    readonly host_without_address: 'The host has no address.';
    readonly host_unresolved: 'The host name could not be resolved.';
    readonly server_status: 'The server answered {status}.';
    readonly server_compressed: 'The server sent a compressed file, which was not asked for.';
    readonly redirect_without_target: 'The server redirected without saying where to.';
    readonly redirects: 'The server redirected more than {limit} times.';
    readonly download_too_large: 'The file is larger than {limit} bytes.';
    readonly other_range: 'The server answered with another part of the file than it was asked for.';
    readonly server_timeout: 'The server did not answer in full within {seconds} s.';
    readonly body_timeout: 'The body did not end in time.';
    readonly transfer_aborted: 'The transfer was aborted.';
    readonly answer_length: 'The answer was shorter or longer than announced.';
    readonly answer_headers: 'The headers of the answer are too large.';
    readonly tls_name: 'The TLS certificate is not valid for the host.';
    readonly tls_expired: 'The TLS certificate has expired.';
    readonly tls_untrusted: 'The TLS certificate is not trusted.';
    readonly port: 'Port {port} is not allowed.';
    readonly origin_allowed_by: '{problem} Whoever runs this service lets callbacks go to {origin} by naming it in {variable}.';
    readonly address_not_public: 'The host is not a public address.';
    readonly url_too_long: 'The URL is longer than {limit} characters.';
    readonly url_invalid: 'The URL is not valid.';
    readonly url_scheme: 'The URL must begin with http:// or https://.';
    readonly url_credentials: 'The URL must not hold a user name or password.';
    readonly url_fragment: 'The URL must not have a fragment, the part from # on.';
    readonly url_control_character: 'The URL must not hold control characters.';
    readonly url_own_domain: 'The URL must not name a host of this service.';
    readonly host_invalid: 'The host name is not valid.';
    readonly notice_low_balance: 'The balance of the account {account} is {balance}, below {limit}.';
    readonly notice_low_balance_over: 'The balance of the account {account} is no longer below {limit}.';
    readonly notice_key_quota: 'The API key {key} has used {percent} % of its quota: {left} of {quota} is left.';
    readonly notice_key_quota_over: 'The API key {key} is no longer near its quota.';
    readonly notice_channel_sick: 'The channel {channel} is failing: its tasks go to other channels, or wait.';
    readonly notice_fault_not_accepted: 'Calls do not reach its vendor.';
    readonly notice_fault_upstream_fault: 'Its vendor answers that it failed.';
    readonly notice_fault_operator: 'Its vendor refuses our key, our rights or our balance there.';
    readonly notice_fault_outcome_unknown: 'Its vendor’s answers are lost or cannot be read.';
    readonly notice_channel_sick_over: 'The channel {channel} works again.';
    readonly notice_channel_model_sick: 'The channel {channel} refuses {model}: tasks of this model go to other channels, or wait. Its other models go on.';
    readonly notice_channel_model_sick_over: 'The channel {channel} serves {model} again.';
    readonly notice_names_unlisted: 'The vendor of the channel {channel} does not list these names of models, which the channel uses: {names}.';
    readonly notice_names_unlisted_over: 'The vendor of the channel {channel} lists all names of models that the channel uses.';
    readonly notice_callbacks_failing: 'Callbacks of the account {account} fail: {failed} were not delivered within an hour, {delivered} were.';
    readonly notice_callbacks_failing_over: 'Callbacks of the account {account} no longer fail.';
    readonly notice_audit_violation: 'The audit {audit} of the books found violations: {count}.';
    readonly notice_audit_violation_over: 'The newest audit of the books found no violation.';
    readonly notice_storage_failing: 'Results cannot be kept: {place} fails in {processes} processes ({fault}). Nothing new is begun until it works.';
    readonly notice_storage_failing_over: 'Results can be kept again: {place} works.';
    readonly notice_books_waiting: 'The month {month} of the books is not closed: the log says what is in the way (books.waits: {reason}).';
    readonly notice_books_waiting_over: 'Months of the books are closed again.';
    readonly notice_since: 'Since {time}.';
    readonly notice_repeated: 'This is still the case.';
    readonly notice_count: 'Notices: {count}';
    readonly notice_more: 'Further notices: {count}';
    readonly notice_test: 'This is a test: notices arrive here.';
    readonly notice_footer: 'You receive this because notices are sent to this address. Whoever manages them can change that.';
    readonly required: '{field} is required';
    readonly required_or: '{field} or {other} is required';
    readonly required_with: '{field} is required with {other}';
    readonly required_when: '{field} is required when {other} is {value}';
    readonly required_unless: '{field} is required unless {other} is {value}';
    readonly required_unless_media: '{field} is required unless media is given';
    readonly required_unless_images: '{field} is required unless images or a video are given';
    readonly must_be_string: '{field} must be a string';
    readonly must_be_email: '{field} must be an e-mail address';
    readonly no_mail_here: 'this gateway sends no mail';
    readonly must_be_number: '{field} must be a number';
    readonly must_be_integer: '{field} must be an integer';
    readonly must_be_boolean: '{field} must be a boolean';
    readonly must_be_array: '{field} must be an array';
    readonly must_be_object: '{field} must be an object';
    readonly must_be_json_object: '{field} must be a JSON object, such as {example}';
    readonly json_too_complex: '{field} holds JSON with too many values, too many levels, or names that are too long';
    readonly must_be_string_or_number: '{field} must be a string or a number';
    readonly must_be_array_or_object: '{field} must be an array or an object';
    readonly must_be_string_or_array: '{field} must be a string or an array';
    readonly must_be_string_of: '{field} must be a string, one of {values}';
    readonly must_be_one_of: '{field} must be one of {values}';
    readonly must_be_groups: '{field} must be 1 to {limit} different ones of {values}, with commas between, such as {example}';
    readonly must_be_time: '{field} must be a day or a time in Unix seconds, such as {example}';
    readonly must_be_time_zone: '{field} must be UTC or a time zone with a place in its name, such as {example}; short names (EST, GMT) and offsets are not taken';
    readonly must_be_month: '{field} must be a month, such as {example}';
    readonly required_to_find: '{field} is required with {other}, which is looked up within one account';
    readonly must_be_unix_time: '{field} must be a time in Unix seconds, such as {example}';
    readonly setting_refused: '{field} is not accepted: {problem}';
    readonly must_be_seconds_ahead: '{field} must be at least {seconds} seconds from now';
    readonly must_be_whole_seconds: '{field} must be a whole number of seconds, such as {example}';
    readonly must_have_decimals: '{field} must have at most {limit} decimals';
    readonly must_be_price: '{field} must be a price in currency units, 0 or more with at most {limit} decimals';
    readonly must_price_units: '{field} must price units of {values}';
    readonly must_be_model: '{field} must be the id or alias of a model; {path} lists them';
    readonly must_be_before: '{field} must be before {other}';
    readonly must_be_cursor: '{field} must be the next_cursor of an answer of this list';
    readonly must_be_task_id: '{field} must be the id of a task: task_ and 26 lower-case letters and digits';
    readonly must_be_visible_ascii: '{field} must be 1 to {limit} visible ASCII characters';
    readonly must_be: '{field} must be {values}';
    readonly must_be_in_range: '{field} must be from {min} to {max}';
    readonly must_be_in_range_or: '{field} must be from {min} to {max}, or {value}';
    readonly must_be_at_least: '{field} must be >= {limit}';
    readonly must_be_at_most: '{field} must be <= {limit}';
    readonly must_not_be_zero: '{field} must not be 0';
    readonly must_be_above: '{field} must be > {limit}';
    readonly must_be_below: '{field} must be < {limit}';
    readonly must_be_greater_than: '{field} must be greater than {other}';
    readonly must_be_with: '{field} must be {values} with {other}';
    readonly must_be_word: '{field} must be one word of letters a to z, digits, _ and -';
    readonly must_be_ratio: '{field} must be a ratio, such as 3:2';
    readonly must_be_of_another_form: '{field} has the wrong form';
    readonly must_be_base64: '{field} must be base64';
    readonly must_be_data_url: '{field} must be a data URL';
    readonly must_be_url: '{field} must be an http or https URL';
    readonly must_be_percents: '{field} must be a list of 1 to {limit} whole numbers from 1 to 100';
    readonly must_be_email_of_user: '{field} must be the e-mail address of a user of this account who has signed in by OpenID Connect';
    readonly must_be_result_url: '{field} must be the URL of a result or file of this service';
    readonly must_be_file: '{field} must be an http or https URL, a data URL, base64 or the id of a file (file_ and 26 lower-case letters and digits)';
    readonly must_be_text_field: '{field} must be a text field, not a file';
    readonly must_be_given_once: '{field} must be given only once';
    readonly must_have_no_control_characters: '{field} must have no control characters, such as line breaks';
    readonly must_have_no_nul: '{field} must have no NUL character';
    readonly must_be_words_without_flags: '{field} must be words, without flags';
    readonly must_equal_that_of: '{field} must be that of {other}';
    readonly answers_no_call: '{field} answers no call that stands before it: send that call, too, and repeat its {other} here';
    readonly must_differ_from_other_tags: '{field} must differ from every other tag';
    readonly must_begin_with_at: '{field} must begin with @ and have no blanks';
    readonly must_contain_tag: '{field} must contain the tag of {other}';
    readonly must_not_be_contained_in: '{field} must not be contained in {other}';
    readonly must_be_below_duration: '{field} must be above 0 and below duration ({duration})';
    readonly must_hold_one_of: '{field} must hold one of {values}';
    readonly must_hold_only_one_of: '{field} must hold only one of {values}';
    readonly must_be_within_own: '{field} must not allow more than the API key that asks for it has';
    readonly must_cover_use: '{field} must be at least {amount}, which the key has spent and reserved';
    readonly too_few_characters: '{field} must NOT have fewer than {limit} characters';
    readonly too_many_characters: '{field} must have at most {limit} characters';
    readonly too_many_characters_of_json: '{field} must have at most {limit} characters of JSON';
    readonly too_many_tokens: '{field} must have at most {limit} tokens; it has {tokens} (UTF-8 bytes / 4)';
    readonly too_many_items: '{field} must have at most {limit} items';
    readonly more_than_one_item: '{field} must have at most 1 item';
    readonly too_many_entries: '{field} must have at most {limit} entries';
    readonly entry_name_length: 'The names of the entries of {field} must have 1 to {limit} characters';
    readonly too_few_items: '{field} must have at least {limit} items';
    readonly no_item: '{field} must have at least 1 item';
    readonly too_many_items_of_type: '{field} must have at most {limit} items of type {type}';
    readonly too_many_items_with_type: '{field} must have at most {limit} items with type {type}';
    readonly too_many_reference_images: '{other} and {field} must have at most {limit} reference images together';
    readonly too_many_clips: '{other} and {field} must have at most {limit} clips together';
    readonly too_many_images_and_results: '{field} plus the number of {other} must be at most {limit}';
    readonly not_together: '{field} and {other} cannot be given together';
    readonly not_combined: '{field} cannot be combined with {other}';
    readonly requires: '{field} requires {other}';
    readonly two_names_of_one_field: '{field} and {other} are two names of one field and must not differ';
    readonly field_invalid: '{field} is not valid';
    readonly body_invalid: 'The request body is not valid.';
    readonly unsupported_parameter: '{field}: parameter is not supported';
    readonly not_streamed: '{field}: this answer is not streamed; leave the field out';
    readonly called_otherwise: '{field} is not a parameter of the model; use {other}';
    readonly not_stored: '{field} refers to what is not stored here: send it itself (in clients: store: false)';
    readonly not_stored_whole: '{field} refers to what is not stored here: leave it out, and send all of that in {other}';
    readonly meaningless: '{field} is not a field of this request; leave it out';
    readonly would_be_ignored: '{field} would be ignored, which Strict refuses; leave it out';
    readonly data_url_not_taken: '{field} does not take a file as a data URL';
    readonly file_required: '{field} is required: send the file in this form field';
    readonly image_required: '{field} is required: send at least one file as image or image[], or image_urls';
    readonly ratio_out_of_range: '{field} must be from 1:{limit} to {limit}:1';
    readonly size_choice: '{field} must be auto, one of {values}, or <width>x<height>';
    readonly size_step: '{field} must have a width and a height that are multiples of {limit}';
    readonly size_side: '{field} must have no side longer than {limit} pixels';
    readonly size_ratio: '{field} must not be longer than {limit}:1';
    readonly size_pixels: '{field} must have from {min} to {max} pixels in all';
    readonly version_with_niji: '{field} must be 7 or 6 with niji';
    readonly one_frame_too_many: '{field} is one frame too many: there is one first_frame and one last_frame';
    readonly last_frame_alone: '{field} is a last frame, which requires a first frame';
    readonly shot_type_required: '{field} is required with multi_shot: customize or intelligence';
    readonly shots_required: '{field} is required with shot_type customize: 1 to 6 shots';
    readonly shots_unnumbered: '{field} must number its shots from 1 to {limit}: index {missing} is missing';
    readonly shots_length: '{field} must last {duration} seconds in all, as duration says; its shots last {total}';
    readonly range_too_long: '{field} must be at most {days} days before {other}';
    readonly report_too_long: '{field} to {other} has more tasks than one report sums up in time; ask for fewer days at once';
    readonly invoice_too_long: '{field} cuts days that have more tasks than one invoice sums up in time; ask for the month of UTC';
    readonly bookings_removed: '{field} reaches back before {day}, and of earlier days only sums by UTC are kept; ask for whole days of UTC';
    readonly too_many_groups: '{field} makes more than {limit} groups; ask for a shorter time or fewer groups';
    readonly too_many_tasks: '{field} makes more than {limit} tasks; ask for a shorter time, and add up';
    readonly fade_required: '{field} or {other} is required, and one of them above 0';
    readonly about_field: '{field}: {problem}';
    readonly foreign: '{text}';
    readonly and: '{first} and {rest}';
    readonly or: '{first} or {rest}';
    readonly counted_submissions: 'submissions and uploads';
    readonly counted_reads: 'requests that submit nothing';
    readonly whose_key: 'of this API key';
    readonly whose_keys_made: 'of all API keys together that one key has made';
    readonly whose_users: 'of all users of the account together';
    readonly whose_account: 'of this account';
    readonly with_value: '{field} {value}';
    readonly with_role: '{field} ({role})';
    readonly of_type: '{field} of type {type}';
    readonly as_reference: '{field} (multimodal reference)';
    readonly as_frames: '{field} (image-to-video)';
    readonly path_invalid: 'The path is not valid: each % must be followed by two hexadecimal digits that make UTF-8.';
    readonly endpoint_unknown: 'There is no such endpoint.';
    readonly endpoint_elsewhere: 'There is no such endpoint; use {path}.';
    readonly endpoint_of_seeds: 'There is no such endpoint: vendors do not report seeds. An image can be drawn again if it was submitted with a seed of your own, such as --seed 7 in the prompt.';
    readonly endpoint_of_openai: "There is no such endpoint. Of OpenAI's API {values} are served.";
    readonly method_not_allowed: '{method} is not allowed here; use {methods}.';
    readonly http_invalid: 'The request is not valid HTTP.';
    readonly headers_too_large: 'The request headers are too large.';
    readonly request_too_late: 'The request did not arrive in time.';
    readonly host_header_missing: 'The Host header is missing.';
    readonly expectation_unknown: 'The only expectation that can be met is "Expect: 100-continue".';
    readonly body_too_slow: 'The request body arrived too slowly: send at least {rate}.';
    readonly body_too_slow_for_file: 'The request body arrived too slowly: send at least {rate}. To send a large file, ask for a link to write it to: POST {path}.';
    readonly body_too_large: 'The request body is larger than {size}.';
    readonly body_too_large_without_files: 'The request body, apart from files as data URLs, is larger than {size}.';
    readonly body_compressed: 'Compressed request bodies are not supported.';
    readonly body_empty: 'The request body is empty.';
    readonly body_not_utf8: 'The request body is not valid UTF-8.';
    readonly body_not_json: 'The request body is not valid JSON.';
    readonly body_not_json_at: 'The request body is not valid JSON: something else is expected at line {line}, column {column}.';
    readonly body_json_incomplete: 'The request body ends before its JSON is complete.';
    readonly body_begins_with_mark: 'The request body begins with a byte order mark; send it without.';
    readonly body_not_object: 'The request body must be a JSON object.';
    readonly body_too_many_values: 'The request body holds more than {limit} values.';
    readonly body_too_deep: 'The request body is nested deeper than {limit} levels.';
    readonly body_unstorable: 'The request body contains a NUL character or a broken surrogate pair.';
    readonly body_number_out_of_range: 'The request body contains a number that is out of range.';
    readonly field_name_too_long: 'The name of a field is longer than {limit} bytes.';
    readonly field_names_too_long: 'The names of the fields are longer than {size} together.';
    readonly field_name_forbidden: '{field} is not allowed as the name of a field.';
    readonly field_doubled: '{field} is given twice in one object.';
    readonly a_field_doubled: 'A field is given twice in one object.';
    readonly form_without_boundary: 'The multipart form has no boundary: leave the Content-Type header to the client that makes the form.';
    readonly form_malformed: 'The multipart form is malformed or incomplete.';
    readonly form_part_without_name: 'A part of the form has no name: each needs Content-Disposition: form-data with a name.';
    readonly form_field_too_long: 'A form field is too long.';
    readonly form_fields_too_large: "The form's fields are larger than {size} together.";
    readonly form_file_too_large: 'File "{field}" is larger than {size}.';
    readonly form_too_many_files: 'The form has more than {limit} files.';
    readonly form_too_many_fields: 'The form has more than {limit} fields.';
    readonly form_too_many_parts: 'The form has too many parts.';
    readonly send_json: 'Send the body as JSON with "Content-Type: application/json".';
    readonly send_edit: 'Send the edit as multipart/form-data or application/json.';
    readonly send_image: 'Send the image as multipart/form-data or application/json.';
    readonly send_file: 'Send the file as multipart/form-data.';
    readonly send_file_or_url: 'Send the file as multipart/form-data, or its url as application/json.';
    readonly upload_too_large: 'The image is larger than {size}.';
    readonly key_missing: 'Missing or invalid API key. Send it as "Authorization: Bearer <API_KEY>".';
    readonly key_missing_or_header: 'Missing or invalid API key. Send it as "Authorization: Bearer <API_KEY>", or as "{header}: <API_KEY>".';
    readonly two_keys: 'Two different API keys were sent, in "Authorization" and in "{header}". Send only one.';
    readonly operator_token_missing: 'Missing or invalid operator token. Send it as "Authorization: Bearer <OPERATOR_TOKEN>".';
    readonly operator_role_too_low: 'This needs the role {role}; the role of this token is {has}.';
    readonly account_not_found: 'Account not found.';
    readonly user_not_found: 'There is no such user.';
    readonly user_exists: '{field}: a user has this e-mail address already.';
    readonly own_user: 'This token belongs to that user, and users cannot manage themselves.';
    readonly user_disabled: 'The user is disabled.';
    readonly balance_too_small: '{field}: the balance of the account would fall below zero.';
    readonly reference_booked: '{field}: a payment with this reference was booked before.';
    readonly nothing_of_that_id: 'Nothing was found with this id.';
    readonly task_overdue: 'The task cannot be retried: its deadline has passed.';
    readonly task_runs_at_once: 'The task cannot be retried: it is answered while its caller waits.';
    readonly already_done: 'This was already done; nothing was changed.';
    readonly ended_already: 'This has already ended ({state}) and can no longer be changed.';
    readonly resolved_otherwise: 'The attempt was already resolved as {resolution} and cannot be resolved again.';
    readonly nothing_to_resolve: 'There is nothing to resolve: the outcome of the attempt is known, or its task has not ended.';
    readonly billing_key_unknown: '{field}: nothing is billed under this key; {path} lists the keys.';
    readonly account_suspended: 'The account is suspended and takes no new tasks. Those that have begun go on.';
    readonly account_closed: 'The account is closed.';
    readonly account_state: 'The account is {state}, which does not allow this.';
    readonly task_not_charged: 'The task was not charged.';
    readonly task_refunded: 'The task was already refunded.';
    readonly key_revoked: 'The API key is no longer valid.';
    readonly key_expired: 'The API key has expired.';
    readonly manage_forbidden: 'This API key has no right to manage.';
    readonly scope_forbidden: 'This API key sees only what it made itself. This needs the scope account.';
    readonly key_not_found: 'There is no such API key, or it was revoked.';
    readonly key_not_made: 'An API key can change only keys that it made.';
    readonly key_of_user: 'This API key stands for a user of the console. It can be revoked, but not changed.';
    readonly too_many_keys: 'The account has {limit} API keys and may have no more. Revoke one first.';
    readonly too_many_users: 'The account has {limit} users and may have no more. Delete one first.';
    readonly too_many_targets: 'There are {limit} targets of notices, and no more are possible. Remove one first.';
    readonly no_test_channel_of_model: 'This service has no test channel for the model {model}. Use a live key, or ask its operator for one.';
    readonly no_test_channel: 'This service has no test channel for the {family} family. Use a live key, or ask its operator for one.';
    readonly family_forbidden: 'This API key has no permission for the {family} family.';
    readonly model_forbidden: 'This API key has no permission for the model {model}.';
    readonly account_insufficient: 'The balance is insufficient for this task.';
    readonly key_insufficient: "The API key's remaining quota is insufficient for this task.";
    readonly not_a_submission: '{field} must be the path of a submission, such as /v1/images/generations';
    readonly max_cost_exceeded: 'The task can cost up to {required}, which is more than {field} allows.';
    readonly model_required: '{field} is required; choose one of {models}';
    readonly model_elsewhere: 'model "{model}" is for POST {path}; choose one of {models} here';
    readonly model_unavailable: 'model "{model}" is not available; choose one of {models}';
    readonly model_unknown: 'There is no such model.';
    readonly model_unknown_use: 'There is no such model; use one of {models}.';
    readonly model_not_found: 'Model not found.';
    readonly method_unknown: 'There is no such method; use one of {methods}.';
    readonly task_not_found: 'Task not found.';
    readonly callback_none: 'This task has no callback.';
    readonly callback_pending: 'The callback of this task is still on its way.';
    readonly callbacks_a_day: 'The callback of a task is sent again {limit} times a day at most; the next day begins at midnight UTC.';
    readonly changes_a_day: 'The account may change keys, secrets and notices {limit} times a day at most; the next day begins at midnight UTC.';
    readonly redeliveries_a_day: 'This API key may have callbacks sent again {limit} times a day at most; the next day begins at midnight UTC.';
    readonly tests_a_day: 'The test keys of the account may submit {limit} tasks a day at most; the next day begins at midnight UTC.';
    readonly secret_overlapping: 'The secret was replaced recently, and the previous one is valid until {time}. Replace it after that, or at once with overlap_seconds 0, which ends all earlier ones.';
    readonly task_has_ended: 'The task has ended and can no longer be canceled.';
    readonly task_has_started: 'The work on the task has begun and cannot be stopped.';
    readonly task_may_be_cancelled: 'The cancellation was requested and may still take effect. Read the task to learn how it ends.';
    readonly task_still_running: 'The task {task} is still running. Read its result at {path}.';
    readonly task_ids_expected: '{field} must be an array of 1 to {limit} task ids';
    readonly task_ids_expected_at_most: '{field} must be an array of at most {limit} task ids';
    readonly balance_not_found: 'The balance record of this key was not found.';
    readonly file_not_found: 'File not found.';
    readonly direct_upload_unavailable: 'This service accepts files only at {path}, because it keeps them on its own disk.';
    readonly upload_missing: 'Nothing has been uploaded to the link of this file yet.';
    readonly file_expired: 'The link has expired and the file is gone.';
    readonly link_unsigned: 'The link is not valid: its signature is missing or wrong.';
    readonly range_beyond_end: 'The file has {bytes} bytes.';
    readonly idempotency_key_invalid: 'The {field} header must be 1 to {limit} visible ASCII characters.';
    readonly idempotency_key_reused: 'This Idempotency-Key was used before with another request.';
    readonly idempotency_answer_not_kept: 'This Idempotency-Key was used before. Answers are not kept, so this one cannot be sent again.';
    readonly idempotency_audio_not_kept: 'This Idempotency-Key was used before. Audio is not kept, so it cannot be sent again.';
    readonly too_many_requests: 'Too many requests. Try again in {seconds} s.';
    readonly too_many_requests_within: 'Too many requests: at most {limit} {what} {whose} within {window} s. Try again in {seconds} s.';
    readonly too_many_large_requests: 'Too many large requests are in progress. Please try again in a moment.';
    readonly too_many_large_requests_of_account: 'Too many large requests of this account are in progress. Please try again in a moment.';
    readonly too_many_large_requests_of_key: 'Too many large requests of this API key are in progress. Please try again in a moment.';
    readonly too_many_open_requests_of_account: 'Too many requests of this account are being sent at once. Please try again in a moment.';
    readonly too_many_waiting_of_account: 'Too many requests of this account wait for tasks at once. Poll the tasks without waiting, or try again later.';
    readonly too_many_open_requests_of_key: 'Too many requests of this API key are being sent at once. Please try again in a moment.';
    readonly too_many_refused_requests_of_account: 'Too many requests of this account were refused. Please try again in a moment.';
    readonly too_many_refused_requests_without_key: 'Too many requests without a valid API key were refused. Please try again in a moment.';
    readonly too_many_tasks_of_key: 'The API key has reached its limit of concurrent tasks of this kind. Please try again.';
    readonly account_files_a_day: 'The account may upload at most {limit} files a day (UTC).';
    readonly account_megabytes_a_day: 'The account may upload at most {limit} MB of files a day (UTC).';
    readonly account_files_at_once: 'The account may keep at most {limit} files at once; they expire {hours} hours after their upload.';
    readonly account_megabytes_at_once: 'The account may keep at most {limit} MB of files at once; they expire {hours} hours after their upload.';
    readonly key_files_a_day: 'This API key may upload at most {limit} files a day (UTC).';
    readonly key_megabytes_a_day: 'This API key may upload at most {limit} MB of files a day (UTC).';
    readonly key_files_at_once: 'This API key may keep at most {limit} files at once; they expire {hours} hours after their upload.';
    readonly key_megabytes_at_once: 'This API key may keep at most {limit} MB of files at once; they expire {hours} hours after their upload.';
    readonly content_flagged: 'The prompt or an input image was flagged by moderation.';
    readonly content_flagged_for: 'The prompt or an input image was flagged by moderation: {categories}.';
    readonly review_unavailable: 'The content could not be reviewed. Please try again later.';
    readonly speech_full: 'No more speech can be generated at the moment. Please try again.';
    readonly no_open_upstream_for: 'No upstream that can do this is available at the moment; the others cannot: {problem}';
    readonly model_unavailable_now: 'The model is temporarily unavailable. Please try again later.';
    readonly model_could_not_answer: 'The model could not answer. Please try again.';
    readonly model_broke_off: 'The model stopped in the middle of its answer. Please try again.';
    readonly server_error: 'The request could not be completed because of a server error.';
    readonly must_be_test_task: '{field} must name a task made with a test key, because this request uses one';
    readonly must_not_be_test_task: '{field} must name a task that was not made with a test key';
    readonly must_be_imgtool_task: '{field} must name an image-tool task';
    readonly must_be_inpaint_task: '{field} must name an inpaint task';
    readonly must_be_music_task: '{field} must name a music task';
    readonly must_be_completed_task: '{field} must name a completed task';
    readonly must_be_task_with_track: '{field} must name a task that made a track';
    readonly must_be_own_track: '{field} must name a track that the model made: it does not know the lyrics of others';
    readonly must_be_known_track: '{field} must name a track whose sound and length are known';
    readonly must_be_track_of_task: '{field} must be from 1 to {limit} for this task';
    readonly must_be_within_track: '{field} must be within the source track, which has {seconds} seconds';
    readonly leaves_nothing_of_track: '{other} and {field} must leave something of the source track, which has {seconds} seconds';
    readonly source_unknown: '{field}: there is no such task';
    readonly source_continued: '{field}: another task already continues this one, or it has ended';
    readonly operation_not_offered: 'the operation is not available for this task';
    readonly remix_not_offered: '{field}: remix is not available for this task, only for images of version 8 or 8.1';
    readonly modal_after_end: '{field}: modal is not available for this task, which has ended';
    readonly modal_after_modal: '{field}: modal is not available for this task, which had its modal';
    readonly modal_too_early: '{field}: modal is not available for this task yet; try again in a moment';
    readonly no_such_image: '{field}: there is no such image, so video is not available for this task';
    readonly image_or_task_required: '{field}, or {task} and {index}, is required';
    readonly no_upstream: 'No available upstream. Please try again later.';
    readonly content_policy: 'The request was rejected by the content policy of the model.';
    readonly banned_prompt: 'Banned prompt content detected.';
    readonly invalid_parameter: 'The model rejected the request parameters.';
    readonly upstream_error: 'The model could not complete the generation.';
    readonly outcome_unknown: 'The generation was interrupted and its outcome is unknown. You were not charged.';
    readonly timeout: 'Task timeout';
    readonly result_unavailable: 'The result of the generation could not be retrieved.';
    readonly bad_media: 'An input file could not be used.';
    readonly caller_left: 'The caller left before the model had begun to answer.';
    readonly internal_error: 'The task could not be completed.';
    readonly service_unavailable: 'The service is temporarily unavailable. Please try again.';
    readonly result_not_kept: 'The service could not store results in time. You were not charged.';
    readonly cancelled: 'The task was canceled by the operator.';
    readonly cancelled_by_caller: 'The task was canceled at the request of its account.';
    readonly expired_before_start: 'The task was not begun in time.';
    readonly inputs_full: 'Files of running tasks take all the space of the account or the key. Try again when some of them have ended.';
    readonly parameter_rejected: 'The model rejected the request parameter: {parameter}.';
    readonly operation_unavailable: 'This operation is not available for this task.';
    readonly no_such_operation: 'The model has no such operation.';
    readonly no_beat: 'The sound has no beat that could be counted.';
    readonly result_too_large: 'The result is larger than {limit} KiB.';
    readonly ignored_unknown: '{field} was ignored: the model has no such field';
    readonly ignored_more_unknown: '{count} more unknown fields were ignored';
    readonly ignored_for_problem: '{field} was ignored: {problem}';
    readonly ignored_not_one_of: '{field} was ignored: it is not one of {values}';
    readonly ignored_in_submission: '{field} was ignored: use it when you read the record, such as ?{field}=de';
    readonly ignored_without: '{field} was ignored: it has no effect without {other}';
    readonly ignored_goes_with: '{field} was ignored: it only goes with {other}';
    readonly ignored_without_ratio: '{field} was ignored: it only goes with a {other} that is an aspect ratio';
    readonly ignored_outside_text_to_video: '{field} was ignored: it only goes with text-to-video';
    readonly ignored_ratio_of_image: '{field} was ignored: the video has the ratio of the image';
    readonly ignored_ratio_of_input: '{field} was ignored: the video has the ratio of its images or video';
    readonly ignored_length_of_video: '{field} was ignored: the video is as long as the one in {other}';
    readonly ignored_speed_of_inpaint: '{field} was ignored: the speed of the inpaint applies';
    readonly ignored_drawn_once: '{field} was ignored: each task makes its images once; submit it again for more';
    readonly ignored_from: '{field} and later were ignored: only the first is used';
    readonly read_as: '{field} was read as {value}';
    readonly read_as_ratio: '{field} was read as the ratio {ratio}: the model does not support sizes in pixels';
    readonly truncated: '{field} was truncated to {limit} characters';
    readonly elements_not_called: '{fields}: no prompt mentions it as @ and its name';
};

/** A name, a figure, or a message within the message. */
export type MessageParam = string | number | Message;

export type TaskFailureReason = (typeof TASK_FAILURE_REASONS)[number];

/** The reasons that a task fails for. Each is the key of the message for want of a more exact one. */
declare const TASK_FAILURE_REASONS: readonly ["no_upstream", "content_policy", "invalid_parameter", "upstream_error", "outcome_unknown", "timeout", "result_unavailable", "bad_media", "caller_left", "internal_error", "service_unavailable", "cancelled", "expired_before_start"];

/** One vendor's way of saying no, declared. */
export interface ErrorDialect {
    /** The error in a body, which came under `status`; undefined when the body has none. */
    read(body: unknown, status: number): VendorError | undefined;
    /** Where the vendor's words say more than its status. The first match wins; without one the status decides. */
    rules: readonly ErrorRule[];
    /** The vendor's own meaning of a status, where neither a rule nor the usual meaning says it. */
    statuses?: Readonly<Record<number, FaultCode>>;
    /** The vendor's field names that callers know, to the callers' names of them. */
    fields: Readonly<Record<string, string>>;
    /** The vendor's names of fields that the adapter or the channel says of itself: that one is refused is no mistake of a caller's. */
    own: readonly string[];
    /** The header with the vendor's own request id, in lower case. */
    requestIdHeader?: string;
    /** The vendor's own request id where it stands in the body, of a success or an error. */
    requestIdOf?(body: unknown): string | undefined;
}

/** A vendor's error as read from its body, whatever the shape of that. */
export interface VendorError {
    code?: string;
    type?: string;
    message?: string;
    /** The vendor's name of the field at fault. */
    param?: string;
    /** Machine-readable particulars beside the code: reasons, ids of quotas. */
    reasons?: string;
    retryAfterMs?: number;
}

/** All that is given must match. */
export interface ErrorRule {
    status?: number;
    code?: RegExp;
    type?: RegExp;
    message?: RegExp;
    reasons?: RegExp;
    fault: FaultCode;
    /** It is about the channel's name of the model, or what the channel says of it. */
    ofModel?: true;
    /** It is about the channel's name of a voice. */
    ofVoice?: true;
}

/** Texts that must never show in a detail. */
export interface Confidential {
    apiKey: string;
    /** Absent where it is not known, as when a job is asked about; a vendor's words, which may quote it, are then left out. */
    prompt?: string;
}

/** A JSON object under a 2xx without an error in it, or the fault that came instead. */
export type VendorReply = ({
    ok: true;
    body: JsonObject;
    headers: Answer['headers'];
} | VendorRefusal) & {
    requestId?: string;
};

/** The fault that came instead of a success, with the vendor's words where the protocol can do more about them. */
export interface VendorRefusal {
    ok: false;
    fault: Fault;
    error?: VendorError | undefined;
    /** A whole 2xx that is no JSON object, as a file, a page or a list. */
    isNoObject?: true;
}

/** The same, for a success that is a file itself. `maxResponseBytes` bounds it; without `newFile` it is in memory. */
declare function callVendorForFile(http: HttpClient, call: VendorCall): Promise<VendorFile>;

/** A file under a 2xx, or the fault that came instead. `contentType` is the vendor's claim: the bytes decide. */
export type VendorFile = ({
    ok: true;
    bytes: MediaBytes;
    contentType?: string;
    headers: Answer['headers'];
} | VendorRefusal) & {
    requestId?: string;
};

/** The credentials of a vendor that takes the channel's key as it is. */
declare function staticKey(headersOf: (endpoint: Endpoint) => Record<string, string>): Credentials;

declare function createProbe(http: HttpClient, question: Question): Probe;

/** How a protocol is probed: one GET. */
export interface Question {
    path(endpoint: Endpoint): string;
    /** The URL before the path; absent: the channel's base URL. */
    base?(endpoint: Endpoint): string;
    /** Absent: `credentials` show the key. */
    headers?(endpoint: Endpoint): Record<string, string>;
    credentials?: Credentials;
    dialect: ErrorDialect;
    /** It asks about something that is not there: that the vendor says so shows that it takes the key. */
    isAboutNothing?: true;
    /** The question carries no key, so that its answer shows nothing of one. */
    isKeyless?: true;
    /** The answer is a list, which `read` finds as `items`. */
    isList?: true;
    /** Reads further findings from a success. */
    read?(body: JsonObject, place: ProbePlace): Pick<Sighting, 'models' | 'balance'>;
}

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

declare function refused(fault: Fault, requestIds?: readonly (string | undefined)[]): Refused;

export interface Refused {
    kind: 'refused';
    fault: Fault;
    requestIds?: string[];
}

/** A 2xx whose body is not what the protocol promises: the work was probably done and cannot be had. */
declare function unreadable(why: string, credits?: string): Fault;

/** Hands a job in, and keeps what the vendor answers with. */
declare function startJob(http: HttpClient, context: CallContext, { idIn, idPlace, jobOf, ...submission }: JobStart): Promise<Started | Refused>;

export interface JobStart extends Submission {
    /** The vendor's id of the job, in its answer. */
    idIn(body: JsonObject): string | undefined;
    /** Where the configuration says that it stands, and the key there; absent: the protocol says it. */
    idPlace?: {
        at: string;
        key: string;
    };
    /** All that is kept to ask about the job, but for the time of its start. */
    jobOf(id: string, body: JsonObject): JsonObject;
}

/** A request that hands a job in. */
export interface Submission extends JobCall, Pick<VendorCall, 'confidential'> {
    body: NonNullable<VendorCall['body']>;
    maxResponseBytes?: number;
}

export interface JobCall extends Pick<VendorCall, 'headers' | 'key' | 'dialect'> {
    /** Below the channel's base URL. */
    path: string;
}

/** Accepted: from here on the job is only ever checked. `operation` is all that `check` needs, kept as JSON. */
export interface Started {
    kind: 'started';
    externalId: string;
    operation: JsonObject;
    checkAfterMs: number;
    requestIds?: string[];
}

/** Asks the vendor about a job, or tells it to stop one. */
declare function askJob(http: HttpClient, context: CallContext, { path, method, ...call }: JobCall & Partial<Pick<VendorCall, 'method'>>): Promise<VendorReply>;

/** Judges the vendor's answer to a question about a job. */
declare function judgeJob(reply: VendorReply, { job, endpoint, states }: {
    job: Job;
    endpoint: Endpoint;
    states: JobStates;
}, read: (body: JsonObject) => JobReport): CheckOutcome;

/** Every saved operation says when the vendor accepted the job, in milliseconds since 1970. */
export type Job = JsonObject & {
    since: number;
    /** Successes without a result, one after the other up to the last answer, and when the first of them came. */
    emptySuccesses?: number;
    emptySince?: number;
};

/** The vendor's words for a job's state. */
export type JobStates = Readonly<Record<string, 'queued' | 'running' | 'done' | 'failed'>>;

/** The parts of an answer about a job. */
export interface JobReport {
    /** Undefined: the answer does not say. */
    status: string | undefined;
    progress?: number | undefined;
    result(): Done | Refused | Misplaced;
    fault(status: string): Fault;
}

export interface Done {
    kind: 'done';
    /** The outputs that exist; fewer than asked for is legal, none is a fault unless there are `facts`. */
    outputs: Output[];
    /** Results that are no file, or belong to all files: lyrics, descriptions, buttons. For the task's result. */
    facts?: JsonObject;
    usage: Usage;
    /** The job's cost as the vendor reports it, in its own credits: a plain decimal. */
    credits?: string;
    /** The vendor's own request ids, for support cases. */
    requestIds?: string[];
    /** For operators: a place that the configuration has wrong, although the result could be read. */
    mistake?: string;
}

/** One thing an upstream produced. Bytes when it came in the answer; else a link, fetched through the guarded client. */
export type Output = {
    role: 'image' | 'video' | 'audio' | 'cover';
    contentType?: string;
    /** The vendor made more than was asked for: the kept part ends here. */
    keepSeconds?: number;
    /** The caller asked for this format: the kept file is converted to it where it is another. */
    audioFormat?: SoundFormat;
    /** Four images in one, two by two, that the vendor does not give one by one: they are cut out and kept beside it. */
    isGrid?: boolean;
    /** The vendor's further facts about it: a title, lyrics, its own id for follow-ups. For the task's result. */
    facts?: JsonObject;
} & ({
    bytes: MediaBytes;
    url?: never;
    backupUrl?: never;
    needsKey?: never;
} | {
    url: string;
    /** The vendor's second link to the same file, for when the first gives nothing. */
    backupUrl?: string;
    /** The vendor gives the file to its key alone, which is shown on the origin of the channel's `base_url` and nowhere else. */
    needsKey?: boolean;
    bytes?: never;
});

export type SoundFormat = (typeof SOUND_FORMATS)[number];

/** Formats that a sound can be brought into. */
declare const SOUND_FORMATS: readonly ['mp3', 'm4a', 'wav'];

/** The usage that the upstream reports. Every number is a count; absent means not reported. */
export interface Usage {
    images?: number;
    videos?: number;
    seconds?: number;
    characters?: number;
    inputTokens?: number;
    /** Parts of `inputTokens`; cached ones are counted inside these. */
    inputTextTokens?: number;
    inputImageTokens?: number;
    cachedTextTokens?: number;
    cachedImageTokens?: number;
    outputTokens?: number;
    totalTokens?: number;
}

/** The answer of a job that is done has something else where its result was to be. */
export interface Misplaced {
    kind: 'misplaced';
    /** For operators: the places, as their configuration has them. */
    detail: string;
    /** The vendor may have delivered: nobody else is paid for it. */
    mayBeDelivered?: true;
    /** The vendor's charge for the job, in its own credits. */
    credits?: string;
    requestIds?: (string | undefined)[];
}

export type CheckOutcome = Done | Refused | Pending | NotStarted | StageDone;

export interface Pending {
    kind: 'pending';
    /**
     * `queued` keeps the task `pending`, `running` makes it `processing`; `parked` is `queued` until the caller does something,
     * and uses no slot meanwhile.
     */
    phase: 'queued' | 'running' | 'parked';
    /** 0 to 99. */
    progress?: number;
    checkAfterMs?: number;
    /** Replaces the saved operation when the vendor's next step needs more than the last one did. */
    operation?: JsonObject;
}

/**
 * The accepted job was a first stage, and it led to no paid one: nothing is under way at the vendor, so the task may go to
 * another channel. Only where the vendor's answer leaves no doubt of that.
 */
export interface NotStarted {
    kind: 'not_started';
    fault: Fault;
    requestIds?: string[];
}

/**
 * The accepted job was a first stage, which is done. The next stage costs, so its intent is written first; then the adapter's
 * `startNext` is called with `next`. Nothing has been sent for it yet.
 */
export interface StageDone {
    kind: 'stage_done';
    next: JsonObject;
}

/** The fault in an answer that says that the job has failed; one without the vendor's error is judged by its status. */
declare function jobFault(dialect: ErrorDialect, body: JsonObject, status: string, { apiKey }: Endpoint): Fault;

declare function stopped(reply: VendorReply): Cancelled;

/** The job is stopped for good. With `usage` its caller pays for what the vendor did until then; without, for nothing. */
export interface Cancelled {
    kind: 'cancelled';
    usage?: Usage;
    /** The vendor's charge as it reports it, in its own credits: a plain decimal. */
    credits?: string;
    requestIds?: string[];
}

declare function bearer({ apiKey }: Endpoint): Record<string, string>;

/**
 * A word for a state that is not known here leaves the task in the state it has. A job that is under way after all begins
 * to count successes without a result anew.
 */
declare function pending(phase: Pending['phase'] | undefined, job: Job, endpoint: Endpoint): Pending;

/** The vendor ended the job without a result. Whatever its reason, asking again would give the same answer. */
declare function ended(fault: Fault, { requestId }?: Exchange): Refused;

/** The vendor's own id of an exchange, where it gave one. */
export type Exchange = Pick<VendorReply, 'requestId'>;

/**
 * The vendor would not answer a question about a job. That the question was refused as a bad one says nothing about the
 * job, which would be ended by that word; that the job offends a policy does.
 */
declare function unanswered({ fault, requestId }: Exchange & {
    fault: Fault;
}): Refused;

/** An outcome that names no exchange comes from these. */
declare function withIdsOf<Outcome extends {
    requestIds?: readonly (string | undefined)[];
}>(exchanges: readonly Exchange[], outcome: Outcome): Outcome;

/**
 * The result of a job that has ended well. If nothing in it can be read, the job is asked about again, up to these bounds; then
 * the task fails and is refunded, and does not wait for its deadline.
 */
declare function withResult(read: CheckOutcome | Misplaced, job: Job, endpoint: Endpoint): CheckOutcome;

/** The fault in `options` by the rules, as a sentence for the operator; undefined: none. */
declare function checkAgainst(rules: OptionRules, options: JsonObject): string | undefined;

export type OptionRules = Readonly<Record<string, OptionRule>>;

/** An option of a channel: a choice of words, any text, a whole number within bounds, names for names, or what its protocol judges itself. */
export type OptionRule = {
    kind: 'choice';
    of: readonly string[];
} | {
    kind: 'text';
} | {
    kind: 'names';
} | {
    kind: 'own';
} | {
    kind: 'integer';
    min: number;
    max: number;
};

/** @throws TypeError when the request is no image request: a catalogue entry's bug, never a caller's mistake. */
declare function readImageCall({ attemptId, request, media }: StartRequest, { endpoint }: CallContext): ImageCall;

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

/** A caller's file after it was fetched through the guarded client and sniffed. */
export interface LoadedMedia {
    field: string;
    role: MediaReference['role'];
    contentType: string;
    /** Empty where the reference was to be inspected only. */
    bytes: Buffer;
    /** Pixels; absent for media without an image. */
    width?: number;
    height?: number;
    /** Length of audio and video. */
    seconds?: number;
    pages?: number;
}

/** A file a caller named in a submission, and what it may be at most. */
export interface MediaReference {
    /** Where in the body it stands, for messages: `image_urls[0]`, `mask_url`. */
    field: string;
    role: 'image' | 'mask' | 'video' | 'audio' | 'document';
    /** http(s) URL or data URL. */
    url: string;
    /** Media types accepted after sniffing, for example `image/png`. */
    contentTypes: readonly string[];
    maxBytes: number;
    /** Further limits, judged before an upstream is paid. */
    limits?: MediaLimits;
    /** The upstream fetches the file itself: it is inspected in as few bytes as its format allows, and not kept. */
    inspectOnly?: boolean;
    /** The job can be done without it, in another way: it is left out where it is gone or does not fit. */
    optional?: boolean;
}

/** Sides in pixels, lengths in seconds; absent: not judged. */
export interface MediaLimits {
    minSide?: number;
    maxSide?: number;
    /** The longer side over the shorter. */
    maxAspect?: number;
    /** Whether the image must have an alpha channel or must have none, whatever its pixels hold. */
    alpha?: 'required' | 'refused';
    minSeconds?: number;
    maxSeconds?: number;
    maxPages?: number;
}

/** The parts of one start of an image job. */
export interface ImageCall {
    attemptId: string;
    image: ImageRequest;
    /** In the caller's order. */
    inputs: LoadedMedia[];
    mask: LoadedMedia | undefined;
    confidential: Confidential;
}

/**
 * One image job in terms no vendor owns: a catalogue entry makes it from the caller's input, an adapter turns it into its
 * vendor's fields. The files of an edit travel beside it as loaded media, images first in the caller's order, then the mask.
 */
export interface ImageRequest {
    prompt: string;
    /** Images wanted. */
    n: number;
    /** Exact pixels, a preset the vendor resolves itself, or the vendor's own choice. */
    size: {
        width: number;
        height: number;
    } | {
        preset: '512' | '1K' | '2K' | '3K' | '4K';
    } | 'auto';
    /** For vendors that take a ratio instead of pixels, as `16:9`; absent: the vendor's choice. */
    aspectRatio?: string;
    quality?: 'low' | 'medium' | 'high' | 'xhigh' | 'max' | 'auto';
    background?: 'transparent' | 'opaque' | 'auto';
    outputFormat?: 'png' | 'jpeg' | 'webp';
    /** 0 to 100. */
    outputCompression?: number;
    moderation?: 'low' | 'auto';
    watermark?: boolean;
}

declare function readImageRequest(request: JsonObject): ImageRequest;

/** The bounds of one image call; `timeout_seconds` is the channel's option. */
declare function imageCallBounds({ endpoint, signal, newFile }: CallContext): {
    endpoint: Endpoint;
    signal: AbortSignal;
    newFile: (() => FileWriter) | undefined;
    timeoutMs: number;
    maxResponseBytes: number;
};

/** @throws TypeError when the request is no video request: a catalogue entry's bug, never a caller's mistake. */
declare function readVideoCall({ attemptId, request }: StartRequest, { endpoint }: CallContext): VideoCall;

/** One video start, taken apart. */
export interface VideoCall {
    attemptId: string;
    video: VideoRequest;
    confidential: Confidential;
}

/**
 * One video job in terms no vendor owns: a catalogue entry makes it from the caller's input, an adapter turns it into its
 * vendor's fields. Addresses are http or https; vendors of video fetch them themselves.
 */
export interface VideoRequest {
    prompt?: string;
    negativePrompt?: string;
    resolution: '480p' | '512p' | '720p' | '768p' | '1080p' | '4k';
    /** As `16:9`; absent: the shape of the input, or the vendor's choice. */
    aspectRatio?: string;
    /** Whole seconds of video wanted; `auto`: the model decides. */
    seconds: number | 'auto';
    /** Whether the video has a sound track. */
    audio?: boolean;
    watermark?: boolean;
    /** 0 to 2147483647. */
    seed?: number;
    /** Lets the vendor rewrite the prompt before it is used. */
    rewritePrompt?: boolean;
    /** Spends less time on rewriting it. */
    rewriteFast?: boolean;
    /** In the caller's order. */
    inputs: readonly VideoInput[];
    /** People and things to be shown, each called by its tag in the prompt. */
    subjects?: readonly VideoSubject[];
    /** Named things the vendor learns from images first; called `@name` in the prompt. */
    elements?: readonly VideoElement[];
    /** Several shots in one video: planned by the model, or one prompt and length each. */
    shots?: 'auto' | readonly VideoShot[];
}

export type VideoInput = {
    role: 'first_frame' | 'last_frame';
    url: string;
}
/** `tag` begins with `@` and stands in the prompt; `atSeconds`: when it is seen. */
 | {
    role: 'mid_frame';
    url: string;
    tag: string;
    atSeconds?: number;
}
/** The video begins where this one ends. */
 | {
    role: 'continued_video';
    url: string;
    tag?: string;
} | {
    role: 'reference_image' | 'reference_audio';
    url: string;
} | {
    role: 'reference_video';
    url: string;
    tag?: string;
}
/** Heard in the result. */
 | {
    role: 'sound';
    url: string;
} | {
    role: 'document' | 'web_page';
    url: string;
};

export interface VideoSubject {
    tag: string;
    /** `grid`: one image with several views in it. */
    layout: 'single' | 'grid';
    imageUrls: readonly string[];
    voiceUrl?: string;
}

export interface VideoElement {
    name: string;
    description: string;
    /** The first shows the front. */
    imageUrls: readonly string[];
}

export interface VideoShot {
    prompt: string;
    seconds: number;
}

declare function readVideoRequest(request: JsonObject): VideoRequest;

/** The address of the first input in a role. */
declare function addressOf({ inputs }: VideoRequest, role: VideoInput['role']): string | undefined;

/** The one video of a job that has ended well; without a link that can be followed it is asked about again. */
declare function doneWith(link: unknown, reported: Reported): Done | Refused;

/** The vendor's facts about a video beside its link. */
export interface Reported {
    seconds?: unknown;
    /** The job's cost, in the vendor's own credits. */
    credits?: unknown;
    keepSeconds?: number | undefined;
    /** Its second link to the video. */
    backup?: unknown;
    /** The link is given to the channel's key alone. */
    needsKey?: true;
}

declare function lack(problem: Message, part?: string, most?: number): Lack;

/** The part of a request that a channel's protocol cannot carry, found from request and channel before anything is sent. */
export interface Lack {
    /** For the caller, without the field's name. */
    message: Message;
    /** The part to blame: a field of the request by its name there, the role of an input, or the body's own name of a file. */
    part?: string;
    /** The limit that was passed, where a larger one would do. */
    most?: number;
}

/** The first of the limits that a request breaks. */
declare function fieldLack<Request extends object>(request: Request, limits: FieldLimits<Request>): Lack | undefined;

/** By field; what is absent has no limit, and a request without the field breaks none. */
export type FieldLimits<Request> = {
    readonly [Field in keyof Request]?: FieldLimit;
};

/** The values that one field of a request may hold. `lack` is the message about any other; with a choice it names the value. */
export type FieldLimit = {
    maxCharacters: number;
} | {
    maxItems: number;
} | {
    lack: 'takes_no_stem_type' | 'takes_no_result_format';
    oneOf: readonly unknown[];
}
/** The protocol has no word for it, or none for this one value of it. */
 | {
    lack: ValueLack;
    never: true;
} | {
    lack: ValueLack;
    neverIs: unknown;
};

export type ValueLack = 'takes_no_choice_of_length' | 'takes_no_rewritten_lyrics' | 'takes_no_described_extensions' | 'takes_no_sound_version' | 'takes_no_lyrics_model' | 'takes_no_wanted_length';

/** The first limit that the files break, as far as they are known. */
declare function fileLack(files: readonly FileOutline[], limits: FileLimits): Lack | undefined;

/** A caller's file as far as it is known. */
export type FileOutline = KnownMedia & {
    bytes?: number;
};

/** The known facts of a caller's file: only where the body names it, if nobody has fetched it yet. */
export type KnownMedia = Pick<LoadedMedia, 'field' | 'role'> & Partial<Omit<LoadedMedia, 'bytes'>>;

export type FileLimits = {
    readonly [Role in LoadedMedia['role']]?: FileLimit;
};

/** Callers' files in one role. */
export interface FileLimit {
    maxFiles?: number;
    /** The largest size of each file. */
    maxBytes?: number;
    contentTypes?: readonly string[];
}

/** The part of a request and its files that the protocol cannot say; undefined: none. */
declare function videoLack(video: VideoRequest, files: readonly FileOutline[], ability: VideoAbility): Lack | undefined;

/** The parts of a request that a protocol has words for, as it declares them. A part that is absent cannot be said. */
export interface VideoAbility {
    /** To the vendor's words. */
    resolutions: Partial<Record<VideoRequest['resolution'], string>>;
    /** Absent: any. */
    aspectRatios?: ReadonlySet<string>;
    roles: ReadonlySet<VideoInput['role']>;
    /** Whole seconds, from and to. */
    seconds: readonly [number, number];
    autoSeconds?: true;
    negativePrompt?: true;
    seed?: true;
    watermark?: true;
    /** Absent: it does as it likes, which a caller may allow. `never`: it rewrites nothing, so that either wish is met. */
    rewritePrompt?: true | 'never';
    rewriteFast?: true;
    /** `choice`: with and without; a protocol with `always` or `never` has no word for the other. */
    audio: 'choice' | 'always' | 'never';
    /** Inputs called by a tag in the prompt. */
    tags?: true;
    subjects?: true;
    elements?: true;
    shots?: true;
    /** Limits of texts and lists. */
    limits?: FieldLimits<VideoRequest>;
    files?: FileLimits;
    /** Inputs of one role; absent: any number. */
    most?: Partial<Record<VideoInput['role'], number>>;
}

/** The compiler knows the parameters of each key. */
declare function message<Key extends MessageKey>(key: Key, ...[params]: keyof ParamsOf<Key> extends never ? [] : [ParamsOf<Key>]): Message;

export type ParamsOf<Key extends MessageKey> = {
    readonly [Name in Placeholder<(typeof MESSAGES)[Key]>]: MessageParam;
};

/** The names within braces. */
export type Placeholder<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholder<Rest> : never;

/** The field that a vendor's message names first, for vendors that name it nowhere else. */
declare function fieldNamedIn(message: string | undefined, fields: ErrorDialect['fields']): string | undefined;

declare function object(value: unknown): JsonObject;

/** The elements; undefined when it is no array at all, which is a different finding from an empty one. */
declare function list(value: unknown): Json[] | undefined;

/** Without what no database keeps as JSON: zero bytes, and halves of characters, of which a vendor's cuts leave one. */
declare function text(value: unknown): string | undefined;

/**
 * A vendor's id of something, sent as text or as a number, as text that can stand in a path once encoded. A number beyond
 * 2^53 has lost its last digits on the way and is none.
 */
declare function identifier(value: unknown): string | undefined;

/** A count of something: no fraction, no sign, exactly representable. Anything else counts as not reported. */
declare function count(value: unknown): number | undefined;

/** A length in seconds or the like, up to 10^9: a number, or one written as text, without a sign. */
declare function decimal(value: unknown): number | undefined;

/** The link, if it is one that a client of the web could follow. */
declare function httpUrl(value: unknown): string | undefined;

/** Bytes of a base64 text, or the file that it became; undefined when it is empty or has a letter that is not base64. */
declare function base64Bytes(encoded: unknown): MediaBytes | undefined;

/** Leaves out what is undefined, as optional properties must be. */
declare function present<T extends object>(fields: {
    [K in keyof T]: T[K] | undefined;
}): T;

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

/** A model's family, or the reviews that no caller can ask for. */
export type ServedFamily = Family | 'moderation';

export type Family = keyof Traits;

export type Traits = typeof FAMILY_TRAITS;

/** A family is a group of models with one queue and one key permission. Every list of families comes from this table. */
declare const FAMILY_TRAITS: {
    readonly image: {
        readonly kind: 'image';
        readonly hasWorker: true;
        readonly hasWindow: true;
        readonly needsFfmpeg: false;
        readonly modelField: 'required';
        readonly takesLanguage: true;
    };
    readonly video: {
        readonly kind: 'video';
        readonly hasWorker: true;
        readonly hasWindow: true;
        readonly needsFfmpeg: true;
        readonly modelField: 'required';
        readonly takesLanguage: true;
    };
    readonly music: {
        readonly kind: 'music';
        readonly hasWorker: true;
        readonly hasWindow: true;
        readonly needsFfmpeg: true;
        readonly modelField: 'defaulted';
        readonly takesLanguage: false;
    };
    readonly imgtool: {
        readonly kind: 'imgtool';
        readonly hasWorker: true;
        readonly hasWindow: true;
        readonly needsFfmpeg: true;
        readonly modelField: 'implied';
        readonly takesLanguage: false;
    };
    readonly tts: {
        readonly kind: 'audio';
        readonly hasWorker: true;
        readonly hasWindow: false;
        readonly needsFfmpeg: false;
        readonly modelField: 'required';
        readonly takesLanguage: false;
    };
    readonly text: {
        readonly kind: 'text';
        readonly hasWorker: false;
        readonly hasWindow: false;
        readonly needsFfmpeg: false;
        readonly modelField: 'required';
        readonly takesLanguage: false;
    };
};

/** A fault deep within a channel's options. */
export interface OptionFault {
    /** As `templates.seedream[0].endpoint`. */
    field: string;
    problem: string;
}

/** All that a task would be at a channel, but for its files' bytes. */
export interface Plan {
    request: JsonObject;
    /** In the order of the body. */
    files: readonly FileOutline[];
    endpoint: Endpoint;
}

export type StartOutcome = Done | Refused | Started | Streaming;

/**
 * The upstream has begun to answer, and its output goes to the waiting caller as it comes: nothing of it is kept. Only for
 * tasks of synchronous models.
 */
export interface Streaming {
    kind: 'streaming';
    /** Ends when the answer is whole; throws when it breaks off. Leaving it early, or the call's signal, ends the call. */
    body: AsyncIterable<Uint8Array>;
    /** The cost in the vendor's own credits, where the vendor reports it as the answer begins: a plain decimal. */
    credits?: string;
    requestIds?: string[];
}

export type CancelOutcome = Cancelled | TooLate | Refused;

/** The vendor stops only jobs that it has not begun, and this one goes on, or is over. */
export interface TooLate {
    kind: 'too_late';
}

export interface NextStage {
    /** The one of the first stage. */
    attemptId: string;
    /** As `check` gave it. */
    next: JsonObject;
}

export type LookupOutcome = {
    kind: 'found';
    externalId: string;
    operation: JsonObject;
    checkAfterMs: number;
} | {
    kind: 'absent';
} | {
    kind: 'refused';
    fault: Fault;
};

/** The part of an adapter that every protocol has, also one that serves no task. */
export type ProtocolDescription = Pick<Adapter, 'protocol' | 'families' | 'hasTemplates' | 'fileRoles' | 'checkOptions' | 'lacks' | 'cancel' | 'probe'>;

export {};
