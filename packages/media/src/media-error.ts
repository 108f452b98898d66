import { aboutField, inEnglish, type Message, message } from '@mediagate/contracts';
import type { EgressError } from '@mediagate/egress';

export interface MediaErrorOptions {
  transient?: boolean;
  tooLarge?: boolean;
  unknown?: boolean;
  cause?: unknown;
}

/** A caller's file that cannot be used. The problem names field, limit and what was found, and may be located to the caller. */
export class MediaError extends Error {
  readonly field: string;
  readonly problem: Message;
  /** The same file may well be usable a little later: its server failed or did not answer. */
  readonly transient: boolean;
  /** It is only larger than the field takes. */
  readonly tooLarge: boolean;
  /** There is no such file, as far as this caller may know. */
  readonly unknown: boolean;

  constructor(field: string, problem: Message, options: MediaErrorOptions = {}) {
    const located = aboutField(field, problem);
    super(inEnglish(located), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'MediaError';
    this.field = field;
    this.problem = located;
    this.transient = options.transient ?? false;
    this.tooLarge = options.tooLarge ?? false;
    this.unknown = options.unknown ?? false;
  }
}

/** One of our own links that no longer opens, or never did. */
export function goneLink(field: string): MediaError {
  return new MediaError(field, message('link_gone'));
}

/** A file of the account that has expired, or that the caller deleted. */
export function goneFile(field: string): MediaError {
  return new MediaError(field, message('file_gone'));
}

/** An id of no file, or of another account's. */
export function unknownFile(field: string): MediaError {
  return new MediaError(field, message('file_unknown'), { unknown: true });
}

/** True for faults that may pass: no connection, no time, a server in trouble. */
export function isTransient({ reason, status = 0 }: EgressError): boolean {
  if (reason === 'http_status') return status >= 500 || status === 429 || status === 408;
  return reason === 'network' || reason === 'timeout';
}

/** There was such an object, or its link; there is none any more. */
export class MediaGoneError extends Error {
  constructor(id: string, options?: ErrorOptions) {
    super(`media object ${id} is gone`, options);
    this.name = 'MediaGoneError';
  }
}

/** The files that an account's tasks have stored for vendors take all the bytes they may, until some of them expire. */
export class InputsFullError extends Error {
  constructor(accountId: string) {
    super(`the files for vendors of account ${accountId} take all that they may`);
    this.name = 'InputsFullError';
  }
}
