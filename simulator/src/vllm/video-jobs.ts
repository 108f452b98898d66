import type { Request } from 'express';
import { type JobStore, resultLink } from '../jobs/job-store';
import { aboutJob, type JobState, type VendorJob } from '../jobs/vendor-job';
import { type Call, type JsonObject, type Question, Refusal } from '../vendor-call/contract';
import { detail } from './wire';

/** A job's fields beside its state. */
export interface VideoDetail {
  size: string;
  seconds: string;
}

type Jobs = JobStore<VideoDetail>;
type Job = VendorJob<VideoDetail>;

const words: Record<JobState, string> = {
  queued: 'queued',
  running: 'in_progress',
  done: 'completed',
  policy: 'failed',
  fault: 'failed',
  cancelled: 'failed',
};

/** `GET /v1/videos/{id}`. */
export function createVideoQuery(jobs: Jobs): Question<Job> {
  return {
    operation: 'check',
    find: (request) => findVideo(request, jobs),
    about: aboutJob,
    answer: (job, call) => ({ status: 200, body: spoil(describeVideo(job, jobs), call) }),
  };
}

/** `GET /v1/videos/{id}/content`, which leads on to where the bytes lie; before the end there is nothing to be had. */
export function createVideoContent(jobs: Jobs): Question<Job> {
  return {
    operation: 'question',
    find: (request) => findVideo(request, jobs),
    about: aboutJob,
    answer(job, { request, faults }) {
      const isLost = faults.take('missing-url') ?? faults.take('empty-result') ?? faults.take('wrong-type');
      if (isLost || jobs.state(job) !== 'done') throw new Refusal(detail(404, 'Video is not available yet'));
      return { status: 302, body: {}, headers: { location: resultLink(request, { jobs, job }) } };
    },
  };
}

function findVideo(request: Request, jobs: Jobs): Job {
  const job = jobs.find(String(request.params['id']));
  if (job) return job;
  throw new Refusal(detail(404, 'Video not found'));
}

const failures: Partial<Record<JobState, JsonObject>> = {
  policy: { code: 'moderation_blocked', message: 'Your request was blocked by our moderation system.' },
  fault: { code: 500, message: 'The generation failed.' },
};

const RUNNING_PROGRESS = 50;

export function describeVideo(job: Job, jobs: Jobs): JsonObject {
  const state = jobs.state(job);
  const seconds = (ms: number) => Math.floor(ms / 1_000);
  const progress = state === 'running' ? RUNNING_PROGRESS : 0;
  return {
    id: job.id,
    object: 'video',
    model: job.model,
    status: words[state],
    progress: state === 'done' ? 100 : progress,
    size: job.detail.size,
    seconds: job.detail.seconds,
    quality: 'default',
    created_at: seconds(job.submittedAtMs),
    completed_at: state === 'done' ? seconds(job.endsAtMs) : null,
    error: failures[state] ?? null,
    media_type: 'video/mp4',
  };
}

function spoil(body: JsonObject, { faults }: Call): JsonObject {
  return faults.take('new-status-word') ? { ...body, status: 'reviewing' } : body;
}
