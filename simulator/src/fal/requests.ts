import type { Request } from 'express';
import type { AssetStore } from '../assets/asset-store';
import { makeImages } from '../hosted/hosted-files';
import { type JobStore, QUEUED, resultLink } from '../jobs/job-store';
import { aboutJob, type JobState, type VendorJob } from '../jobs/vendor-job';
import { type Call, type JsonObject, type Question, Refusal, type Reply } from '../vendor-call/contract';
import { type FalDetail, linksOf } from './submissions';
import { flagged, modelError, nothingMade, queueError } from './wire';

type FalJob = VendorJob<FalDetail>;

interface Tools {
  jobs: JobStore<FalDetail>;
  assets: AssetStore;
}

const LINK_LIFETIME_MS = 7 * 24 * 60 * 60 * 1_000;

/** `GET …/requests/{id}/status`: 202 until it is complete, which says nothing of how it went. */
export function createStatus({ jobs }: Tools): Question<FalJob> {
  return {
    operation: 'check',
    find: (request) => findJob(request, jobs),
    about: aboutJob,
    answer(job, { request, faults }) {
      const state = jobs.state(job);
      const word = faults.take('new-status-word') ? 'REVIEWING' : WORDS[state];
      const isComplete = word === 'COMPLETED';
      const more = isComplete ? { metrics: { inference_time: (job.endsAtMs - job.startsAtMs) / 1_000 } } : {};
      const place = state === 'queued' ? { queue_position: 0 } : {};
      const body = { status: word, ...linksOf(request, job.detail, job.id), ...place, ...more };
      return { status: isComplete ? 200 : 202, body };
    },
  };
}

const WORDS: Record<JobState, string> = {
  queued: 'IN_QUEUE',
  running: 'IN_PROGRESS',
  done: 'COMPLETED',
  policy: 'COMPLETED',
  fault: 'COMPLETED',
  cancelled: 'COMPLETED',
};

/** `GET …/requests/{id}`: what the model answered, its errors with their status. */
export function createAnswer(tools: Tools): Question<FalJob> {
  return {
    operation: 'check',
    find: (request) => findJob(request, tools.jobs),
    about: aboutJob,
    answer: (job, call) => answerOf(job, call, tools),
  };
}

async function answerOf(job: FalJob, call: Call, { jobs, assets }: Tools): Promise<Reply> {
  const { fault, order } = job.detail;
  const state = jobs.state(job);
  switch (state) {
    case 'queued':
    case 'running':
      return queueError(400, 'Request is still in progress');
    case 'cancelled':
      return queueError(499, 'The request was cancelled by the client.', 'client_cancelled');
    case 'policy':
      return modelError(flagged);
    case 'fault':
      return modelError(nothingMade);
    case 'done':
      if (fault === 'no path') return queueError(404, `Path /${job.model.split('/').slice(2).join('/')} not found`);
      if (fault !== undefined || order === undefined) return modelError(fault ?? flagged);
      return 'video' in order ? videoOf(job, call, jobs) : imagesOf(job, order.images, { call, assets });
    default:
      return state satisfies never;
  }
}

function videoOf(job: FalJob, call: Call, jobs: JobStore<FalDetail>): Reply {
  const url = resultLink(call.request, { jobs, job });
  const video = { url, content_type: 'video/mp4', file_name: 'output.mp4', file_size: 1_309_695 };
  const units = String(job.video?.seconds ?? 1);
  return charged(units, { video: spoiled(video, call), seed: job.video?.seed ?? 0 });
}

async function imagesOf(
  job: FalJob,
  orders: Parameters<typeof makeImages>[0],
  { call, assets }: { call: Call; assets: AssetStore },
): Promise<Reply> {
  const { detail } = job;
  detail.images ??= makeImages(orders, { assets, call, lifetimeMs: LINK_LIFETIME_MS });
  const images = (await detail.images).map(({ url, width, height, contentType }) =>
    spoiled({ url, width, height, content_type: contentType }, call),
  );
  return charged(String(images.length), { images, seed: orders[0]?.seed ?? 0 });
}

function charged(units: string, body: JsonObject): Reply {
  return { status: 200, body, headers: { 'x-fal-billable-units': units } };
}

function spoiled(file: JsonObject, { faults }: Call): JsonObject | null {
  const { url: _link, ...rest } = file;
  if (faults.take('missing-url')) return rest;
  if (faults.take('empty-result')) return null;
  return faults.take('wrong-type') ? { ...file, url: 42 } : file;
}

/** `PUT …/requests/{id}/cancel`: what waits is taken out; a running one goes on. */
export function createCancellation({ jobs }: Tools): Question<FalJob> {
  return {
    operation: 'cancel',
    find: (request) => findJob(request, jobs),
    about: aboutJob,
    answer(job) {
      const isOver = WORDS[jobs.state(job)] === 'COMPLETED';
      if (isOver) return { status: 400, body: { status: 'ALREADY_COMPLETED' } };
      jobs.cancel(job, QUEUED);
      return { status: 202, body: { status: 'CANCELLATION_REQUESTED' } };
    },
  };
}

function findJob({ params }: Request, jobs: JobStore<FalDetail>): FalJob {
  const job = jobs.find(String(params['id']));
  if (job && job.detail.application === `${params['owner']}/${params['name']}`) return job;
  throw new Refusal(queueError(404, 'Request not found'));
}
