/** Everything that this package throws by itself. An aborted signal throws its own reason. */
export class MediagateError extends Error {
  override name = 'MediagateError';
}

/** No answer: the connection failed or broke off, or the answer took too long. What became of the request is not known. */
export class ConnectionError extends MediagateError {
  override name = 'ConnectionError';
}

/** One of several faults of a body. */
export interface Fault {
  /** Path of the field: `image_urls[0]`. */
  param: string;
  reason: string;
  message: string;
}

/** The gateway's answer is an error. */
export class ApiError extends MediagateError {
  override name = 'ApiError';
  /** HTTP status. */
  readonly status: number;
  /** For programs: never changes its meaning, and new ones may come. Undefined: the answer is not the gateway's own. */
  readonly reason: string | undefined;
  /** Path of the field at fault. */
  readonly param: string | undefined;
  /** Every fault of the body, the first included; empty unless the body is at fault. */
  readonly errors: readonly Fault[];
  /** Quote it when you ask for help. */
  readonly requestId: string | undefined;
  /** The task, where one was made before the error. */
  readonly taskId: string | undefined;
  /** How long to wait before the same request, in seconds. */
  readonly retryAfterSeconds: number | undefined;
  /** With 402: the most that the task can cost, in currency units. */
  readonly required: number | undefined;

  constructor({ status, headers }: Pick<Response, 'status' | 'headers'>, body: unknown) {
    const { message, reason, param, errors, required } = errorIn(body);
    super(message ?? `The answer is ${status}, and not the gateway’s own.`);
    this.status = status;
    this.reason = reason;
    this.param = param;
    this.errors = errors ?? [];
    this.requestId = headers.get('x-request-id') ?? undefined;
    this.taskId = headers.get('x-task-id') ?? undefined;
    this.retryAfterSeconds = secondsOf(headers.get('retry-after'));
    this.required = required;
  }
}

interface ErrorBody {
  message?: string;
  reason?: string;
  param?: string;
  errors?: Fault[];
  required?: number;
}

/** A proxy in between may answer with anything, also without an error. */
function errorIn(body: unknown): ErrorBody {
  const { error } = (body ?? {}) as { error?: unknown };
  return typeof error === 'object' && error !== null ? error : {};
}

/** A proxy may send a date in place of seconds; then it is left to the schedule. */
function secondsOf(header: string | null): number | undefined {
  const seconds = Number.parseInt(header ?? '', 10);
  return seconds >= 0 ? seconds : undefined;
}
