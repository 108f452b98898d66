import type { CancelOutcome, CheckOutcome, JsonObject, Pending, StartOutcome } from '@mediagate/contracts';
import type { Adapter, CallContext, Endpoint, StartRequest } from '../contract';
import { type ErrorDialect, withFields } from '../error-dialect';
import type { HttpClient } from '../http-client';
import { ended, type Job, laterStart, pending, unanswered, withResult } from '../job';
import { askJob, startJob, stopped } from '../job-exchange';
import { decimalText, identifier, object, present, text } from '../json-guards';
import { createProbe, NO_SUCH_ID } from '../probe';
import type { Clients } from '../protocol';
import { type KeptPlaces, readOutput } from '../templates/read-output';
import { prepareJob, type TemplatedJob, templateLack, templateOptionsFault } from '../templates/templated-job';
import { refused, unreadable, type VendorReply } from '../vendor-call';
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
  const { places, fields } = job;
  return startJob(http, context, {
    path: `/${job.endpoint}${callbackQuery(request)}`,
    headers: authorization(endpoint),
    body: { json: job.input },
    dialect: withFields(falErrors, job),
    confidential: job.confidential,
    idIn: ({ request_id: id }) => identifier(id),
    jobOf: (id, { response_url: link }) =>
      present<JsonObject>({ path: ownPath(link, endpoint, id) ?? jobPath(job.endpoint, id), places, fields }),
  });
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
  const reply = await ask(http, `${job.path}/status`, { context, dialect: falErrors });
  if (!reply.ok) return unanswered(reply);
  const status = text(reply.body['status']);
  if (status === undefined) return refused(unreadable('no status'), [reply.requestId]);
  return status === 'COMPLETED' ? retrieve(http, job, context) : pending(PHASES[status], job, context.endpoint);
}

async function retrieve(http: HttpClient, job: FalJob, context: CallContext): Promise<CheckOutcome> {
  const dialect = withFields(falResultErrors, job);
  const reply = await ask(http, job.path, { context, dialect });
  if (!reply.ok && reply.error === undefined) return unanswered(reply);
  if (!reply.ok) return withResult(failed(reply), job, context.endpoint);
  const credits = decimalText(reply.headers['x-fal-billable-units']);
  const read = readOutput(reply.body, job.places, { credits, requestIds: [reply.requestId] });
  return withResult(read, job, context.endpoint);
}

/**
 * A job that failed by a fault of the queue or the template gave nothing and costs nothing, so another channel may do better.
 * If it is not sure that the job has ended, the vendor is asked again.
 */
function failed(reply: Extract<VendorReply, { ok: false }>): CheckOutcome {
  const refusal = refused(reply.fault, [reply.requestId]);
  if (reply.fault.code === 'outcome_unknown') return refusal;
  const moved = laterStart(refusal);
  return moved.kind === 'not_started' ? moved : ended(reply.fault, reply);
}

/**
 * A job that waits is taken out of the queue; one that is under way goes on as its model likes, and is charged for. A runner may
 * take it before the cancellation arrives, which the vendor acknowledges all the same: only its state after that decides.
 */
async function cancel(http: HttpClient, job: FalJob, context: CallContext): Promise<CancelOutcome> {
  const before = await stateOf(http, job, context);
  if (before !== 'queued') return before;
  const reply = await ask(http, `${job.path}/cancel`, {
    context,
    dialect: falCancelErrors,
    method: 'PUT',
  });
  if (!reply.ok) return reply.fault.code === 'bad_request' ? { kind: 'too_late' } : unanswered(reply);
  const after = await stateOf(http, job, context);
  return after === 'queued' ? refused(unreadable('a cancellation that is not done yet'), [reply.requestId]) : after;
}

/** The state of a job that is to be cancelled; an earlier cancellation, whose answer was lost, may have ended it. */
async function stateOf(http: HttpClient, job: FalJob, context: CallContext): Promise<CancelOutcome | 'queued'> {
  const reply = await ask(http, `${job.path}/status`, { context, dialect: falErrors });
  if (!reply.ok) return unanswered(reply);
  const status = text(reply.body['status']);
  if (status === 'COMPLETED') return endOf(http, job, context);
  return status === 'IN_QUEUE' ? 'queued' : { kind: 'too_late' };
}

async function endOf(http: HttpClient, job: FalJob, context: CallContext): Promise<CancelOutcome> {
  const reply = await ask(http, job.path, { context, dialect: falResultErrors });
  if (!reply.ok && reply.error === undefined) return unanswered(reply);
  const isCancelled = !reply.ok && reply.error?.code === 'client_cancelled';
  return isCancelled ? stopped(reply) : { kind: 'too_late' };
}

interface Question {
  context: CallContext;
  dialect: ErrorDialect;
  method?: 'GET' | 'PUT';
}

function ask(http: HttpClient, path: string, { context, ...question }: Question): Promise<VendorReply> {
  return askJob(http, context, { path, headers: authorization(context.endpoint), ...question });
}

function authorization({ apiKey }: Endpoint): Record<string, string> {
  return { authorization: `Key ${apiKey}` };
}
