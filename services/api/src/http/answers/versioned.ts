import { hash } from 'node:crypto';
import { type Exchange, sendJsonText } from '../exchange';
import { isUnchanged } from './conditional';

/** The text of an answer with its ETag. The same text has the same tag in every process. */
export interface VersionedText {
  readonly text: string;
  /** Size of the text in UTF-8. */
  readonly bytes: number;
  readonly etag: string;
}

/** Characters kept of a 256-bit hash: no two texts that one path has ever answered share a tag. */
const TAG_CHARACTERS = 22;

export function versionOf(text: string): VersionedText {
  const digest = hash('sha256', text, 'base64url');
  return { text, bytes: Buffer.byteLength(text), etag: `"${digest.slice(0, TAG_CHARACTERS)}"` };
}

/** Sends JSON, or 304 if the caller has it already (`If-None-Match`). Caches may keep it for this caller alone, and ask each time. */
export function sendVersioned(
  { request, response }: Pick<Exchange, 'request' | 'response'>,
  answer: VersionedText,
): void {
  response.setHeader('ETag', answer.etag);
  response.setHeader('Cache-Control', 'private, no-cache');
  if (isUnchanged(request.headers['if-none-match'], answer.etag)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  sendJsonText(response, 200, answer.text, answer.bytes);
}

export function sendVersionedJson(exchange: Pick<Exchange, 'request' | 'response'>, body: object): void {
  sendVersioned(exchange, versionOf(JSON.stringify(body)));
}
