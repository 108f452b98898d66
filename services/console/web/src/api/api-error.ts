/** A refusal, or an answer that never came. */
export class ApiError extends Error {
  /** 0: the server could not be reached. */
  readonly status: number;
  /** The API's word for programs: `insufficient_balance`. */
  readonly reason: string;
  readonly requestId: string | undefined;
  /** The console refused, which knows no languages: the reason says what it means. */
  readonly isOfConsole: boolean;
  /** The field that is to blame, as a path. */
  readonly param: string | undefined;
  /** All fields that are to blame, with what is wrong with each. */
  readonly faults: readonly Fault[];

  constructor(
    message: string,
    { status, reason = '', requestId, isOfConsole = false, param, faults = [] }: ApiErrorFields,
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.reason = reason;
    this.requestId = requestId;
    this.isOfConsole = isOfConsole;
    this.param = param;
    this.faults = faults;
  }
}

export interface Fault {
  param?: string;
  reason: string;
  message: string;
}

interface ApiErrorFields {
  status: number;
  reason?: string | undefined;
  requestId?: string | undefined;
  isOfConsole?: boolean;
  param?: string | undefined;
  faults?: readonly Fault[] | undefined;
}

interface ErrorBody {
  error?: { message?: string; reason?: string; request_id?: string; param?: string; errors?: Fault[] };
  /** The console's own refusals. */
  reason?: string;
  message?: string;
}

/** The fault of each field, by its path; faults of a list's elements stand under the list's path. */
export function faultsByField(error: unknown): ReadonlyMap<string, string> {
  if (!(error instanceof ApiError)) return new Map();
  const { param, message, faults } = error;
  const all = faults.length > 0 ? faults : [{ param, message }];
  return new Map(all.flatMap((fault) => (fault.param ? [[fault.param.replace(/\[.*$/, ''), fault.message]] : [])));
}

/** The error that an answer stands for; the gateway's message is in the page's language already. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body = await bodyOf(response);
  const { message = body.message, reason = body.reason, request_id, param, errors } = body.error ?? {};
  return new ApiError(message ?? `HTTP ${response.status}`, {
    status: response.status,
    reason,
    requestId: request_id ?? response.headers.get('x-request-id') ?? undefined,
    isOfConsole: body.error === undefined && body.reason !== undefined,
    param,
    faults: errors,
  });
}

async function bodyOf(response: Response): Promise<ErrorBody> {
  try {
    return ((await response.json()) as ErrorBody | null) ?? {};
  } catch {
    // A proxy on the way answers in HTML: the status is all that is known.
    return {};
  }
}
