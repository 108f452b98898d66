import { hash } from 'node:crypto';
import { isUnchanged } from './conditional';
import { type Exchange, sendJsonText } from './exchange';

/** The text of an answer with what says whether somebody has it already. The same text has the same tag in every process. */
export interface VersionedText {
  readonly text: string;
  /** Of the text in UTF-8. */
  readonly bytes: number;
  readonly etag: string;
}

/** Of 256 bits: no two texts that one path ever answered have the same. */
const TAG_CHARACTERS = 22;

export function versionOf(text: string): VersionedText {
  const digest = hash('sha256', text, 'base64url');
  return { text, bytes: Buffer.byteLength(text), etag: `"${digest.slice(0, TAG_CHARACTERS)}"` };
}

/** Sends JSON to whoever does not have it; else 304, by `If-None-Match`. Caches may keep it for this caller alone, and ask each time. */
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
