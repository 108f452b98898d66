import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { CallerLeftError } from '../../use-cases/caller-connection';

/** The connection broke in the middle; or before the first byte. */
const CALLER_LEFT: ReadonlySet<unknown> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE']);

/** Resolves when the connection has taken all of the content. @throws CallerLeftError, or what the content broke off with. */
export async function sendStream(content: Readable, response: Response): Promise<void> {
  try {
    await pipeline(content, response);
  } catch (error) {
    // A player that has seen enough hangs up; that is no fault of the service.
    if (CALLER_LEFT.has((error as NodeJS.ErrnoException).code)) throw new CallerLeftError();
    throw error;
  }
}
