import { isAscii, isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import { isJsonObject, type JsonObject } from '@mediagate/contracts';
import { createEventSplitter, MalformedAnswerError, parseAnswer, type TextAnswer } from '@mediagate/upstreams';
import type { Response } from 'express';
import { beginStream } from '../../../http/answers/event-comments';
import { memorySpent } from '../../../http/body/byte-shares';
import type { Exchange } from '../../../http/exchange';
import { TEXT_ANSWER_MAX_BYTES, TEXT_EVENT_MAX_BYTES } from '../../../request-limits';

import type { TokenMeter } from '../../../use-cases/text/token-meter';
import { type Framing, frame } from './framing';

/** Puts an answer before the caller in one frame. */
export type SendAnswer = (answer: TextAnswer, to: { exchange: Exchange; meter: TokenMeter }) => Promise<void>;

const SHORT_BYTES = 64 * 1024;

/**
 * Sends an answer that is one JSON object, once it is whole and known to be readable: before that the caller can still be
 * sent an error. Of a caller who has left it is only read.
 *
 * @throws (the function it returns) BrokenAnswerError, MalformedAnswerError, GatewayError `unavailable`; nothing
 * has been sent then.
 */
export function createSendWhole(framing: Framing): SendAnswer {
  const { contentType } = framing;
  const [before, after] = [framing.before.toString(), framing.after.toString()];
  return async (answer, { exchange, meter }) => {
    const { response } = exchange;
    const body = await collect(answer, exchange);
    const isLatin = isAscii(body);
    const text = isLatin ? body.toString('latin1') : body.toString();
    meter.see(parsePiece(text));
    if (response.destroyed) return;
    const length = before.length + body.length + after.length;
    response.setHeader('Content-Type', contentType);
    response.setHeader('Content-Length', length);
    // A text goes out together with the head, in one write; bytes that are many are not copied for it.
    if (length > SHORT_BYTES || (!isLatin && !isUtf8(body))) response.end(frame(framing, body, true));
    else response.end(`${before}${text}${after}`, isLatin ? 'latin1' : 'utf8');
  };
}

/**
 * The whole answer as JSON, for who writes another body of it.
 *
 * @throws BrokenAnswerError, MalformedAnswerError, GatewayError `unavailable`.
 */
export async function collectPiece(
  answer: TextAnswer,
  { exchange, meter }: { exchange: Exchange; meter: TokenMeter },
): Promise<JsonObject> {
  const piece = parsePiece((await collect(answer, exchange)).toString());
  meter.see(piece);
  return piece;
}

function collect(answer: TextAnswer, { memory }: Exchange): Promise<Buffer> {
  let size = 0;
  return answer.body.whole(({ length }) => {
    size += length;
    if (size > TEXT_ANSWER_MAX_BYTES) throw tooLong();
    if (memory.take(length) !== undefined) throw memorySpent();
  });
}

/**
 * Sends an answer that comes as events, each as soon as it is complete, and no faster than the caller reads. The first one
 * sends the status line with it.
 *
 * @throws (the function it returns) BrokenAnswerError, MalformedAnswerError.
 */
export function createSendStream(framing: Framing): SendAnswer {
  return async (answer, { exchange: { response }, meter }) => {
    let isFirst = true;
    await readEvents(answer, meter, (event) => {
      if (isFirst) beginStream(response, framing.contentType);
      const isTaken = response.write(frame(framing, event, isFirst));
      isFirst = false;
      return isTaken ? undefined : drained(response);
    });
    response.end(framing.close);
  };
}

/**
 * Hands each event over as soon as it is complete, and reads on when it was taken.
 *
 * @throws BrokenAnswerError, MalformedAnswerError.
 */
export async function readEvents(
  answer: TextAnswer,
  meter: TokenMeter,
  take: (event: Buffer, piece: JsonObject) => Promise<void> | undefined,
): Promise<void> {
  const splitter = createEventSplitter(TEXT_EVENT_MAX_BYTES);
  let size = 0;
  let isEmpty = true;

  async function takeAll(events: readonly Buffer[]): Promise<void> {
    for (const event of events) {
      const piece = parsePiece(event.toString());
      meter.see(piece);
      isEmpty = false;
      const taking = take(event, piece);
      // Waiting for nothing would cost a turn for each event.
      if (taking !== undefined) await taking;
    }
  }

  for await (const chunk of answer.body) {
    size += chunk.length;
    if (size > TEXT_ANSWER_MAX_BYTES) throw tooLong();
    await takeAll(splitter.push(chunk));
  }
  await takeAll(splitter.end());
  if (isEmpty) throw new MalformedAnswerError('an answer without an event');
}

/** Resolves also when the caller goes; whoever watches the caller then ends the answer. */
export async function drained(response: Response): Promise<void> {
  if (response.destroyed) return;
  const settled = new AbortController();
  const { signal } = settled;
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
  settled.abort();
}

function parsePiece(text: string): JsonObject {
  const piece = parseAnswer(text);
  if (!isJsonObject(piece)) throw new MalformedAnswerError('no JSON object');
  // The vendor sent an error with the status of a success.
  if ('error' in piece) throw new MalformedAnswerError('an error in place of an answer');
  return piece;
}

function tooLong(): MalformedAnswerError {
  return new MalformedAnswerError(`an answer of more than ${TEXT_ANSWER_MAX_BYTES} bytes`);
}
