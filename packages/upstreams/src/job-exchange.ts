import type { Cancelled, CheckOutcome, Done, Fault, JsonObject, Pending, Refused, Started } from '@mediagate/contracts';
import type { OptionRules } from './channel-options';
import type { CallContext, Endpoint } from './contract';
import { type ErrorDialect, judgeError } from './error-dialect';
import type { HttpClient } from './http-client';
import { accepted, ended, type Job, type Misplaced, pending, unanswered, withIdsOf, withResult } from './job';
import { present } from './json-guards';
import { callVendor, refused, unreadable, type VendorCall, type VendorReply } from './vendor-call';

interface JobCall extends Pick<VendorCall, 'headers' | 'key' | 'dialect'> {
  /** Below the channel's base URL. */
  path: string;
}

/** A request that hands a job in. */
export interface Submission extends JobCall, Pick<VendorCall, 'confidential'> {
  body: NonNullable<VendorCall['body']>;
  maxResponseBytes?: number;
}

/** Hands a job in to the vendor, which answers at once. */
export function submitJob(
  http: HttpClient,
  context: CallContext,
  { path, headers, ...call }: Submission,
): Promise<VendorReply> {
  const type: VendorCall['headers'] = 'form' in call.body ? {} : { 'content-type': 'application/json' };
  return callVendor(http, {
    ...jobCallBounds(context),
    method: 'POST',
    url: context.endpoint.baseUrl + path,
    headers: { ...headers, ...type },
    ...call,
  });
}

/** Asks the vendor about a job, or tells it to stop one. */
export function askJob(
  http: HttpClient,
  context: CallContext,
  { path, method = 'GET', ...call }: JobCall & Partial<Pick<VendorCall, 'method'>>,
): Promise<VendorReply> {
  const { baseUrl, apiKey } = context.endpoint;
  return callVendor(http, {
    ...questionBounds(context),
    method,
    url: baseUrl + path,
    confidential: { apiKey },
    ...call,
  });
}

interface JobStart extends Submission {
  /** The vendor's id of the job, in its answer. */
  idIn(body: JsonObject): string | undefined;
  /** Where the configuration says that it stands, and the key there; absent: the protocol says it. */
  idPlace?: { at: string; key: string };
  /** All that is kept to ask about the job, but for the time of its start. */
  jobOf(id: string, body: JsonObject): JsonObject;
}

/** Hands a job in, and keeps what the vendor answers with. */
export async function startJob(
  http: HttpClient,
  context: CallContext,
  { idIn, idPlace, jobOf, ...submission }: JobStart,
): Promise<Started | Refused> {
  const reply = await submitJob(http, context, submission);
  if (!reply.ok) return refused(reply.fault, [reply.requestId]);
  const id = idIn(reply.body);
  if (id === undefined) return refused(withoutId(idPlace), [reply.requestId]);
  return accepted(id, { ...jobOf(id, reply.body), since: Date.now() }, context.endpoint, reply);
}

function withoutId(place: JobStart['idPlace']): Fault {
  if (place === undefined) return unreadable('no job id');
  return { ...unreadable(`no job id at ${place.at}: correct \`${place.key}\``), everyTime: true };
}

/** The vendor's words for a job's state. */
export type JobStates = Readonly<Record<string, 'queued' | 'running' | 'done' | 'failed'>>;

/** The parts of an answer about a job. */
interface JobReport {
  /** Undefined: the answer does not say. */
  status: string | undefined;
  progress?: number | undefined;
  result(): Done | Refused | Misplaced;
  fault(status: string): Fault;
}

/** Judges the vendor's answer to a question about a job. */
export function judgeJob(
  reply: VendorReply,
  { job, endpoint, states }: { job: Job; endpoint: Endpoint; states: JobStates },
  read: (body: JsonObject) => JobReport,
): CheckOutcome {
  if (!reply.ok) return unanswered(reply);
  const { status, progress, result, fault } = read(reply.body);
  if (status === undefined) return refused(unreadable('no job status'), [reply.requestId]);
  const state = Object.hasOwn(states, status) ? states[status] : undefined;
  if (state === 'done') return withResult(withIdsOf([reply], result()), job, endpoint);
  if (state === 'failed') return ended(fault(status), reply);
  return present<Pending>({ ...pending(state, job, endpoint), progress });
}

/** The fault in an answer that says that the job has failed; one without the vendor's error is judged by its status. */
export function jobFault(dialect: ErrorDialect, body: JsonObject, status: string, { apiKey }: Endpoint): Fault {
  const error = dialect.read(body, 200) ?? { code: status };
  return judgeError(dialect, 200, error, { apiKey, retryAfterMs: undefined });
}

export function stopped(reply: VendorReply): Cancelled {
  return withIdsOf<Cancelled>([reply], { kind: 'cancelled' });
}

/** Vendors of jobs answer a start or a question at once; the work itself is never waited for. */
const CALL_TIMEOUT_SECONDS = 60;
/** A check occupies a slot of the worker, and checking again later costs nothing. */
const QUESTION_MAX_TIMEOUT_MS = 10_000;
/** Answers hold links and figures, no media. */
const ANSWER_MAX_BYTES = 1024 * 1024;

/** Options of every protocol of jobs. `max_check_seconds`: the longest pause between two questions about one job. */
export const JOB_OPTIONS = {
  timeout_seconds: { kind: 'integer', min: 1, max: 600 },
  max_check_seconds: { kind: 'integer', min: 1, max: 600 },
} as const satisfies OptionRules;

/** The bounds of a start; `timeout_seconds` is the channel's option. */
export function jobCallBounds({ endpoint, signal }: CallContext) {
  const seconds = endpoint.options['timeout_seconds'];
  return {
    endpoint,
    signal,
    timeoutMs: (typeof seconds === 'number' ? seconds : CALL_TIMEOUT_SECONDS) * 1000,
    maxResponseBytes: ANSWER_MAX_BYTES,
  };
}

/** The bounds of a question: those of a start, and 10 seconds at most. */
export function questionBounds(context: CallContext) {
  const bounds = jobCallBounds(context);
  return { ...bounds, timeoutMs: Math.min(bounds.timeoutMs, QUESTION_MAX_TIMEOUT_MS) };
}

export function bearer({ apiKey }: Endpoint): Record<string, string> {
  return { authorization: `Bearer ${apiKey}` };
}
