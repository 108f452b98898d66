import type { Request } from 'express';
import { type JobStore, QUEUED, resultLink } from '../jobs/job-store';
import { aboutJob, type JobState, type VendorJob } from '../jobs/vendor-job';
import { type Call, type JsonObject, type Question, Refusal } from '../vendor-call/contract';
import type { VideoDetail } from './videos';
import { arkError } from './wire';

type Task = VendorJob<VideoDetail>;
type Tasks = JobStore<VideoDetail>;

const words: Record<JobState, string> = {
  queued: 'queued',
  running: 'running',
  done: 'succeeded',
  policy: 'failed',
  fault: 'failed',
  cancelled: 'cancelled',
};

const ENDED: ReadonlySet<JobState> = new Set(['done', 'policy', 'fault']);

/** `GET /api/v3/contents/generations/tasks/{id}`. */
export function createTaskQuery(jobs: Tasks): Question<Task> {
  return {
    operation: 'check',
    find: (request, requestId) => findTask(request, { jobs, requestId }),
    about: aboutJob,
    answer: (task, call) => ({ status: 200, body: spoil(describeTask(task, { jobs, call }), call) }),
  };
}

/** `DELETE /api/v3/contents/generations/tasks/{id}`: one that waits is stopped, one that runs is not, the record of any other goes. */
export function createTaskRemoval(jobs: Tasks): Question<Task> {
  return {
    operation: 'cancel',
    find: (request, requestId) => findTask(request, { jobs, requestId }),
    about: aboutJob,
    answer(task, { requestId }) {
      if (jobs.cancel(task, QUEUED)) return { status: 200, body: {} };
      if (ENDED.has(jobs.state(task))) {
        task.detail.isRemoved = true;
        return { status: 200, body: {} };
      }
      const message = `The task in status ${words[jobs.state(task)]} cannot be cancelled. Request id: ${requestId}`;
      throw new Refusal(arkError(400, { code: 'InvalidAction.TaskStatus', message }));
    },
  };
}

function findTask(request: Request, { jobs, requestId }: { jobs: Tasks; requestId: string }): Task {
  const task = jobs.find(String(request.params['id']));
  if (task && !task.detail.isRemoved) return task;
  const message = `The specified resource is not found. Request id: ${requestId}`;
  throw new Refusal(arkError(404, { code: 'ResourceNotFound', message, type: 'NotFound' }));
}

const failures: Partial<Record<JobState, JsonObject>> = {
  policy: {
    code: 'OutputVideoSensitiveContentDetected',
    message: 'The request failed because the output video may contain sensitive information.',
  },
  fault: { code: 'InternalServiceError', message: 'The service encountered an unexpected internal error.' },
};

function describeTask(task: Task, { jobs, call }: { jobs: Tasks; call: Call }): JsonObject {
  const { detail, video } = task;
  const state = jobs.state(task);
  const seconds = (ms: number) => Math.floor(ms / 1_000);
  return {
    id: task.id,
    model: task.model,
    status: words[state],
    ...(failures[state] && { error: failures[state] }),
    ...(state === 'done' &&
      video && {
        content: { video_url: resultLink(call.request, { jobs, job: task }) },
        usage: usageOf(video),
        resolution: detail.resolution,
        ratio: detail.ratio,
        duration: video.seconds,
        framespersecond: video.fps,
        generate_audio: video.audio,
        seed: detail.seed,
      }),
    created_at: seconds(task.submittedAtMs),
    updated_at: seconds(Number.isFinite(task.endsAtMs) ? task.endsAtMs : task.startsAtMs),
  };
}

/** Tokens are pixels of all frames, by 1024. */
function usageOf({ width, height, fps, seconds }: NonNullable<Task['video']>): JsonObject {
  const tokens = Math.round((width * height * fps * seconds) / 1_024);
  return { completion_tokens: tokens, total_tokens: tokens };
}

function spoil(body: JsonObject, { faults }: Call): JsonObject {
  if (faults.take('new-status-word')) return { ...body, status: 'reviewing' };
  if (body['status'] !== 'succeeded') return body;
  if (faults.take('wrong-type')) return { ...body, content: { video_url: 42 }, usage: 'none' };
  if (faults.take('empty-result')) return { ...body, content: { video_url: '' } };
  return faults.take('missing-url') ? { ...body, content: {} } : body;
}
