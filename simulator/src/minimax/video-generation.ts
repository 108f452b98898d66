import { jobEndpoint } from '../jobs/job-endpoint';
import type { JobStore, NewJob } from '../jobs/job-store';
import type { VideoTools } from '../jobs/video-tools';
import { canvasOfShortSide } from '../media/canvas';
import type { InspectedImage } from '../media/inspect-image';
import type { ImageLimits } from '../media/named-image';
import { bringImage } from '../media/named-image';
import type { Call, Endpoint, JsonObject } from '../vendor-call/contract';
import { jsonReader } from '../vendor-call/json-body';
import { textOf } from '../vendor-call/request-body';
import { checkRequest, type VideoRequest } from './request';
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
