import type { CancelOutcome, CheckOutcome, JsonObject, StartOutcome, VideoRequest } from '@mediagate/contracts';
import { checkAgainst, type OptionRules } from '../channel-options';
import type { Adapter, CallContext, Endpoint, Lack, Plan } from '../contract';
import type { HttpClient } from '../http-client';
import { type Job, unanswered } from '../job';
import { askJob, bearer, JOB_OPTIONS, type JobStates, jobFault, judgeJob, startJob, stopped } from '../job-exchange';
import { identifier, object, text } from '../json-guards';
import { createProbe } from '../probe';
import type { Clients } from '../protocol';
import { refused } from '../vendor-call';
import { videoLack } from '../video-ability';
import { readVideoCall, readVideoRequest } from '../video-call';
import { doneWith } from '../video-result';
import { dashScopeErrors } from './errors';
import { beginsFromMedia, GENERATIONS, type Generation } from './generations';

/** `image_models`: for models whose image variant is not called as their text variant with `-i2v` for `-t2v`. */
const OPTIONS: OptionRules = { ...JOB_OPTIONS, image_models: { kind: 'names' } };

const STATES: JobStates = {
  PENDING: 'queued',
  SUSPENDED: 'queued',
  RUNNING: 'running',
  SUCCEEDED: 'done',
  FAILED: 'failed',
  CANCELED: 'failed',
  FORGOTTEN: 'failed',
};
/** For so long the vendor keeps a task, and the link to its result. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/**
 * Wan videos of three generations by `POST /services/aigc/video-generation/video-synthesis` and `GET /tasks/{id}`; a task
 * that still waits is stopped by `POST /tasks/{id}/cancel` (help.aliyun.com, "Manage asynchronous tasks", November 2026).
 *
 * A channel maps a public model to the vendor's text model: `wan2.6-t2v`, `wan2.7-t2v`, `wan3.0-video`. Where a video
 * begins from an image or another video, the first two have a model of their own, `-i2v` in place of `-t2v`, unless the
 * option `image_models` says otherwise: `image_models: { wan2.6-t2v: wan2.6-i2v-flash }`.
 *
 * No reference of ours is kept by the vendor, and its list of tasks shows neither prompt nor inputs, so that two of them
 * cannot be distinguished: a lost answer is never re-sent.
 */
export default function createDashScopeVideo({ http }: Clients): Adapter {
  return {
    protocol: 'dashscope-video',
    families: ['video'],
    afterLostAnswer: 'never',
    checkOptions: (options) => checkAgainst(OPTIONS, options),
    probe: createProbe(http, {
      path: () => '/tasks/?page_no=1&page_size=1',
      headers: bearer,
      dialect: dashScopeErrors,
    }),
    lacks: dashScopeLack,
    async start(request, context) {
      const { video, confidential } = readVideoCall(request, context);
      const { endpoint } = context;
      const generation = generationOf(endpoint);
      if (generation === undefined) return unknownModel();
      return startJob(http, context, {
        path: '/services/aigc/video-generation/video-synthesis',
        headers: { ...bearer(endpoint), 'x-dashscope-async': 'enable' },
        body: { json: body(video, generation, endpoint) },
        dialect: dashScopeErrors,
        confidential,
        idIn: ({ output }) => identifier(object(output)['task_id']),
        jobOf: (taskId) => ({ taskId }),
      });
    },
    check: (operation, context) => check(http, operation as DashScopeJob, context),
    cancel: (operation, context) => cancel(http, operation as DashScopeJob, context),
  };
}

function generationOf({ model }: Endpoint): Generation | undefined {
  return GENERATIONS.find(({ modelPrefix }) => model.startsWith(modelPrefix));
}

/** A model that is not known is the operator's to mend, whatever the request. */
function dashScopeLack({ request, files, endpoint }: Plan): Lack | undefined {
  const generation = generationOf(endpoint);
  const video = readVideoRequest(request);
  return (
    generation &&
    (videoLack(video, files, generation.ability) ??
      generation.conflict(video, calledModel(video, generation, endpoint)))
  );
}

type DashScopeJob = Job & { taskId: string };

function unknownModel(): StartOutcome {
  const known = GENERATIONS.map(({ modelPrefix }) => `${modelPrefix}*`).join(', ');
  return refused({ code: 'operator', detail: `not sent: the channel's model is none of ${known}` });
}

function body(video: VideoRequest, generation: Generation, endpoint: Endpoint): JsonObject {
  const model = calledModel(video, generation, endpoint);
  return { model, input: generation.input(video), parameters: generation.parameters(video, model) };
}

function calledModel(video: VideoRequest, { hasImageModel }: Generation, { model, options }: Endpoint): string {
  if (!hasImageModel || !beginsFromMedia(video)) return model;
  return text(object(options['image_models'])[model]) ?? model.replace('-t2v', '-i2v');
}

async function check(http: HttpClient, job: DashScopeJob, context: CallContext): Promise<CheckOutcome> {
  const { taskId, since } = job;
  const { endpoint } = context;
  const reply = await askJob(http, context, {
    path: `/tasks/${encodeURIComponent(taskId)}`,
    headers: bearer(endpoint),
    dialect: dashScopeErrors,
  });
  return judgeJob(reply, { job, endpoint, states: STATES }, ({ output: answered, usage }) => {
    const output = object(answered);
    const status = text(output['task_status']);
    return {
      status: status === 'UNKNOWN' && isForgotten(since) ? 'FORGOTTEN' : status,
      result: () => doneWith(output['video_url'], { seconds: secondsOf(usage) }),
      fault: () => jobFault(dashScopeErrors, output, status ?? '', endpoint),
    };
  });
}

/** Only a task in state PENDING, which nothing is charged for; of any other the vendor says that the operation is unsupported. */
async function cancel(http: HttpClient, { taskId }: DashScopeJob, context: CallContext): Promise<CancelOutcome> {
  const reply = await askJob(http, context, {
    path: `/tasks/${encodeURIComponent(taskId)}/cancel`,
    method: 'POST',
    headers: bearer(context.endpoint),
    dialect: dashScopeErrors,
  });
  if (reply.ok) return stopped(reply);
  return reply.fault.code === 'bad_request' ? { kind: 'too_late' } : unanswered(reply);
}

/** `UNKNOWN` is a task that the vendor does not have: not yet, while it is young, and no longer after a day. */
function isForgotten(since: number): boolean {
  return Date.now() - since >= KEPT_MS;
}

/** Seconds of the output alone; `duration`, the only figure of some models, counts an input video too. */
function secondsOf(usage: unknown): unknown {
  return object(usage)['output_video_duration'];
}
