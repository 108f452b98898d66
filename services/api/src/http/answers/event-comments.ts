import type { Response } from 'express';
import type { Exchange } from '../exchange';

/** Proxies give up on an answer after a minute without a byte, some after half of one. */
const SILENCE_MS = 10_000;
const COMMENT = ':\n\n';

/** The head of an answer that goes out as it is made. */
export function beginStream(response: Response, contentType = 'text/event-stream'): void {
  if (response.headersSent) return;
  response.setHeader('Content-Type', contentType);
  response.setHeader('Cache-Control', 'no-store');
  // Keeps proxies from buffering the answer.
  response.setHeader('X-Accel-Buffering', 'no');
}

/**
 * Sends a comment whenever an answer of events has been silent, and the head with the first: from then on an event reports what
 * fails. Each write of the answer must be whole events.
 *
 * @returns a function that ends it; the end of the answer does, too.
 */
export function breakSilence(
  { response, scope: whole, wording }: Pick<Exchange, 'response' | 'scope' | 'wording'>,
  silenceMs = SILENCE_MS,
): () => void {
  const scope = whole.open();
  const sent = () => response.socket?.bytesWritten ?? 0;
  let seen = sent();
  /** Bytes that the connection had taken with the last comment, while there was nothing but comments. */
  let commented: number | undefined;
  const isAlone = () => commented !== undefined && commented === sent();
  wording.onlyComments = isAlone;

  function look(): void {
    if (response.writableEnded || response.destroyed) return;
    if (sent() === seen && !response.writableNeedDrain) comment();
    seen = sent();
    scope.after(silenceMs, look);
  }

  function comment(): void {
    const isStillAlone = !response.headersSent || isAlone();
    beginStream(response);
    response.write(COMMENT);
    commented = isStillAlone ? sent() : undefined;
  }

  scope.after(silenceMs, look);
  return () => scope.close();
}

/** Whether the answer itself has begun: after nothing but comments an event can still report an error. */
export function hasBegun({ response, wording }: Pick<Exchange, 'response' | 'wording'>): boolean {
  return response.headersSent && wording.onlyComments?.() !== true;
}
