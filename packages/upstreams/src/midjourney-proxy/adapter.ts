import type { CheckOutcome, Pending, StartOutcome } from '@mediagate/contracts';
import { checkAgainst, type OptionRules } from '../channel-options';
import type { Adapter, CallContext, Lack, Plan, StartRequest } from '../contract';
import { inlineLack } from '../image-call';
import { accepted, pending, unanswered, withResult } from '../job';
import { JOB_OPTIONS } from '../job-exchange';
import { identifier, present, text } from '../json-guards';
import { createProbe, NO_SUCH_ID } from '../probe';
import type { Clients } from '../protocol';
import { cannotCarry, refused, unreadable } from '../vendor-call';
import { authorization, createProxyCall, type ProxyCall } from './call';
import { cancelJob } from './cancel';
import { failure, proxyErrors } from './errors';
import { readImgtoolCall } from './imgtool-call';
import { imageMade, startNext } from './later-stage';
import { resultOf } from './result';
import { SPEED_DIALECTS, speedLack, speedOf, submitPath, withSpeed } from './speed';
import { sharedExternalId, submissionOf } from './submission';
import { confirmWindow, type ProxyJob, withWords } from './window';

/**
 * `auth`: the header that the key goes in; gateways in front of a server take `bearer`. `speed`: before the path
 * (`/mj-fast`), in the filter of the server's accounts, or as a flag behind the prompt. `edit_pictures`: a server takes
 * one image to edit, as `image`, or several, as `base64Array`.
 */
const OPTIONS: OptionRules = {
  ...JOB_OPTIONS,
  auth: { kind: 'choice', of: ['mj-api-secret', 'bearer'] },
  speed: { kind: 'choice', of: SPEED_DIALECTS },
  edit_pictures: { kind: 'choice', of: ['one', 'several'] },
};

/**
 * Images and videos by a midjourney-proxy: `POST /mj/submit/{route}` gives a task, `GET /mj/task/{id}/fetch` its state.
 * An operation on an earlier task presses a button of that task, and only the channel that made the task can.
 *
 * A window that the server opens in answer is confirmed by the next check, not by the start: the operation holds
 * `confirm` until the server has taken it, and the server's own word MODAL says that it has not. A server acts on a
 * confirmation only while the task is in that state, so a repeated confirmation begins nothing.
 *
 * An operation that the server offers only under a single image is done to one of a grid in two stages: the image is made alone,
 * and `startNext`, for which the runtime has written the intent, presses the button under it.
 *
 * A lost answer is never re-sent. The attempt goes along as `state`, but the server does not hold two tasks with one
 * state against each other, and answers questions by its own ids alone (`list-by-condition` takes `ids`): the one thing
 * that was lost with the answer. What the server posts to `notifyHook` is not signed and not repeated; it only has the check come early.
 */
export default function createMidjourneyProxy({ http }: Clients): Adapter {
  const call = createProxyCall(http);
  return {
    protocol: 'midjourney-proxy',
    families: ['imgtool'],
    afterLostAnswer: 'never',
    checkOptions: (options) => checkAgainst(OPTIONS, options),
    probe: createProbe(http, {
      path: () => `/mj/task/${NO_SUCH_ID}/fetch`,
      headers: authorization,
      dialect: proxyErrors,
      isAboutNothing: true,
    }),
    lacks: proxyLack,
    start: (request, context) => start(call, request, context),
    check: (operation, context) => check(call, operation as ProxyJob, context),
    cancel: (operation, context) => cancelJob(call, operation as ProxyJob, context),
    startNext: (stage, context) => startNext(call, stage, context),
  };
}

const PHASES: Readonly<Record<string, Pending['phase']>> = {
  NOT_START: 'queued',
  SUBMITTED: 'queued',
  MODAL: 'queued',
  IN_PROGRESS: 'running',
};

/** Plans the submission as it would be sent, with files of which only field and role are known. */
function proxyLack({ request, files, endpoint }: Plan): Lack | undefined {
  const media = files.map(({ field, role }) => ({ field, role, contentType: '', bytes: NO_BYTES }));
  const call = readImgtoolCall({ attemptId: '', request, media });
  const planned = submissionOf(call, endpoint);
  if ('message' in planned) return planned;
  return speedLack(planned, call.imgtool, endpoint.options) ?? inlineLack(files);
}

const NO_BYTES = Buffer.alloc(0);

async function start(call: ProxyCall, request: StartRequest, context: CallContext): Promise<StartOutcome> {
  const { endpoint } = context;
  const asked = readImgtoolCall(request);
  const { attemptId, imgtool } = asked;
  const planned = submissionOf(asked, endpoint);
  if ('message' in planned) return cannotCarry(planned);
  const worded = await withWords(call, planned, context);
  if ('kind' in worded) return worded;
  const submission = withSpeed(worded, imgtool, endpoint.options);
  if ('message' in submission) return cannotCarry(submission);
  const { resource, body, confirm, later } = submission;
  const speed = speedOf(imgtool);
  const reply = await call.submit(
    {
      path: submitPath(resource, speed, endpoint.options),
      body: present({ ...body, state: attemptId, notifyHook: request.callbackUrl }),
      prompt: imgtool.prompt ?? '',
    },
    context,
  );
  if (!reply.ok) return refused(reply.fault);
  const taskId = submission.taskId ?? identifier(reply.body['result']);
  if (taskId === undefined) return refused(unreadable('no task id'));
  const { action, batchSize: films } = imgtool;
  // The server answers a repeated change with the task that made it, and may do so with a change that makes an image alone.
  const shared = resource === 'change' && reply.body['code'] === 21 ? true : undefined;
  const job = present<ProxyJob>({ taskId, action, speed, since: Date.now(), confirm, films, later, shared });
  const isSharedId = shared || later !== undefined || submission.taskId !== undefined;
  const externalId = isSharedId ? sharedExternalId(taskId, attemptId) : taskId;
  return accepted(externalId, job, endpoint);
}

async function check(call: ProxyCall, job: ProxyJob, context: CallContext): Promise<CheckOutcome> {
  const reply = await call.fetch(job.taskId, context);
  if (!reply.ok) return unanswered(reply);
  const status = text(reply.body['status']);
  switch (status) {
    case undefined:
      return refused(unreadable('no task status'));
    case 'SUCCESS':
      return job.later === undefined
        ? withResult(resultOf(reply.body, job), job, context.endpoint)
        : imageMade(reply.body, { ...job, later: job.later });
    case 'FAILURE':
    case 'CANCEL':
      return refused(failure(reply.body));
    case 'MODAL':
      if (job.confirm !== undefined) return confirmWindow(call, { job, task: reply.body }, context);
      // The window of an inpaint is the caller's to answer.
      return pending(job.action === 'inpaint' ? 'parked' : 'queued', job, context.endpoint);
    default: {
      const progress = percent(reply.body['progress'], job.later === undefined ? 1 : FIRST_STAGE_SHARE);
      return present<Pending>({ ...pending(PHASES[status], job, context.endpoint), progress });
    }
  }
}

/** The first stage's share of the progress of a task that the vendor works on in two stages. */
const FIRST_STAGE_SHARE = 0.5;

/** `42%`, of an image whose preview is there already. */
function percent(progress: unknown, share: number): number | undefined {
  const figure = /^(\d{1,3})%$/.exec(text(progress) ?? '')?.[1];
  return figure === undefined ? undefined : Math.min(Math.floor(Number(figure) * share), 99);
}
