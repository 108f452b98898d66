import type { Readable } from 'node:stream';
import type { MediaBytes } from '@mediagate/contracts';
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

/** Reads an answer's body to its end, at most `maxBytes`. Never throws; `interruption` says why reading ended early. */
export async function readJson(
  stream: Readable,
  maxBytes: number,
  interruption: () => Interruption | undefined,
): Promise<JsonBody> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) return { kind: 'unreadable', why: 'too_large' };
      chunks.push(chunk);
    }
  } catch {
    // Whatever broke the stream, the answer is incomplete; which of our own two ways to stop did it is all that matters.
    return { kind: 'unreadable', why: interruption() ?? 'truncated' };
  }
  return parseJson(Buffer.concat(chunks).toString('utf8'));
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
