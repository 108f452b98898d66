import type { Request } from 'express';
import { type JobStore, jobEndpoint, type NewJob, QUEUED, resultLink } from '../jobs/job-store';
import { aboutJob, type JobState, type VendorJob } from '../jobs/vendor-job';
import { canvasOfShortSide, ratioOf } from '../media/canvas';
import { bringImage, type ImageLimits } from '../media/named-image';
import type { VideoTools } from '../vendor';
import type { Call, Endpoint, JsonObject, Question } from '../vendor-call/contract';
import { bodyCheck, jsonReader } from '../vendor-call/json-body';
import { textOf } from '../vendor-call/request-body';
import { type Fields, pathOf } from '../vendor-call/shape';
import { checkSignedBody } from './signatures';
import { CONTENT, invalid, noSuchJob } from './wire';

type Job = VendorJob<undefined>;
type Jobs = JobStore<undefined>;

const MAX_BODY_BYTES = 256 * 1024;
const LIMITS: ImageLimits = { maxBytes: 20 * 1024 * 1024, formats: ['jpeg', 'png', 'webp'] };
const FPS = 24;
/** The team pays by the second of video. */
const HOURS_A_SECOND = 0.01;

const WORDS: Record<JobState, string> = {
  queued: 'waiting',
  running: 'working',
  done: 'finished',
  policy: 'broken',
  fault: 'broken',
  cancelled: 'stopped',
};
const ERRORS: Partial<Record<JobState, JsonObject>> = {
  policy: { code: 'content_refused', message: CONTENT },
  fault: { code: 'out_of_memory', message: 'The machine ran out of memory.' },
};

/** `POST /v1/jobs`. */
export function createClipStart(tools: VideoTools, jobs: Jobs): Endpoint<JsonObject, NewJob<undefined>> {
  return jobEndpoint({
    jobs,
    read: jsonReader(MAX_BODY_BYTES, () => invalid('', 'the body is no JSON, or too large'), checkSignedBody),
    describe: (_request, body) => ({ model: textOf(body['model']), prompt: textOf(body['prompt']) }),
    prepare: (body, call) => prepare(checkClip(body, call), tools),
    started: ({ id }) => ({ status: 202, body: { id, state: WORDS.queued } }),
  });
}

async function prepare(request: ClipRequest, tools: VideoTools): Promise<NewJob<undefined>> {
  const { model, prompt, seconds, height = 720, shape = '16:9', sound = false, seed, first_frame: link } = request;
  const first = link === undefined ? undefined : await bringImage(link, tools, LIMITS);
  if (first && 'problem' in first) throw invalid('first_frame', first.problem);
  const ratio = first ? first.width / first.height : (ratioOf(shape) ?? 1);
  const canvas = canvasOfShortSide(height, ratio);
  const video = { ...canvas, fps: FPS, seconds, audio: sound };
  return { model, prompt, video: { ...video, ...(seed === undefined ? {} : { seed }) }, detail: undefined };
}

/** `GET /v1/jobs/{id}`. */
export function createJobQuery(jobs: Jobs): Question<Job> {
  return {
    operation: 'check',
    find: (request) => findJob(request, jobs),
    about: aboutJob,
    answer: (job, call) => ({ status: 200, body: describe(job, { jobs, call }) }),
  };
}

/** `DELETE /v1/jobs/{id}`: stops a job that waits; another one goes on, and is answered alike. */
export function createJobStop(jobs: Jobs): Question<Job> {
  return {
    operation: 'cancel',
    find: (request) => findJob(request, jobs),
    about: aboutJob,
    answer(job, call) {
      jobs.cancel(job, QUEUED);
      return { status: 200, body: describe(job, { jobs, call }) };
    },
  };
}

function findJob(request: Request, jobs: Jobs): Job {
  const job = jobs.find(String(request.params['id']));
  if (job) return job;
  throw noSuchJob();
}

const HALFWAY = 50;

function describe(job: Job, { jobs, call }: { jobs: Jobs; call: Call }): JsonObject {
  const state = jobs.state(job);
  const word = call.faults.take('new-status-word') ? 'dreaming' : WORDS[state];
  const facts = { id: job.id, state: word, error: ERRORS[state] ?? null };
  if (state === 'running') return { ...facts, percent: HALFWAY };
  if (state !== 'done') return facts;
  const seconds = job.video?.seconds ?? 0;
  return { ...facts, percent: 100, hours: seconds * HOURS_A_SECOND, output: spoiled(job, seconds, { jobs, call }) };
}

function spoiled(job: Job, seconds: number, { jobs, call }: { jobs: Jobs; call: Call }): JsonObject | null {
  const { faults, request } = call;
  if (faults.take('empty-result')) return null;
  if (faults.take('missing-url')) return { seconds };
  if (faults.take('wrong-type')) return { video_url: 42, seconds: 'many' };
  return { video_url: resultLink(request, { jobs, job }), seconds };
}

export const MODELS = ['clips-2'];

const properties = {
  model: { enum: MODELS },
  prompt: { type: 'string', minLength: 1, maxLength: 4_000 },
  seconds: { type: 'integer', minimum: 1, maximum: 20 },
  height: { enum: [480, 720, 1080] },
  shape: { enum: ['16:9', '9:16', '1:1', '4:3', '3:4'] },
  seed: { type: 'integer', minimum: 0 },
  sound: { type: 'boolean' },
  first_frame: { type: 'string', pattern: '^https?://' },
  reference: { type: 'string', maxLength: 100 },
  notify_url: { type: 'string', pattern: '^https?://' },
} as const;

const REQUIRED = ['model', 'prompt', 'seconds'] as const;

type ClipRequest = Fields<typeof properties, (typeof REQUIRED)[number]>;

const check = bodyCheck({ properties, required: REQUIRED }, (sentence, _requestId, error) =>
  invalid(pathOf(error).join('.'), sentence),
);

/** The typed request; throws the vendor's refusal. */
function checkClip(body: JsonObject, call: Call): ClipRequest {
  return check(body, call);
}
