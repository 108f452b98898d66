import type { Request } from 'express';
import { type JobStore, jobEndpoint, type NewJob } from '../jobs/job-store';
import type { VideoTools } from '../vendor';
import { type Call, type Endpoint, type JsonObject, Refusal } from '../vendor-call/contract';
import { jsonReader } from '../vendor-call/json-body';
import { isJsonObject, textOf } from '../vendor-call/request-body';
import { createReferences } from './references';
import { type ModelReader, usageOf } from './request';
import * as wan26 from './wan-2-6';
import * as wan27 from './wan-2-7';
import { anyToVideo } from './wan-3-0';
import { dashscopeError, invalidParameter } from './wire';

/** The fields that a task keeps for its usage report. */
export type TaskDetail = JsonObject;

const models: Record<string, ModelReader> = {
  'wan2.6-t2v': wan26.textToVideo,
  'wan2.6-i2v': wan26.imageToVideo,
  'wan2.6-i2v-flash': wan26.flashToVideo,
  'wan2.7-t2v': wan27.textToVideo,
  'wan2.7-i2v': wan27.imageToVideo,
  'wan3.0-video': anyToVideo,
  'wan3.0-video-prime': anyToVideo,
};

/** Images may come as data URLs. */
const MAX_BODY_BYTES = 128 * 1024 * 1024;

type VideoOrder = NewJob<TaskDetail>;

/** `POST /api/v1/services/aigc/video-generation/video-synthesis`. */
export function createVideoSynthesis(tools: VideoTools, jobs: JobStore<TaskDetail>): Endpoint<JsonObject, VideoOrder> {
  return jobEndpoint({
    jobs,
    read: readBody,
    describe: (_request, body) => ({ model: textOf(body['model']), prompt: promptOf(body) }),
    prepare: (body, call) => prepare(body, { tools, call }),
    started({ id }, { requestId }) {
      const output = { task_status: 'PENDING', task_id: id };
      return { status: 200, body: { output, request_id: requestId } };
    },
  });
}

const readJson = jsonReader(MAX_BODY_BYTES, (requestId) =>
  invalidParameter('The request body is not valid JSON, or too large.', requestId),
);

async function readBody(request: Request, requestId: string): Promise<JsonObject> {
  if (request.get('x-dashscope-async') !== 'enable') {
    const message = 'current user api does not support synchronous calls.';
    throw new Refusal(dashscopeError(403, { code: 'AccessDenied', message }, requestId));
  }
  return readJson(request, requestId);
}

async function prepare(body: JsonObject, { tools, call }: { tools: VideoTools; call: Call }): Promise<VideoOrder> {
  const model = textOf(body['model']);
  const read = Object.hasOwn(models, model) ? models[model] : undefined;
  if (!read) throw invalidParameter('Model not exist.', call.requestId);
  const { input, parameters = {} } = body;
  if (!isJsonObject(input)) throw invalidParameter('input must be an object', call.requestId);
  if (!isJsonObject(parameters)) throw invalidParameter('parameters must be an object', call.requestId);
  const references = createReferences(tools, call.requestId);
  const plan = await read({ model, input, parameters }, { call, references });
  return { model, prompt: promptOf(body), video: plan.video, detail: usageOf(plan) };
}

function promptOf(body: JsonObject): string {
  return isJsonObject(body['input']) ? textOf(body['input']['prompt']) : '';
}
