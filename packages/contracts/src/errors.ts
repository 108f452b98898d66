import { ERROR_TABLE, type ErrorCode } from './error-table';
import { type Failure, oneOfEachField } from './failure';
import { inEnglish, renameFields } from './messages/message';
import type { Message } from './messages/messages';
import type { Reason } from './reasons';

/** Codes that are raised with a reason: only the place that raises them knows what they stand for. */
type UnspecificCode = 'invalid_request' | 'upstream_unreachable';

export interface GatewayErrorOptions {
  /** Default: the first that the code may have. */
  reason?: Reason | undefined;
  /** Path of the body field at fault, for example `image_urls[0]`. */
  param?: string | undefined;
  /** Further faults of the request. */
  further?: readonly Failure[];
  /** Figures that callers' programs read, beside the error's own fields. */
  figures?: Readonly<Record<string, number>>;
  /** The task that the error is about, where the caller waited for it. */
  taskId?: string;
  /** Seconds after which trying again is sensible. */
  retryAfterSeconds?: number;
  /** For the log only. */
  internal?: string;
  cause?: unknown;
}

/** An error that a caller may read. Anything that a caller must not see goes into `internal` and `cause`. */
export class GatewayError extends Error {
  readonly code: ErrorCode;
  readonly failure: Failure;
  readonly further: readonly Failure[];
  readonly figures: Readonly<Record<string, number>>;
  readonly taskId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly internal: string | undefined;

  constructor(code: Exclude<ErrorCode, UnspecificCode>, message: Message, options?: GatewayErrorOptions);
  constructor(code: ErrorCode, message: Message, options: GatewayErrorOptions & { reason: Reason });
  constructor(code: ErrorCode, message: Message, options: GatewayErrorOptions = {}) {
    super(inEnglish(message), options.cause === undefined ? undefined : { cause: options.cause });
    const { reason = ERROR_TABLE[code].reasons[0], param } = options;
    this.name = 'GatewayError';
    this.code = code;
    this.failure = { reason, message, ...(param === undefined ? {} : { param }) };
    this.further = options.further ?? [];
    this.figures = options.figures ?? {};
    this.taskId = options.taskId;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.internal = options.internal;
  }

  get reason(): Reason {
    return this.failure.reason;
  }

  get param(): string | undefined {
    return this.failure.param;
  }

  get httpStatus(): number {
    return ERROR_TABLE[this.code].httpStatus;
  }

  /** The same error, for a body that names its fields otherwise. */
  withFields(rename: (name: string) => string): GatewayError {
    const further = this.further.map((failure) => renamed(failure, rename));
    const [{ reason, message, param }, ...others] = oneOfEachField([renamed(this.failure, rename), ...further]);
    return new GatewayError(this.code, message, {
      reason,
      param,
      further: others,
      figures: this.figures,
      ...(this.taskId === undefined ? {} : { taskId: this.taskId }),
      ...(this.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: this.retryAfterSeconds }),
      ...(this.internal === undefined ? {} : { internal: this.internal }),
      cause: this,
    });
  }
}

function renamed({ reason, message, param }: Failure, rename: (name: string) => string): Failure {
  return { reason, message: renameFields(message, rename), ...(param === undefined ? {} : { param: rename(param) }) };
}

/** The error for a body with several failures, all of which its caller has to correct. */
export function refusedBody(
  code: 'invalid_request' | 'conflicting_parameters',
  [first, ...further]: readonly [Failure, ...Failure[]],
  cause?: unknown,
): GatewayError {
  const { reason, message, param } = first;
  return new GatewayError(code, message, { reason, param, further, cause });
}

/** @throws GatewayError `invalid_request` with the first failure of each field, where there is any. */
export function refuseAll([first, ...others]: readonly Failure[]): void {
  if (first !== undefined) throw refusedBody('invalid_request', oneOfEachField([first, ...others]));
}
