import type { MediaBytes } from '@mediagate/contracts';
import { type AnswerBody, BrokenAnswerError } from './answer-body';
import { parseAnswer } from './parse-answer';

/** No vendor has this much to say about an error. */
export const ERROR_ANSWER_MAX_BYTES = 4 * 1024 * 1024;

/** Why it was given up: its own deadline, or the caller's wish. */
export type Interruption = 'deadline' | 'aborted';

export type JsonBody = { kind: 'json'; value: unknown } | UnreadBody;

export interface UnreadBody {
  kind: 'unreadable';
  /** `not_kept`: its files could not be written. */
  why: Interruption | 'truncated' | 'too_large' | 'not_json' | 'not_kept';
}

/** A body in memory, as it came. */
export interface BytesBody {
  kind: 'bytes';
  bytes: Buffer;
}

/** A success that is a file itself, as a track. */
export interface FileBody {
  kind: 'file';
  bytes: MediaBytes;
}

/** How much of an answer is read, and for how long. */
export interface ReadLimits {
  maxBytes: number;
  withinMs: number;
}

/** Reads an answer to its end, each piece once it was taken, and answers why it is not whole; undefined: it is. */
export async function readToEnd(
  body: AnswerBody,
  { maxBytes, withinMs }: ReadLimits,
  take: (chunk: Buffer) => Promise<unknown> | undefined,
): Promise<UnreadBody | undefined> {
  const timer = setTimeout(() => body.close(new BrokenAnswerError('deadline')), withinMs);
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > maxBytes) return { kind: 'unreadable', why: 'too_large' };
      const taking = take(chunk);
      if (taking !== undefined) await body.during(taking);
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof BrokenAnswerError)) throw error;
    return WHY_UNREAD[error.why];
  } finally {
    clearTimeout(timer);
  }
}

/** An answer without a byte is whole. */
const WHY_UNREAD: Readonly<Record<BrokenAnswerError['why'], UnreadBody | undefined>> = {
  aborted: { kind: 'unreadable', why: 'aborted' },
  deadline: { kind: 'unreadable', why: 'deadline' },
  stalled: { kind: 'unreadable', why: 'truncated' },
  cut: { kind: 'unreadable', why: 'truncated' },
  too_large: { kind: 'unreadable', why: 'too_large' },
  empty: undefined,
};

/** Reads an answer whole, in memory. */
export async function readBytes(body: AnswerBody, limits: ReadLimits): Promise<BytesBody | UnreadBody> {
  const chunks: Buffer[] = [];
  const unread = await readToEnd(body, limits, (chunk) => void chunks.push(chunk));
  return unread ?? { kind: 'bytes', bytes: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks) };
}

export function parseJson(text: string): JsonBody {
  const value = parseAnswer(text);
  if (value === undefined) return { kind: 'unreadable', why: 'not_json' };
  return { kind: 'json', value: mayHaveLongIntegers(text) ? parseAnswer(quoteLongIntegers(text)) : value };
}

/** Answers beyond this are images in base64, which have no ids to lose. In characters. */
const LONG_INTEGERS_MAX_LENGTH = 1024 * 1024;

function mayHaveLongIntegers(text: string): boolean {
  return text.length <= LONG_INTEGERS_MAX_LENGTH && /\d{16}/.test(text);
}

/**
 * Ids of 18 digits that a vendor writes as numbers would lose their last ones in a double; they are read as text. Only for
 * what is known to be JSON: its strings all end, so that the pattern never goes back.
 */
function quoteLongIntegers(json: string): string {
  const literals = /"(?:[^"\\]+|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  return json.replace(literals, (literal) =>
    /^-?\d{16,}$/.test(literal) && !Number.isSafeInteger(Number(literal)) ? `"${literal}"` : literal,
  );
}

/** No status line. With `sent` false the vendor cannot have seen the request; else it may be working on it. */
export interface Lost {
  kind: 'lost';
  sent: boolean;
  /** `busy`: no connection was free, and too many waited for one, or it waited too long. */
  why: Interruption | 'connect_timeout' | 'network' | 'busy';
  /** The system's error code, as `ECONNREFUSED`; never an address, a header or a body. */
  code?: string;
}
