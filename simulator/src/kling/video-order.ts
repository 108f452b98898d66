import type { NewJob } from '../jobs/job-store';
import { canvasOfShortSide, ratioOf } from '../media/canvas';
import type { InspectedImage } from '../media/inspect-image';
import { bringImage } from '../media/named-image';
import type { VideoTools } from '../vendor';
import type { Call } from '../vendor-call/contract';
import { hasElement, type KlingAccount, type VideoDetail, type VideoFamily, type VideoTask } from './account';
import { invalidParameter } from './wire';

/** A checked request, whichever of the vendor's two wires it came through. */
export interface VideoRequest {
  family: VideoFamily;
  model: string;
  /** As sent, the shots' words included. */
  prompt: string;
  mode: 'std' | 'pro' | '4k';
  seconds: number;
  sound: boolean;
  aspectRatio: string;
  /** Limit on each image: the two wires differ. */
  maxImageBytes: number;
  firstFrame: NamedImage | undefined;
  lastFrame: NamedImage | undefined;
  /** Images that are only to be there. */
  otherImages: NamedImage[];
  elementIds: string[];
  marked: boolean;
  externalTaskId: string | undefined;
}

interface NamedImage {
  field: string;
  /** A URL, or bare base64. */
  value: string;
}

export type VideoOrder = NewJob<VideoDetail>;

const FPS = 24;
const shortSides = { std: 720, pro: 1_080, '4k': 2_160 };
const unitsPerSecond = { std: 1, pro: 2, '4k': 4 };
const MAX_EXTERNAL_ID_CHARS = 256;

/** Fetches what a request points to and settles what the video is; throws the vendor's refusals. */
export async function orderVideo(
  request: VideoRequest,
  { tools, account, call }: { tools: VideoTools; account: KlingAccount; call: Call },
): Promise<VideoOrder> {
  const around = { tools, requestId: call.requestId, maxBytes: request.maxImageBytes };
  checkElements(request, { account, call });
  const first = request.firstFrame && (await bringInImage(request.firstFrame, around));
  for (const image of [request.lastFrame ?? [], request.otherImages].flat()) await bringInImage(image, around);
  const ratio = first ? first.width / first.height : (ratioOf(request.aspectRatio) ?? 1);
  const { family, model, prompt, mode, seconds, sound, marked, externalTaskId } = request;
  const video = {
    ...canvasOfShortSide(shortSides[mode], ratio),
    fps: FPS,
    seconds,
    audio: sound,
  };
  return { model, prompt, externalTaskId, video, detail: { family, marked, units: seconds * unitsPerSecond[mode] } };
}

/** Books the task. An external id may be used once in an account, whatever became of its task. */
export function bookVideo(order: VideoOrder, { account, call }: { account: KlingAccount; call: Call }): VideoTask {
  const { externalTaskId } = order;
  if (externalTaskId !== undefined) {
    if (externalTaskId.length > MAX_EXTERNAL_ID_CHARS)
      throw invalidParameter('external_task_id too long', call.requestId);
    if (account.videos.findByExternalId(externalTaskId)) {
      throw invalidParameter('external_task_id already exists', call.requestId);
    }
  }
  return account.videos.add(order, call);
}

/** `<<<element_2>>>` in a prompt means the second of the list. */
function checkElements(
  { elementIds, prompt }: VideoRequest,
  { account, call }: { account: KlingAccount; call: Call },
): void {
  for (const id of elementIds) {
    if (!hasElement(account, id)) throw invalidParameter(`element ${id} does not exist`, call.requestId);
  }
  for (const [mark, number] of prompt.matchAll(/<<<element_(\d+)>>>/g)) {
    if (Number(number) < 1 || Number(number) > elementIds.length) {
      throw invalidParameter(`${mark} is not in the element list`, call.requestId);
    }
  }
}

/** An image by its URL, or as base64 without the head of a data URL; throws the vendor's refusal. */
export async function bringInImage(
  { field, value }: { field: string; value: string },
  { tools, requestId, maxBytes }: { tools: VideoTools; requestId: string; maxBytes: number },
): Promise<InspectedImage> {
  const refuse = (reason: string) => invalidParameter(`${field}: ${reason}`, requestId);
  if (value.startsWith('data:')) throw refuse('base64 must not begin with data:');
  const link = /^https?:\/\//.test(value) ? value : `data:image/png;base64,${value}`;
  const image = await bringImage(link, tools, {
    maxBytes,
    formats: ['jpeg', 'png'],
    leastSide: 300,
    mostAspect: 2.5,
  });
  if ('problem' in image) throw refuse(image.problem);
  return image;
}
