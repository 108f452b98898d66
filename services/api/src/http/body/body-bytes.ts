import { compressionsOf, GatewayError, message } from '@mediagate/contracts';
import type { Request } from 'express';
import { CallerLeftError } from '../../use-cases/caller-connection';
import type { Exchange } from '../exchange';
import type { RequestScope } from '../request-scope';
import { MIN_BYTES_PER_SECOND, watchPace } from './body-pace';
import type { CallerFiles } from './caller-files';

/** At most this much of a refused body is read and dropped, so that its caller gets to read the answer. */
const DROPPED_MAX_BYTES = 64 * 1024 * 1024;
/** The account's speed is looked at after so many bytes of a body: most bodies are over before. */
const LOOK_AFTER_BYTES = 64 * 1024;
/** An account may be this far ahead of its speed; shorter pauses cost more than they bring. */
const MIN_PAUSE_MS = 20;
/** The longest pause. */
const MAX_PAUSE_MS = 4000;

/**
 * Watches a body go by and resolves at its end. At the first limit that is broken, or the first error of `onChunk`, it
 * rejects, and nothing of it is left behind.
 *
 * @throws GatewayError `body_too_large`, at the declared length already; `unsupported_media_type` for a compressed body;
 * `request_timeout` when it comes too slowly; `rate_limited` when too many are read at once. CallerLeftError.
 */
export async function followBody(
  exchange: Exchange,
  maxBytes: number,
  onChunk: (chunk: Buffer, brake: Brake) => void,
): Promise<void> {
  const { request } = exchange;
  admitBody(exchange, maxBytes);
  const scope = exchange.scope.open();
  scope.onClose(() => exchange.memory.close());
  await new Promise<void>((resolve, reject) => {
    let size = 0;
    const brake = new Brake(request);
    const throttle = createThrottle(exchange, scope, brake);
    function fail(error: unknown): void {
      scope.close();
      reject(error);
    }
    function onData(chunk: Buffer): void {
      size += chunk.length;
      if (size > maxBytes) {
        fail(tooLarge(maxBytes));
        return;
      }
      throttle(chunk.length);
      try {
        onChunk(chunk, brake);
      } catch (error) {
        fail(error);
      }
    }
    function onEnd(): void {
      scope.close();
      resolve();
    }
    const onGone = () => fail(new CallerLeftError());
    watchPace(scope, exchange.pace, {
      received: () => size,
      heldMs: () => brake.heldMs,
      tooSlow: () => fail(tooSlow(exchange)),
    });
    scope
      .on(request, 'data', onData)
      .on(request, 'end', onEnd)
      .on(request, 'close', onGone)
      .on(request, 'error', onGone);
    if (request.destroyed) onGone();
  });
}

/**
 * Reads and drops the rest of a body whose answer is already known, at the pace of any body, so that the caller gets to read
 * the answer; destroys the connection of a caller who sends more, or more slowly. Closes the scope of the request at the end,
 * and then the connection if it is not kept.
 */
export function dropBody(exchange: Exchange): void {
  const { request, scope, pace } = exchange;
  if (request.complete || request.destroyed) {
    scope.close();
    return;
  }
  const cut = () => {
    scope.close();
    request.socket.destroy();
  };
  if (!exchange.outcome.isCutOff) closeAfterBody(exchange);
  let dropped = 0;
  const brake = new Brake(request);
  const throttle = createThrottle(exchange, scope, brake);
  watchPace(scope, pace, { received: () => dropped, heldMs: () => brake.heldMs, tooSlow: cut });
  scope
    .on(request, 'data', (chunk: Buffer) => {
      dropped += chunk.length;
      if (dropped > DROPPED_MAX_BYTES) cut();
      else throttle(chunk.length);
    })
    .on(request, 'end', () => scope.close())
    .on(request, 'close', () => scope.close())
    // A request that has been answered gets no event when its connection closes.
    .on(request.socket, 'close', () => scope.close())
    .on(request, 'error', () => undefined);
  request.resume();
}

/**
 * Node destroys a connection that is not kept right behind the answer. Bytes that come later are answered with a reset, which
 * discards the answer before its caller has read it. Here the answer's end is sent, and the connection stays until the scope closes.
 */
function closeAfterBody({ request: { socket }, scope }: Exchange): void {
  socket.destroySoon = () => void socket.end();
  scope.onClose(() => {
    Reflect.deleteProperty(socket, 'destroySoon');
    if (socket.writableEnded) socket.destroySoon();
  });
}

/** Reads no more of a body until the disk has caught up with its files. */
export function pauseUntilWritten(brake: Brake, files: Pick<CallerFiles, 'backlog'>): void {
  const written = files.backlog();
  if (written === undefined) return;
  brake.hold();
  void written.then(() => brake.release());
}

/** Keeps a request from being read as long as anybody holds it. */
export class Brake {
  readonly #request: Request;
  #holders = 0;
  #heldMs = 0;
  #heldSince = 0;

  constructor(request: Request) {
    this.#request = request;
  }

  /** Milliseconds for which the request was held so far. */
  get heldMs(): number {
    return this.#heldMs + (this.#holders === 0 ? 0 : performance.now() - this.#heldSince);
  }

  hold(): void {
    if (this.#holders === 0) this.#heldSince = performance.now();
    this.#holders += 1;
    this.#request.pause();
  }

  release(): void {
    this.#holders -= 1;
    if (this.#holders > 0) return;
    this.#heldMs += performance.now() - this.#heldSince;
    this.#request.resume();
  }
}

/** Pauses the request while its account is ahead of its speed, so that whoever sends much at once does not take all of the process's time. */
function createThrottle({ memory }: Exchange, scope: RequestScope, brake: Brake): (bytes: number) => void {
  let sinceLook = 0;
  return (bytes) => {
    sinceLook += bytes;
    if (sinceLook < LOOK_AFTER_BYTES) return;
    const pauseMs = memory.pauseAfter(sinceLook);
    sinceLook = 0;
    if (pauseMs < MIN_PAUSE_MS) return;
    brake.hold();
    scope.after(Math.min(pauseMs, MAX_PAUSE_MS), () => brake.release());
  };
}

function admitBody({ request, response, memory }: Exchange, maxBytes: number): void {
  refuseBeforeReading(request, maxBytes);
  const refused = memory.open();
  if (refused) throw refused;
  if (request.headers.expect !== undefined) response.writeContinue();
}

function refuseBeforeReading(request: Request, maxBytes: number): void {
  if (compressionsOf(request.headers['content-encoding']).length > 0) {
    throw new GatewayError('unsupported_media_type', message('body_compressed'));
  }
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError('body_too_large', message('body_too_large', { size: describeBytes(maxBytes) }));
}

function tooSlow({ response, outcome, pace: { fileLinks: path } }: Exchange): GatewayError {
  // Somebody this slow is not waited for a second time.
  outcome.isCutOff = true;
  if (!response.headersSent) response.setHeader('Connection', 'close');
  const rate = `${describeBytes(MIN_BYTES_PER_SECOND)}/s`;
  const problem =
    path === undefined ? message('body_too_slow', { rate }) : message('body_too_slow_for_file', { rate, path });
  return new GatewayError('request_timeout', problem);
}

export function describeBytes(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.floor(bytes / (1024 * 1024))} MB` : `${Math.floor(bytes / 1024)} kB`;
}
