import { type JobStore, jobEndpoint, type NewJob } from '../jobs/job-store';
import { canvasOfShortSide, ratioOf } from '../media/canvas';
import type { InspectedImage } from '../media/inspect-image';
import { bringImage, type ImageLimits } from '../media/named-image';
import type { Reference } from '../media/reference-source';
import type { VideoTools } from '../vendor';
import type { Call, Endpoint, JsonObject } from '../vendor-call/contract';
import { jsonReader } from '../vendor-call/json-body';
import { textOf } from '../vendor-call/request-body';
import { checkRequest, type Operation, type VideoRequest } from './request';
import { unprocessable, withoutKey } from './wire';

export interface TaskDetail {
  operation: Operation;
  resolution: string;
  credits: number;
}

type VideoOrder = NewJob<TaskDetail>;

/** Links only: there is nothing large to send. */
const MAX_BODY_BYTES = 256 * 1024;
const LIMITS: ImageLimits = { maxBytes: 20 * 1024 * 1024, formats: ['jpeg', 'png', 'gif', 'bmp'] };
const MAX_VIDEO_SECONDS = 10;
const FPS = 24;
const CREDITS_PER_SECOND = { silent: 12, sound: 14 };

/** `POST /api/v1/video/{operation}/submit`. */
export function createSubmit(
  operation: Operation,
  { tools, jobs }: { tools: VideoTools; jobs: JobStore<TaskDetail> },
): Endpoint<JsonObject, VideoOrder> {
  return jobEndpoint({
    jobs,
    read: async (request, requestId) => withoutKey(await readBody(request, requestId), requestId),
    describe: (_request, body) => ({ model: modelOf(body['mode']), prompt: textOf(body['prompt']) }),
    prepare: (body, call) => prepare(checkRequest(operation, body, call), { operation, tools, call }),
    started({ id }, { requestId }) {
      const body = { task_id: id, msg: 'success', code: 200, status: 'submitted', data: null };
      return { status: 200, body: { ...body, trace_id: requestId } };
    },
  });
}

const readBody = jsonReader(MAX_BODY_BYTES, (requestId) =>
  unprocessable('the body is no JSON, or too large', requestId),
);

/** The vendor has one model; its mode is what tells fast from standard. */
function modelOf(mode: unknown): string {
  return `skyreels-v4-${textOf(mode) || 'std'}`;
}

async function prepare(
  request: VideoRequest,
  { operation, tools, call }: { operation: Operation; tools: VideoTools; call: Call },
): Promise<VideoOrder> {
  const { first, video } = await fetchAll(request, { tools, requestId: call.requestId });
  const { resolution = '1080p', aspect_ratio: ratio = '16:9', sound = false } = request;
  const shape = first ? first.width / first.height : (ratioOf(ratio) ?? 1);
  const isReference = request.ref_videos?.[0]?.type === 'reference';
  // A video to imitate says how long the result is.
  const ownSeconds = isReference && video?.seconds !== undefined ? Math.max(1, Math.round(video.seconds)) : undefined;
  const seconds = ownSeconds ?? request.duration ?? 5;
  const videoFile = {
    ...canvasOfShortSide(Number.parseInt(resolution, 10), shape),
    fps: FPS,
    seconds,
    audio: sound,
  };
  const credits = seconds * CREDITS_PER_SECOND[sound ? 'sound' : 'silent'];
  return {
    model: modelOf(request.mode),
    prompt: request.prompt,
    video: videoFile,
    detail: { operation, resolution, credits },
  };
}

interface Fetched {
  first: InspectedImage | undefined;
  video: Reference | undefined;
}

async function fetchAll(
  request: VideoRequest,
  { tools, requestId }: { tools: VideoTools; requestId: string },
): Promise<Fetched> {
  const image = async (link: string): Promise<InspectedImage> => {
    const found = await bringImage(link, tools, LIMITS);
    if ('problem' in found) throw unprocessable(found.problem, requestId);
    return found;
  };
  const file = async (link: string, kind: Reference['kind']): Promise<Reference> => {
    const found = await tools.reach(link);
    if ('problem' in found) throw unprocessable(found.problem, requestId);
    if (found.kind !== kind) throw unprocessable(`the file is not a supported ${kind}`, requestId);
    return found;
  };

  const { first_frame_image: firstLink, end_frame_image: lastLink } = request;
  const first = firstLink === undefined ? undefined : await image(firstLink);
  if (lastLink !== undefined) await image(lastLink);
  for (const { image_url: link } of request.mid_frame_images ?? []) await image(link);
  for (const { image_urls: links, audio_url: sound } of request.ref_images ?? []) {
    for (const link of links) await image(link);
    if (sound !== undefined) await file(sound, 'audio');
  }
  const [{ video_url: videoLink } = {}] = request.ref_videos ?? [];
  const video = videoLink === undefined ? undefined : await file(videoLink, 'video');
  if ((video?.seconds ?? 0) > MAX_VIDEO_SECONDS) {
    throw unprocessable(`the video is longer than ${MAX_VIDEO_SECONDS} seconds`, requestId);
  }
  return { first, video };
}
