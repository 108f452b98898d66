import type { Request } from 'express';
import type { AssetStore } from '../assets/asset-store';
import { type HostedImage, makeImages } from '../hosted/hosted-files';
import type { HostedModel } from '../hosted/hosted-model';
import { type HostedOrder, orderOf } from '../hosted/hosted-order';
import { type JobStore, jobEndpoint, type NewJob, resultLink, UNENDED } from '../jobs/job-store';
import { aboutJob, type JobState, type VendorJob } from '../jobs/vendor-job';
import type { VideoTools } from '../vendor';
import { type Call, type Endpoint, type JsonObject, type Question, Refusal } from '../vendor-call/contract';
import { jsonReader } from '../vendor-call/json-body';
import { isJsonObject, textOf } from '../vendor-call/request-body';
import { factQuestion } from '../vendor-call/vendor-router';
import { answersWithOne, officialModels, versions } from './models';
import { shownInput } from './shown-input';
import { FLAGGED, invalidInput, notFound, problem } from './wire';

/** The fields of a prediction beside its state. */
export interface PredictionDetail {
  model: HostedModel;
  /** The input as sent, without what is long. */
  input: JsonObject;
  order: HostedOrder;
  /** The images are made once somebody asks for them. */
  images?: Promise<HostedImage[]>;
}

type Prediction = VendorJob<PredictionDetail>;

interface Tools {
  jobs: JobStore<PredictionDetail>;
  assets: AssetStore;
}

const MAX_BODY_BYTES = 64 * 1024 * 1024;
const HOUR_MS = 60 * 60 * 1_000;
const STATES: Record<JobState, string> = {
  queued: 'starting',
  running: 'processing',
  done: 'succeeded',
  policy: 'failed',
  fault: 'failed',
  cancelled: 'canceled',
};
const ERRORS: Partial<Record<JobState, string>> = { policy: FLAGGED, fault: 'Prediction failed: CUDA out of memory' };

/** `POST /v1/models/{owner}/{name}/predictions` and `POST /v1/predictions`. */
export function createPredictions(tools: VideoTools & Tools): Endpoint<JsonObject, NewJob<PredictionDetail>> {
  return jobEndpoint({
    jobs: tools.jobs,
    read: jsonReader(
      MAX_BODY_BYTES,
      () => new Refusal(problem(400, 'Bad request', 'The request body is not valid JSON.')),
    ),
    describe: (request, body) => ({
      model: nameOf(request) ?? textOf(body['version']),
      prompt: isJsonObject(body['input']) ? textOf(body['input']['prompt']) : '',
    }),
    async prepare(body, { request, warn }) {
      const { name, model } = modelOf(request, body);
      const { input } = body;
      if (!isJsonObject(input)) throw new Refusal(problem(422, 'Invalid input', '- input: must be an object'));
      for (const field of Object.keys(input)) if (!model.knows(field)) warn(`unknown field '${field.slice(0, 60)}'`);
      const order = await orderOf(input, model, tools);
      if ('fault' in order) throw new Refusal(invalidInput(order.fault));
      const video = 'video' in order ? order.video : undefined;
      return {
        model: name,
        prompt: textOf(input['prompt']),
        video,
        detail: { model, input: shownInput(input), order },
      };
    },
    started: (job, call) => ({ status: 201, body: { ...factsOf(job, call), status: 'starting' } }),
  });
}

/** `GET /v1/predictions/{id}`. */
export function createQuery(tools: Tools): Question<Prediction> {
  return {
    operation: 'check',
    find: (request) => findPrediction(request, tools.jobs),
    about: aboutJob,
    answer: async (job, call) => ({ status: 200, body: await describe(job, call, tools) }),
  };
}

/** `POST /v1/predictions/{id}/cancel`: what is under way is stopped, too; the vendor charges for the seconds until then. */
export function createCancellation(tools: Tools): Question<Prediction> {
  return {
    operation: 'cancel',
    find: (request) => findPrediction(request, tools.jobs),
    about: aboutJob,
    async answer(job, call) {
      tools.jobs.cancel(job, UNENDED);
      return { status: 200, body: await describe(job, call, tools) };
    },
  };
}

/** `GET /v1/account`. */
export const account = factQuestion(() => ({
  status: 200,
  body: { type: 'organization', username: 'simulated', name: 'Simulated' },
}));

function nameOf({ params }: Request): string | undefined {
  return params['name'] === undefined ? undefined : `${params['owner']}/${params['name']}`;
}

function modelOf(request: Request, body: JsonObject): { name: string; model: HostedModel } {
  const name = nameOf(request);
  const model = name === undefined ? undefined : officialModels[name];
  if (name !== undefined && model) return { name, model };
  if (name !== undefined) throw new Refusal(notFound());
  const version = versions[textOf(body['version'])];
  if (version) return version;
  const detail = "The specified version does not exist (or perhaps you don't have permission to use it?)";
  throw new Refusal(problem(422, 'Invalid version or not permitted', detail));
}

async function describe(job: Prediction, call: Call, tools: Tools): Promise<JsonObject> {
  const state = tools.jobs.state(job);
  const status = call.faults.take('new-status-word') ? 'reviewing' : STATES[state];
  const facts = { ...factsOf(job, call), status, error: ERRORS[state] ?? null };
  if (state === 'queued' || state === 'running') return facts;
  const endedAtMs = job.cancelledAtMs ?? job.endsAtMs;
  const worked = endedAtMs > job.startsAtMs ? { predict_time: (endedAtMs - job.startsAtMs) / 1_000 } : {};
  const metrics = { ...worked, total_time: (endedAtMs - job.submittedAtMs) / 1_000 };
  if (state !== 'done') return { ...facts, metrics };
  return { ...facts, output: spoiled(await outputOf(job, call, tools), call), metrics };
}

async function outputOf(job: Prediction, call: Call, { jobs, assets }: Tools): Promise<string | string[]> {
  const { detail } = job;
  if ('video' in detail.order) return resultLink(call.request, { jobs, job });
  detail.images ??= makeImages(detail.order.images, { assets, call, lifetimeMs: HOUR_MS });
  const links = (await detail.images).map(({ url }) => url);
  return answersWithOne(detail.model) ? (links[0] ?? '') : links;
}

function spoiled(output: string | string[], { faults }: Call): unknown {
  if (faults.take('missing-url')) return null;
  if (faults.take('empty-result')) return [];
  return faults.take('wrong-type') ? 42 : output;
}

function factsOf({ id, model, submittedAtMs, detail }: Prediction, { request }: Call): JsonObject {
  const link = `http://${request.get('host')}/replicate/v1/predictions/${id}`;
  return {
    id,
    model,
    version: 'hidden',
    input: detail.input,
    logs: '',
    output: null,
    error: null,
    created_at: new Date(submittedAtMs).toISOString(),
    data_removed: false,
    source: 'api',
    urls: { get: link, cancel: `${link}/cancel` },
  };
}

function findPrediction({ params }: Request, jobs: JobStore<PredictionDetail>): Prediction {
  const job = jobs.find(String(params['id']));
  if (job) return job;
  throw new Refusal(notFound());
}
