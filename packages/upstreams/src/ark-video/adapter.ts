import type { CancelOutcome, CheckOutcome, Fault, JsonObject, Pending } from '@mediagate/contracts';
import { createArkProbe } from '../ark-models';
import { checkAgainst, type OptionRules } from '../channel-options';
import type { Adapter, CallContext, Endpoint } from '../contract';
import { judgeError } from '../error-dialect';
import type { HttpClient } from '../http-client';
import { accepted, ended, type Job, pending, unanswered, withResult } from '../job';
import { bearer, JOB_OPTIONS, jobCallBounds, questionBounds } from '../job-call';
import { identifier, object, present, text } from '../json-guards';
import type { Clients } from '../protocol';
import { unknownGeneration } from '../unknown-generation';
import { callVendor, refused, unreadable, type VendorReply } from '../vendor-call';
import { readVideoCall, readVideoRequest } from '../video-call';
import { doneWith } from '../video-result';
import { arkTaskErrors, arkVideoErrors } from './errors';
import { GENERATION_NAMES, generationOf, requestBody, seedanceLack } from './generations';

/** `generation`: for a channel whose model is an endpoint of its own, `ep-…`, or has another name than the vendor's. */
const OPTIONS: OptionRules = { ...JOB_OPTIONS, generation: { kind: 'choice', of: GENERATION_NAMES } };

const PHASES: Readonly<Record<string, Pending['phase']>> = { queued: 'queued', running: 'running' };
const ENDS_WITHOUT_RESULT: ReadonlySet<string> = new Set(['failed', 'cancelled', 'expired']);
const TASKS = '/contents/generations/tasks';

/**
 * Seedance videos of Ark (volcengine.com/docs/82379/1520757, 1521309 and 1521720; byteplus.com ModelArk; November 2026), by the key and
 * base of `ark-images`: `POST` of a task, `GET /{id}` until it has succeeded, and `DELETE /{id}` of one that waits. The link works
 * for 24 hours, the task is kept for 7 days. The vendor charges by tokens: `completion_tokens` are the job's credits.
 *
 * The vendor keeps no reference of ours, and its list of tasks shows no prompts: a lost answer is never re-sent.
 */
export default function createArkVideo({ http }: Clients): Adapter {
  return {
    protocol: 'ark-video',
    families: ['video'],
    afterLostAnswer: 'never',
    // docs.rs/crate/seedance, reference inputs, November 2026: videos by their addresses alone.
    fileRoles: new Set(['image', 'audio']),
    checkOptions: (options) => checkAgainst(OPTIONS, options),
    probe: createArkProbe(http),
    lacks({ request, files, endpoint }) {
      const generation = generationIn(endpoint);
      return generation && seedanceLack(readVideoRequest(request), files, generation);
    },
    async start(request, context) {
      const { video, confidential } = readVideoCall(request, context);
      const { endpoint } = context;
      const generation = generationIn(endpoint);
      if (generation === undefined) return refused(unknownGeneration(endpoint, 'Seedance', GENERATION_NAMES));
      const { requestId, ...reply } = await callVendor(http, {
        ...jobCallBounds(context),
        method: 'POST',
        url: `${endpoint.baseUrl}${TASKS}`,
        headers: { ...bearer(endpoint), 'content-type': 'application/json' },
        body: { json: requestBody(video, { model: endpoint.model, callbackUrl: request.callbackUrl }, generation) },
        dialect: arkVideoErrors,
        confidential,
      });
      if (!reply.ok) return refused(reply.fault, [requestId]);
      const taskId = identifier(reply.body['id']);
      if (taskId === undefined) return refused(unreadable('no task id'), [requestId]);
      return accepted(taskId, { taskId, since: Date.now() }, { endpoint, requestId });
    },
    check: (operation, context) => check(http, operation as ArkJob, context),
    cancel: (operation, context) => cancel(http, operation as ArkJob, context),
  };
}

type ArkJob = Job & { taskId: string };

function generationIn({ model, options }: Endpoint) {
  return generationOf(model, options['generation']);
}

async function check(http: HttpClient, job: ArkJob, context: CallContext): Promise<CheckOutcome> {
  const { endpoint } = context;
  const { requestId, ...reply } = await ask(http, 'GET', job, context);
  if (!reply.ok) return unanswered(reply.fault, requestId);
  const { body } = reply;
  const status = text(body['status']);
  if (status === undefined) return refused(unreadable('no task status'), [requestId]);
  if (status === 'succeeded') return withResult(resultIn(body, requestId), job, endpoint);
  return ENDS_WITHOUT_RESULT.has(status)
    ? ended(failure(body, status, endpoint), requestId)
    : pending(PHASES[status], job, endpoint);
}

function resultIn(body: JsonObject, requestId: string | undefined): CheckOutcome {
  return doneWith(object(body['content'])['video_url'], {
    seconds: body['duration'],
    credits: object(body['usage'])['completion_tokens'],
    requestIds: [requestId],
  });
}

function failure(body: JsonObject, status: string, { apiKey }: Endpoint): Fault {
  const error = arkVideoErrors.read(body, 200) ?? { code: status };
  return judgeError(arkVideoErrors, 200, error, { apiKey, retryAfterMs: undefined });
}

/**
 * `DELETE` stops a task that waits and removes the record of one that has ended, with the way to its result: so it is asked first
 * whether the task waits. A task waits for longer than the moment between the two.
 */
async function cancel(http: HttpClient, job: ArkJob, context: CallContext): Promise<CancelOutcome> {
  const now = await ask(http, 'GET', job, context);
  if (!now.ok) return unanswered(now.fault, now.requestId);
  const status = text(now.body['status']);
  if (status !== 'queued') return status === 'cancelled' ? stopped(now.requestId) : { kind: 'too_late' };
  const { requestId, ...reply } = await ask(http, 'DELETE', job, context);
  if (reply.ok) return stopped(requestId);
  return reply.fault.code === 'bad_request' ? { kind: 'too_late' } : unanswered(reply.fault, requestId);
}

function stopped(requestId: string | undefined): CancelOutcome {
  return present<CancelOutcome>({ kind: 'cancelled', requestIds: requestId === undefined ? undefined : [requestId] });
}

function ask(http: HttpClient, method: 'GET' | 'DELETE', job: ArkJob, context: CallContext): Promise<VendorReply> {
  const { endpoint } = context;
  return callVendor(http, {
    ...questionBounds(context),
    method,
    url: `${endpoint.baseUrl}${TASKS}/${encodeURIComponent(job.taskId)}`,
    headers: bearer(endpoint),
    dialect: arkTaskErrors,
    confidential: { apiKey: endpoint.apiKey },
  });
}
