import { type JobStore, resultLink } from '../jobs/job-store';
import { aboutJob } from '../jobs/vendor-job';
import { type Call, type JsonObject, type Question, Refusal } from '../vendor-call/contract';
import { textOf } from '../vendor-call/request-body';
import { readBody } from './body';
import type { VideoDetail, VideoJob, VideoService } from './video-service';
import { geminiError } from './wire';

type Jobs = JobStore<VideoDetail>;

/** `GET /v1beta/models/{model}/operations/{id}`: nothing but the name until it is done. */
export function createOperationQuery(jobs: Jobs, service: VideoService): Question<VideoJob> {
  return {
    ...answersOf(jobs, service),
    find({ params }) {
      const job = jobs.find(String(params['id']));
      if (job && job.model === params['model']) return job;
      throw notFound();
    },
  };
}

/** Vertex: `POST …/models/{model}:fetchPredictOperation`, whose body has the name of the operation. */
export function createOperationFetch(jobs: Jobs, service: VideoService): Question<VideoJob> {
  return {
    ...answersOf(jobs, service),
    async find(request) {
      const name = textOf((await readBody(request))['operationName']);
      const job = jobs.find(name.split('/').at(-1) ?? '');
      if (job && name === service.operationName(request, job) && job.model === request.params['model']) return job;
      throw notFound();
    },
  };
}

function answersOf(jobs: Jobs, service: VideoService): Omit<Question<VideoJob>, 'find'> {
  return {
    operation: 'check',
    about: aboutJob,
    answer: async (job, call) => ({ status: 200, body: await describe(job, { jobs, call, service }) }),
  };
}

function notFound(): Refusal {
  return new Refusal(geminiError('NOT_FOUND', 'Operation not found.'));
}

/**
 * `GET /v1beta/files/{id}:download?alt=media`, the link of a result: it needs the key, and leads on to where the bytes lie, as the vendor's
 * does.
 */
export function createFileDownload(jobs: Jobs): Question<VideoJob> {
  return {
    operation: 'question',
    find(request) {
      const name = String(request.params['file']);
      const job = jobs.findFile(name);
      if (job && jobs.state(job) === 'done' && request.query['alt'] === 'media') return job;
      const message = `You do not have permission to access the File ${name.slice(0, 60)} or it may not exist.`;
      throw new Refusal(geminiError('PERMISSION_DENIED', message));
    },
    about: (job) => ({ model: job.model, prompt: job.prompt, externalId: job.id }),
    answer: (job, { request }) => ({
      status: 302,
      body: {},
      headers: { location: resultLink(request, { jobs, job }) },
    }),
  };
}

async function describe(
  job: VideoJob,
  { jobs, call, service }: { jobs: Jobs; call: Call; service: VideoService },
): Promise<JsonObject> {
  const name = service.operationName(call.request, job);
  if (call.faults.take('new-status-word')) return { name, metadata: { state: 'REVIEWING' } };
  switch (jobs.state(job)) {
    case 'done':
      return { name, done: true, response: await service.made(job, call) };
    case 'policy':
      return { name, done: true, response: service.withheld };
    case 'fault':
      return { name, done: true, error: { code: 13, message: INTERNAL } };
    default:
      return { name };
  }
}

const INTERNAL =
  'Video generation failed due to an internal server issue. Please try again in a few minutes. If the problem persists, please contact support.';
