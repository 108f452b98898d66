import { type JobStore, jobEndpoint, type NewJob } from '../jobs/job-store';
import { createDice } from '../media/dice';
import type { InspectedImage } from '../media/inspect-image';
import { bringImage, type ImageLimits } from '../media/named-image';
import type { VideoTools } from '../vendor';
import { type Call, type Endpoint, type JsonObject, Refusal } from '../vendor-call/contract';
import { jsonReader } from '../vendor-call/json-body';
import { textOf } from '../vendor-call/request-body';
import {
  type ArkRatio,
  type ArkResolution,
  canvasInShape,
  canvasOf,
  checkCombination,
  checkVideoRequest,
  imagesIn,
  modelOf,
  promptIn,
  SMART_DURATION,
  type VideoRequest,
} from './video-request';
import { invalidParameter, noModel } from './wire';

/** A task's fields beside its state. */
export interface VideoDetail {
  resolution: ArkResolution;
  ratio: string;
  seed: number;
  /** The vendor knows nothing of it any more. */
  isRemoved: boolean;
}

type VideoOrder = NewJob<VideoDetail>;

const MAX_BODY_BYTES = 64 * 1024 * 1024;
const LIMITS: ImageLimits = { maxBytes: 30 * 1024 * 1024, leastSide: 300, mostSide: 6_000, mostAspect: 2.5 };
const FPS = 24;
const DEFAULT_SECONDS = 5;

/** `POST /api/v3/contents/generations/tasks`. */
export function createVideoTasks(tools: VideoTools, jobs: JobStore<VideoDetail>): Endpoint<JsonObject, VideoOrder> {
  return jobEndpoint({
    jobs,
    read: readBody,
    describe: (_request, body) => ({ model: textOf(body['model']), prompt: promptIn(body['content']) }),
    prepare: (body, call) => prepare(checkVideoRequest(body, call), { tools, call }),
    started: ({ id }) => ({ status: 200, body: { id } }),
  });
}

const readBody = jsonReader(MAX_BODY_BYTES, (requestId) =>
  invalidParameter('body', 'the request body is not valid JSON, or too large', requestId),
);

async function prepare(request: VideoRequest, { tools, call }: { tools: VideoTools; call: Call }): Promise<VideoOrder> {
  const { requestId } = call;
  const model = modelOf(request);
  if (!model) throw new Refusal(noModel(request.model, requestId));
  checkCombination(request, model, requestId);
  const prompt = promptIn(request.content);
  if (prompt === '' && request.content.length === 0) throw invalidParameter('content', 'it is empty', requestId);
  const images = (role: string) => bringInAll(imagesIn(request, role), { tools, requestId });
  const [[first], , shown] = [await images('first_frame'), await images('last_frame'), await images('reference_image')];
  await reachAll(request, { tools, requestId });
  const { resolution = '720p', ratio = 'adaptive', seed = 0, duration = DEFAULT_SECONDS } = request;
  const seconds = duration === SMART_DURATION ? smartSeconds(prompt, seed) : duration;
  const canvas = ratio === 'adaptive' ? adaptive(resolution, first ?? shown[0]) : canvasOf(resolution, ratio);
  return {
    model: request.model,
    prompt,
    detail: { resolution, ratio: ratio === 'adaptive' ? '16:9' : ratio, seed, isRemoved: false },
    video: {
      ...canvas,
      fps: FPS,
      seconds,
      audio: request.generate_audio ?? true,
      seed,
    },
  };
}

function adaptive(resolution: ArkResolution, image: InspectedImage | undefined) {
  const wide: ArkRatio = '16:9';
  return image ? canvasInShape(resolution, image) : canvasOf(resolution, wide);
}

interface Fetching {
  tools: VideoTools;
  requestId: string;
}

async function bringInAll(links: string[], { tools, requestId }: Fetching): Promise<InspectedImage[]> {
  const images: InspectedImage[] = [];
  for (const link of links) {
    const image = await bringImage(link, tools, LIMITS);
    if ('problem' in image) throw invalidParameter('content.image_url', image.problem, requestId);
    images.push(image);
  }
  return images;
}

async function reachAll({ content }: VideoRequest, { tools, requestId }: Fetching): Promise<void> {
  for (const part of content) {
    if (part.type !== 'video_url' && part.type !== 'audio_url') continue;
    const kind = part.type === 'video_url' ? 'video' : 'audio';
    const found = await tools.reach(part.type === 'video_url' ? part.video_url.url : part.audio_url.url);
    if ('problem' in found) throw invalidParameter(`content.${part.type}`, found.problem, requestId);
    if (found.kind !== kind) throw invalidParameter(`content.${part.type}`, `unsupported ${kind} format`, requestId);
  }
}

function smartSeconds(prompt: string, seed: number): number {
  return Math.floor(createDice(prompt, seed, 'length').between(4, 12));
}
