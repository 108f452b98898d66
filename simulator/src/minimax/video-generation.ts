import { type JobStore, jobEndpoint, type NewJob } from '../jobs/job-store';
import { canvasOfShortSide } from '../media/canvas';
import type { InspectedImage } from '../media/inspect-image';
import { bringImage, type ImageLimits } from '../media/named-image';
import type { VideoTools } from '../vendor';
import type { Call, Endpoint, JsonObject } from '../vendor-call/contract';
import { bodyCheck, jsonReader } from '../vendor-call/json-body';
import { textOf } from '../vendor-call/request-body';
import type { Fields } from '../vendor-call/shape';
import { invalidParams, success } from './wire';

type VideoOrder = NewJob<undefined>;

/** Two data URLs of 20 MB. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;
const LIMITS: ImageLimits = {
  maxBytes: 20 * 1024 * 1024,
  formats: ['jpeg', 'png', 'webp'],
  leastSide: 301,
  mostAspect: 2.5,
};
const FPS = 24;
const WIDE = 16 / 9;

/** `POST /v1/video_generation`. */
export function createVideoGeneration(tools: VideoTools, jobs: JobStore<undefined>): Endpoint<JsonObject, VideoOrder> {
  return jobEndpoint({
    jobs,
    read: readBody,
    describe: (_request, body) => ({ model: textOf(body['model']), prompt: textOf(body['prompt']) }),
    prepare: (body, call) => prepare(checkRequest(body, call), { tools, call }),
    started: ({ id }) => ({ status: 200, body: { task_id: id, base_resp: success } }),
  });
}

const readBody = jsonReader(MAX_BODY_BYTES, () => invalidParams('the body is no JSON, or too large'));

async function prepare(request: VideoRequest, { tools, call }: { tools: VideoTools; call: Call }): Promise<VideoOrder> {
  const first = await bringIn(request.first_frame_image, 'first_frame_image', tools);
  await bringIn(request.last_frame_image, 'last_frame_image', tools);
  if (request.callback_url !== undefined) call.warn('callbacks are not sent');
  const shortSide = Number.parseInt(request.resolution ?? '768P', 10);
  const video = {
    ...canvasOfShortSide(shortSide, first ? first.width / first.height : WIDE),
    fps: FPS,
    seconds: request.duration ?? 6,
    // The model makes silent videos.
    audio: false,
  };
  return { model: request.model, prompt: request.prompt ?? '', video, detail: undefined };
}

async function bringIn(
  link: string | undefined,
  field: string,
  tools: VideoTools,
): Promise<InspectedImage | undefined> {
  if (link === undefined) return undefined;
  const image = await bringImage(link, tools, LIMITS);
  if ('problem' in image) throw invalidParams(`${field}: ${image.problem}`);
  return image;
}

const models = ['MiniMax-Hailuo-02'];

const properties = {
  model: { type: 'string' },
  prompt: { type: 'string', maxLength: 2_000 },
  prompt_optimizer: { type: 'boolean' },
  fast_pretreatment: { type: 'boolean' },
  duration: { enum: [6, 10] },
  resolution: { enum: ['512P', '768P', '1080P'] },
  first_frame_image: { type: 'string', minLength: 1 },
  last_frame_image: { type: 'string', minLength: 1 },
  callback_url: { type: 'string' },
  aigc_watermark: { type: 'boolean' },
} as const;

type VideoRequest = Fields<typeof properties, 'model'>;

const checkShape = bodyCheck({ properties, required: ['model'] }, invalidParams);

/** The typed request; throws the vendor's refusal. */
function checkRequest(body: JsonObject, call: Call): VideoRequest {
  const request = checkShape(body, call);
  checkCombination(request);
  return request;
}

function checkCombination(request: VideoRequest): void {
  const { model, prompt, duration, resolution, first_frame_image: first, last_frame_image: last } = request;
  if (!models.includes(model)) throw invalidParams(`model ${model.slice(0, 60)} does not exist`);
  if (first === undefined && last !== undefined) throw invalidParams('last_frame_image needs first_frame_image');
  if (first === undefined && (prompt === undefined || prompt === '')) throw invalidParams('prompt is required');
  if (resolution === '1080P' && duration === 10) throw invalidParams('1080P does not support duration 10');
  if (resolution === '512P' && first === undefined) throw invalidParams('512P needs first_frame_image');
  if (resolution === '512P' && last !== undefined) throw invalidParams('512P does not support last_frame_image');
}
