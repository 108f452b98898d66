import type { IncomingMessage } from 'node:http';
import type { ErrorShape } from '@mediagate/api-contract';
import { type JsonObject, timeOrderedUuid } from '@mediagate/contracts';
import type { RequestSpan } from '@mediagate/host';
import type { Operator } from '@mediagate/identity';
import type { InlineFile } from '@mediagate/media';
import type { Request, Response } from 'express';
import type { Caller } from '../use-cases/caller';
import type { BodyPace } from './body/body-pace';
import type { ByteLease } from './body/byte-shares';
import type { CallerFiles } from './body/caller-files';
import type { RequestScope } from './request-scope';

/** One request and its answer, as the handlers see them. */
export interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly requestId: string;
  /** The request's lease on the process's memory for its body; given back when the exchange ends. */
  readonly memory: ByteLease;
  /** The files of its body, which are there until the handler is done. */
  readonly files: CallerFiles;
  /** Time limits for the body. */
  readonly pace: BodyPace;
  /** The request's span; undefined: nothing is traced. */
  readonly trace: RequestSpan | undefined;
  /** Owns the timers and listeners of the request, and is closed when both the answer and the body have ended. */
  readonly scope: RequestScope;
  /** The shape of errors from here on; absent: the route's own. `onlyComments`: the head of an answer of events has gone out, and no event. */
  readonly wording: { errors?: ErrorShape; onlyComments?: () => boolean };
  /**
   * `isUnpaid`: nobody pays for the answer, so it counts towards the account's share of refusals, as it costs as much as one.
   * `isCutOff`: the connection is closed right behind the answer, and nothing more of the body is read.
   */
  readonly outcome: { isUnpaid?: boolean; isCutOff?: boolean };
  /** A body that stood within another one, and has been read. */
  readonly given?: BodyWithFiles;
}

/** A body with the files that were sent in it. */
export interface BodyWithFiles {
  body: JsonObject;
  /** Files by their placeholders in the body, which are data URLs again. */
  files: ReadonlyMap<string, InlineFile>;
}

/** An exchange whose API key was found good. */
export interface Call extends Exchange {
  readonly caller: Caller;
}

/** An operator who was let in. */
export interface AdmittedOperator extends Operator {
  /** Their name in the audit log: `operator:<id of the token>` or `cli:<user>`. */
  actor: string;
}

/** An exchange with an operator whose role is enough. */
export interface OperatorCall extends Exchange {
  readonly operator: AdmittedOperator;
}

/** Sends `body` as it is, in one write with its length. */
export function sendJsonText(response: Response, status: number, body: string, bytes = Buffer.byteLength(body)): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', bytes);
  // The same bytes; what is ASCII is written without being looked through again.
  response.end(body, bytes === body.length ? 'latin1' : 'utf8');
}

export function sendJson(response: Response, status: number, body: object): void {
  sendJsonText(response, status, JSON.stringify(body));
}

/** An id that is safe in a header, a log line and a database column. */
const SANE = /^[\w.:-]{1,128}$/;

/** The caller's own `X-Request-Id` when it is harmless, else a new one, whose time finds the task that it submitted. */
export function requestIdOf(request: IncomingMessage): string {
  const offered = request.headers['x-request-id'];
  return typeof offered === 'string' && SANE.test(offered) ? offered : timeOrderedUuid();
}
