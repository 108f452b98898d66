import type { CancelOutcome, CheckOutcome, JsonObject, Pending, Refused, StartOutcome } from '@mediagate/contracts';
import type { Adapter, CallContext, Endpoint, StartRequest } from '../contract';
import { type ErrorDialect, withFields } from '../error-dialect';
import type { HttpClient } from '../http-client';
import { accepted, ended, type Job, laterStart, pending, unanswered, withResult } from '../job';
import { jobCallBounds, questionBounds } from '../job-call';
import { decimalText, identifier, object, present, text } from '../json-guards';
import { createProbe, NO_SUCH_ID } from '../probe';
import type { Clients } from '../protocol';
import { type KeptPlaces, readOutput } from '../templates/read-output';
import { prepareJob, type TemplatedJob, templateLack, templateOptionsFault } from '../templates/templated-job';
import { callVendor, refused, unreadable, type VendorReply } from '../vendor-call';
import { falCancelErrors, falErrors, falResultErrors } from './errors';

const PHASES: Readonly<Record<string, Pending['phase']>> = { IN_QUEUE: 'queued', IN_PROGRESS: 'running' };

/**
 * fal's queue (fal.ai/docs, Queue API; `@fal-ai/client` 1.10.1; November 2026): `POST /{endpoint}`, `GET …/status` until it is
 * complete, `GET` of the answer, which may be the job's error, `PUT …/cancel`. Each model has fields of its own: the channel's
 * `templates` say them. What the vendor charges for is counted in `x-fal-billable-units`, the job's credits.
 *
 * The vendor keeps no reference of ours: a lost answer is never re-sent. It answers with addresses of the job; no call leaves
 * the channel's own.
 */
export default function createFalQueue({ http }: Clients): Adapter {
  return {
    protocol: 'fal-queue',
    families: ['image', 'video'],
    hasTemplates: true,
    afterLostAnswer: 'never',
    checkOptions: templateOptionsFault,
    probe: createProbe(http, {
      path: ({ options, model }) => `${jobPath(anyEndpoint(options, model), NO_SUCH_ID)}/status`,
      headers: authorization,
      dialect: falErrors,
    }),
    lacks: (plan) => templateLack(plan),
    start: (request, context) => start(http, request, context),
    check: (operation, context) => check(http, operation as FalJob, context),
    cancel: (operation, context) => cancel(http, operation as FalJob, context),
  };
}

/** `path`: of the job, below the channel's base URL. */
type FalJob = Job & { path: string; places: KeptPlaces } & Pick<TemplatedJob, 'fields'>;

async function start(http: HttpClient, request: StartRequest, context: CallContext): Promise<StartOutcome> {
  const { endpoint } = context;
  const job = prepareJob(request, endpoint);
  if ('kind' in job) return job;
  const { requestId, ...reply } = await callVendor(http, {
    ...jobCallBounds(context),
    method: 'POST',
    url: `${endpoint.baseUrl}/${job.endpoint}${callbackQuery(request)}`,
    headers: { ...authorization(endpoint), 'content-type': 'application/json' },
    body: { json: job.input },
    dialect: withFields(falErrors, job),
    confidential: job.confidential,
  });
  if (!reply.ok) return refused(reply.fault, [requestId]);
  const id = identifier(reply.body['request_id']);
  if (id === undefined) return refused(unreadable('no request id'), [requestId]);
  const path = ownPath(reply.body['response_url'], endpoint, id) ?? jobPath(job.endpoint, id);
  const { places, fields } = job;
  return accepted(id, present({ path, places, fields, since: Date.now() }) as FalJob, { endpoint, requestId });
}

function callbackQuery({ callbackUrl }: StartRequest): string {
  return callbackUrl === undefined ? '' : `?fal_webhook=${encodeURIComponent(callbackUrl)}`;
}

/** The vendor's address of a job, where it is the channel's own and names the job. */
function ownPath(link: unknown, { baseUrl }: Endpoint, id: string): string | undefined {
  const address = text(link);
  const path = address?.startsWith(`${baseUrl}/`) ? address.slice(baseUrl.length) : undefined;
  const isOfJob = path !== undefined && /^(\/[\w.-]+){2,4}$/.test(path.replace(/\/requests\/[^/]+$/, ''));
  return isOfJob && path.endsWith(`/requests/${encodeURIComponent(id)}`) && !path.includes('/.') ? path : undefined;
}

/** Jobs belong to an application, without the path within it. */
function jobPath(endpoint: string, id: string): string {
  const parts = endpoint.split('/');
  const application = parts.slice(0, parts[0] === 'workflows' || parts[0] === 'comfy' ? 3 : 2).join('/');
  return `/${application}/requests/${encodeURIComponent(id)}`;
}

function anyEndpoint({ templates }: JsonObject, model: string): string {
  const forms = object(templates)[model];
  return String(object(Array.isArray(forms) ? forms[0] : undefined)['endpoint'] ?? 'fal-ai/any');
}

async function check(http: HttpClient, job: FalJob, context: CallContext): Promise<CheckOutcome> {
  const { requestId, ...reply } = await ask(http, `${job.path}/status`, { context, dialect: falErrors });
  if (!reply.ok) return unanswered(reply.fault, requestId);
  const status = text(reply.body['status']);
  if (status === undefined) return refused(unreadable('no status'), [requestId]);
  return status === 'COMPLETED' ? retrieve(http, job, context) : pending(PHASES[status], job, context.endpoint);
}

async function retrieve(http: HttpClient, job: FalJob, context: CallContext): Promise<CheckOutcome> {
  const dialect = withFields(falResultErrors, job);
  const { requestId, ...reply } = await ask(http, job.path, { context, dialect });
  if (!reply.ok && reply.error === undefined) return unanswered(reply.fault, requestId);
  if (!reply.ok) return withResult(failed(reply.fault, requestId), job, context.endpoint);
  const credits = decimalText(reply.headers['x-fal-billable-units']);
  const read = readOutput(reply.body, job.places, { credits, requestIds: [requestId] });
  return withResult(read, job, context.endpoint);
}

/**
 * A job that failed by a fault of the queue or the template gave nothing and costs nothing, so another channel may do better.
 * If it is not sure that the job has ended, the vendor is asked again.
 */
function failed(fault: Refused['fault'], requestId: string | undefined): CheckOutcome {
  if (fault.code === 'outcome_unknown') return refused(fault, [requestId]);
  const moved = laterStart(refused(fault, [requestId]));
  return moved.kind === 'not_started' ? moved : ended(fault, requestId);
}

/**
 * A job that waits is taken out of the queue; one that is under way goes on as its model likes, and is charged for. A runner may
 * take it before the cancellation arrives, which the vendor acknowledges all the same: only its state after that decides.
 */
async function cancel(http: HttpClient, job: FalJob, context: CallContext): Promise<CancelOutcome> {
  const before = await stateOf(http, job, context);
  if (before !== 'queued') return before;
  const { requestId, ...reply } = await ask(http, `${job.path}/cancel`, {
    context,
    dialect: falCancelErrors,
    method: 'PUT',
  });
  if (!reply.ok) return reply.fault.code === 'bad_request' ? { kind: 'too_late' } : unanswered(reply.fault, requestId);
  const after = await stateOf(http, job, context);
  return after === 'queued' ? refused(unreadable('a cancellation that is not done yet'), [requestId]) : after;
}

/** The state of a job that is to be cancelled; an earlier cancellation, whose answer was lost, may have ended it. */
async function stateOf(http: HttpClient, job: FalJob, context: CallContext): Promise<CancelOutcome | 'queued'> {
  const { requestId, ...reply } = await ask(http, `${job.path}/status`, { context, dialect: falErrors });
  if (!reply.ok) return unanswered(reply.fault, requestId);
  const status = text(reply.body['status']);
  if (status === 'COMPLETED') return endOf(http, job, context);
  return status === 'IN_QUEUE' ? 'queued' : { kind: 'too_late' };
}

async function endOf(http: HttpClient, job: FalJob, context: CallContext): Promise<CancelOutcome> {
  const { requestId, ...reply } = await ask(http, job.path, { context, dialect: falResultErrors });
  if (!reply.ok && reply.error === undefined) return unanswered(reply.fault, requestId);
  const isCancelled = !reply.ok && reply.error?.code === 'client_cancelled';
  return isCancelled ? stopped(requestId) : { kind: 'too_late' };
}

function stopped(requestId: string | undefined): CancelOutcome {
  return requestId === undefined ? { kind: 'cancelled' } : { kind: 'cancelled', requestIds: [requestId] };
}

interface Question {
  context: CallContext;
  dialect: ErrorDialect;
  method?: 'GET' | 'PUT';
}

function ask(http: HttpClient, path: string, { context, dialect, method = 'GET' }: Question): Promise<VendorReply> {
  const { endpoint } = context;
  return callVendor(http, {
    ...questionBounds(context),
    method,
    url: `${endpoint.baseUrl}${path}`,
    headers: authorization(endpoint),
    dialect,
    confidential: { apiKey: endpoint.apiKey },
  });
}

function authorization({ apiKey }: Endpoint): Record<string, string> {
  return { authorization: `Key ${apiKey}` };
}
