import type { CancelOutcome, CheckOutcome } from '@mediagate/contracts';
import { createArkProbe } from '../ark-models';
import { checkAgainst, type OptionRules } from '../channel-options';
import type { Adapter, CallContext, Endpoint } from '../contract';
import type { HttpClient } from '../http-client';
import { type Job, unanswered } from '../job';
import { askJob, bearer, JOB_OPTIONS, type JobStates, jobFault, judgeJob, startJob, stopped } from '../job-exchange';
import { identifier, object, text } from '../json-guards';
import type { Clients } from '../protocol';
import { unknownGeneration } from '../unknown-generation';
import { refused, type VendorReply } from '../vendor-call';
import { readVideoCall, readVideoRequest } from '../video-call';
import { doneWith } from '../video-result';
import { arkTaskErrors, arkVideoErrors } from './errors';
import { GENERATION_NAMES, generationOf, requestBody, seedanceLack } from './generations';

/** `generation`: for a channel whose model is an endpoint of its own, `ep-…`, or has another name than the vendor's. */
const OPTIONS: OptionRules = { ...JOB_OPTIONS, generation: { kind: 'choice', of: GENERATION_NAMES } };

const STATES: JobStates = {
  queued: 'queued',
  running: 'running',
  succeeded: 'done',
  failed: 'failed',
  cancelled: 'failed',
  expired: 'failed',
};
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
      return startJob(http, context, {
        path: TASKS,
        headers: bearer(endpoint),
        body: { json: requestBody(video, { model: endpoint.model, callbackUrl: request.callbackUrl }, generation) },
        dialect: arkVideoErrors,
        confidential,
        idIn: ({ id }) => identifier(id),
        jobOf: (taskId) => ({ taskId }),
      });
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
  return judgeJob(await ask(http, 'GET', job, context), { job, endpoint, states: STATES }, (body) => ({
    status: text(body['status']),
    result: () =>
      doneWith(object(body['content'])['video_url'], {
        seconds: body['duration'],
        credits: object(body['usage'])['completion_tokens'],
      }),
    fault: (status) => jobFault(arkVideoErrors, body, status, endpoint),
  }));
}

/**
 * `DELETE` stops a task that waits and removes the record of one that has ended, with the way to its result: so it is asked first
 * whether the task waits. A task waits for longer than the moment between the two.
 */
async function cancel(http: HttpClient, job: ArkJob, context: CallContext): Promise<CancelOutcome> {
  const now = await ask(http, 'GET', job, context);
  if (!now.ok) return unanswered(now);
  const status = text(now.body['status']);
  if (status !== 'queued') return status === 'cancelled' ? stopped(now) : { kind: 'too_late' };
  const reply = await ask(http, 'DELETE', job, context);
  if (reply.ok) return stopped(reply);
  return reply.fault.code === 'bad_request' ? { kind: 'too_late' } : unanswered(reply);
}

function ask(http: HttpClient, method: 'GET' | 'DELETE', job: ArkJob, context: CallContext): Promise<VendorReply> {
  return askJob(http, context, {
    path: `${TASKS}/${encodeURIComponent(job.taskId)}`,
    method,
    headers: bearer(context.endpoint),
    dialect: arkTaskErrors,
  });
}
