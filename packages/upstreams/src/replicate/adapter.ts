import type { CancelOutcome, CheckOutcome, Fault, JsonObject, Pending, StartOutcome } from '@mediagate/contracts';
import type { Adapter, CallContext, Endpoint, StartRequest } from '../contract';
import { judgeError, withFields } from '../error-dialect';
import type { HttpClient } from '../http-client';
import { ended, type Job, laterStart, pending, unanswered, withResult } from '../job';
import { askJob, bearer, startJob } from '../job-exchange';
import { identifier, object, present, text } from '../json-guards';
import { createProbe } from '../probe';
import type { Clients } from '../protocol';
import { type KeptPlaces, readOutput } from '../templates/read-output';
import { prepareJob, type TemplatedJob, templateLack, templateOptionsFault } from '../templates/templated-job';
import { refused, unreadable, type VendorReply } from '../vendor-call';
import { replicateErrors } from './errors';

const PHASES: Readonly<Record<string, Pending['phase']>> = { starting: 'queued', processing: 'running' };
const ENDS_WITHOUT_RESULT: ReadonlySet<string> = new Set(['failed', 'canceled', 'aborted']);
/** The vendor wants larger ones as links. */
const DATA_URI_MAX_BYTES = 256 * 1024;

/**
 * Predictions of Replicate (replicate.com/docs, HTTP API; `replicate` 1.4.0; November 2026): of an official model below its name, of
 * another by its version. Each model has fields of its own: the channel's `templates` say them. Seconds of work are the job's
 * credits. Outputs and the prediction's data go after an hour.
 *
 * The vendor keeps no reference of ours: a lost answer is never re-sent. Addresses are made of ids, whatever links it gives.
 */
export default function createReplicate({ http }: Clients): Adapter {
  return {
    protocol: 'replicate',
    families: ['image', 'video'],
    hasTemplates: true,
    afterLostAnswer: 'never',
    checkOptions: templateOptionsFault,
    probe: createProbe(http, { path: () => '/account', headers: bearer, dialect: replicateErrors }),
    lacks: (plan) => templateLack(plan, DATA_URI_MAX_BYTES),
    start: (request, context) => start(http, request, context),
    check: (operation, context) => check(http, operation as ReplicateJob, context),
    cancel: (operation, context) => cancel(http, operation as ReplicateJob, context),
  };
}

type ReplicateJob = Job & { predictionId: string; places: KeptPlaces };

async function start(http: HttpClient, request: StartRequest, context: CallContext): Promise<StartOutcome> {
  const { endpoint } = context;
  const job = prepareJob(request, endpoint);
  if ('kind' in job) return job;
  const { path, ...named } = pathOf(job);
  return startJob(http, context, {
    path,
    headers: bearer(endpoint),
    body: { json: { ...named, input: job.input, ...callbackFields(request) } },
    dialect: withFields(replicateErrors, { fields: job.fields, own: [...replicateErrors.own, ...job.own] }),
    confidential: job.confidential,
    idIn: ({ id }) => identifier(id),
    jobOf: (predictionId) => ({ predictionId, places: job.places as JsonObject }),
  });
}

/** `owner/name` is an official model, `owner/name:version` a version of any. */
function pathOf({ endpoint }: TemplatedJob): { path: string; version?: string } {
  const [model, version] = endpoint.split(':');
  return version === undefined ? { path: `/models/${model}/predictions` } : { path: '/predictions', version };
}

function callbackFields({ callbackUrl }: StartRequest): JsonObject {
  return callbackUrl === undefined ? {} : { webhook: callbackUrl, webhook_events_filter: ['completed'] };
}

async function check(http: HttpClient, job: ReplicateJob, context: CallContext): Promise<CheckOutcome> {
  const { endpoint } = context;
  const reply = await ask(http, job, { context, method: 'GET' });
  if (!reply.ok) return unanswered(reply);
  const { body } = reply;
  const status = text(body['status']);
  if (status === undefined) return refused(unreadable('no status'));
  if (ENDS_WITHOUT_RESULT.has(status)) return failed(failure(body, status, endpoint));
  if (status !== 'succeeded') return pending(PHASES[status], job, endpoint);
  if (body['data_removed'] === true && !body['output']) return ended(REMOVED);
  const credits = secondsOfWork(body);
  return withResult(readOutput(body, job.places, { credits, requestIds: [] }), job, endpoint);
}

const REMOVED: Fault = {
  code: 'generation_failed',
  detail: 'the vendor has removed its data, as it does after an hour',
};

/** A job that ended before it began may begin elsewhere. */
function failed(fault: Fault): CheckOutcome {
  return fault.code === 'upstream_fault' ? laterStart(refused(fault)) : ended(fault);
}

function failure(body: JsonObject, status: string, { apiKey }: Endpoint): Fault {
  const error = present<{ code: string; message: string }>({ code: status, message: text(body['error']) });
  const fault = judgeError(replicateErrors, 200, error, { apiKey, retryAfterMs: undefined });
  // The vendor charges for the time that a job ran, however it ended.
  return present<Fault>({ ...fault, credits: secondsOfWork(body) });
}

/** As exact text, of microseconds at most. */
function secondsOfWork(body: JsonObject): string | undefined {
  const value = object(body['metrics'])['predict_time'];
  const isLength = typeof value === 'number' && value >= 0 && value < 1e9;
  return isLength ? String(Number(value.toFixed(6))) : undefined;
}

/** A prediction that has not begun is stopped; the work of one that is under way is charged for. */
async function cancel(http: HttpClient, job: ReplicateJob, context: CallContext): Promise<CancelOutcome> {
  const now = await ask(http, job, { context, method: 'GET' });
  if (!now.ok) return unanswered(now);
  const status = text(now.body['status']);
  if (status !== 'starting') return isStopped(status) ? stopped(now.body) : { kind: 'too_late' };
  const reply = await ask(http, job, { context, method: 'POST' });
  if (!reply.ok) return unanswered(reply);
  const after = text(reply.body['status']);
  if (isStopped(after)) return stopped(reply.body);
  return after === 'starting' ? refused(unreadable('a cancellation that is not done yet')) : { kind: 'too_late' };
}

function stopped(body: JsonObject): CancelOutcome {
  return present<CancelOutcome>({ kind: 'cancelled', credits: secondsOfWork(body) });
}

function isStopped(status: string | undefined): boolean {
  return status === 'canceled' || status === 'aborted';
}

/** `POST` asks for its cancellation. */
function ask(
  http: HttpClient,
  { predictionId }: ReplicateJob,
  { context, method }: { context: CallContext; method: 'GET' | 'POST' },
): Promise<VendorReply> {
  const path = `/predictions/${encodeURIComponent(predictionId)}${method === 'POST' ? '/cancel' : ''}`;
  return askJob(http, context, { path, method, headers: bearer(context.endpoint), dialect: replicateErrors });
}
