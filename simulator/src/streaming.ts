import type { Response } from 'express';
import type { Clock } from './clock';

/** Fires when the caller hangs up or the simulator stops: nobody is left to wait for. */
export function hangUpSignal(response: Response, closing: AbortSignal): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return AbortSignal.any([gone.signal, closing]);
}

/** Resolves once the signal has fired. */
export function fired(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** A response closes when all of it has been handed to the system, and when the caller hangs up. */
export function closed(response: Response): Promise<void> {
  return new Promise((resolve) => {
    if (response.closed) return resolve();
    response.once('close', () => resolve());
  });
}

const TRICKLE_PIECES = 20;

/** Writes the bytes in twenty pieces spread over `totalMs` of the simulator's clock. */
export async function trickle(
  response: Response,
  bytes: Buffer,
  { clock, stop, totalMs, onSent }: TrickleOptions,
): Promise<void> {
  const pieceBytes = Math.ceil(bytes.length / TRICKLE_PIECES);
  for (let offset = 0; offset < bytes.length && !stop.aborted; offset += pieceBytes) {
    const piece = bytes.subarray(offset, offset + pieceBytes);
    if (await written(response, piece)) onSent?.(piece.length);
    await clock.sleep(totalMs / TRICKLE_PIECES, stop);
  }
}

interface TrickleOptions {
  clock: Clock;
  stop: AbortSignal;
  totalMs: number;
  onSent?(bytes: number): void;
}

/** Resolves when the bytes have been handed to the system: true, or false when the caller has hung up before. */
export function written(response: Response, bytes: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    if (response.destroyed) return resolve(false);
    const left = () => resolve(false);
    response.once('close', left);
    response.write(bytes, (error) => {
      response.off('close', left);
      resolve(!error);
    });
  });
}
