import { type ImgtoolParent, type ImgtoolRequest, type JsonObject, message } from '@mediagate/contracts';
import type { Endpoint, Lack } from '../contract';
import { dataUri } from '../image-call';
import { present } from '../json-guards';
import { lack } from '../lacks';
import { hasVideos, type LaterAction, type Press, pressFor, upscaleFirst } from './buttons';
import type { ImgtoolCall } from './imgtool-call';
import { animateWords, videoBody } from './videos';

/** One body for one of the routes under `/mj/submit`. */
export interface Submission {
  resource: string;
  body: JsonObject;
  /** Confirms a window that the server may open in answer; absent: the window stays open, for a later `modal`. */
  confirm?: Confirmation;
  /** The job there already is, which this goes on with. */
  taskId?: string;
  /** This makes an image alone, which is then worked on. */
  later?: LaterAction;
}

export type Confirmation = { prompt?: string };

/** The request in the protocol's words, all but its speed; or the lack, where the protocol has no words for it. */
export function submissionOf(call: ImgtoolCall, { channelId, options }: Endpoint): Submission | Lack {
  const { imgtool, images } = call;
  const { parent } = imgtool;
  // Where the image itself is there, it is no matter who made it.
  if (parent === undefined || (imgtool.action === 'video' && images.length > 0)) return fresh(call, options);
  if (parent.channelId !== channelId) return NOT_AVAILABLE;
  return followUp(call, parent);
}

function fresh({ imgtool, images, end }: ImgtoolCall, options: JsonObject): Submission | Lack {
  const { action, prompt, niji, dimensions = 'square' } = imgtool;
  const [image, ...others] = images.map(dataUri);
  const botType = niji ? 'NIJI_JOURNEY' : 'MID_JOURNEY';
  switch (action) {
    case 'imagine': {
      const base64Array = image === undefined ? undefined : [image, ...others];
      return { resource: 'imagine', body: present<JsonObject>({ prompt, base64Array, botType }) };
    }
    case 'shorten':
      return { resource: 'shorten', body: present<JsonObject>({ prompt, botType }) };
    case 'blend': {
      if (others.length === 0 || others.length > 4) {
        return lack(message('takes_no_blend_of_so_many'), 'image_urls');
      }
      const body = { base64Array: [image ?? '', ...others], dimensions: dimensions.toUpperCase(), botType };
      return { resource: 'blend', body };
    }
    case 'describe':
      if (image === undefined || others.length > 0) return oneImage(images.length);
      return { resource: 'describe', body: { base64: image, botType } };
    case 'edits': {
      const several = options['edit_pictures'] === 'several';
      if (image === undefined || (others.length > 0 && !several)) return oneImage(images.length);
      const files = several ? { base64Array: [image, ...others] } : { image: image };
      return { resource: 'edits', body: present<JsonObject>({ prompt, botType, ...files }) };
    }
    case 'video':
      if (image === undefined || others.length > 0) return oneImage(images.length);
      return { resource: 'video', body: { ...videoBody(imgtool, end), image: image } };
    default:
      return lack(message('takes_no_operation_without_task', { name: action }));
  }
}

function oneImage(given: number): Lack {
  if (given === 0) return lack(message('takes_no_operation_without_image'));
  return lack(message('takes_no_several_images'), 'image_urls', 1);
}

function followUp({ imgtool, mask, end }: ImgtoolCall, parent: ImgtoolParent): Submission | Lack {
  const { action, prompt, index = 0 } = imgtool;
  const taskId = vendorTaskId(parent.externalId);
  if (action === 'modal') {
    const maskBase64 = mask === undefined ? undefined : dataUri(mask);
    return { resource: 'modal', body: present<JsonObject>({ taskId, prompt, maskBase64 }), taskId };
  }
  if (action === 'video' && imgtool.customId === undefined && hasVideos(parent)) {
    return { resource: 'video', body: { ...videoBody(imgtool, end), action: 'extend', index, taskId } };
  }
  const press = pressFor(imgtool, parent);
  if (press !== undefined) return pressing(imgtool, { taskId, press });
  const first = upscaleFirst(imgtool, parent);
  if (first !== undefined) {
    const planned = pressing(imgtool, { taskId, press: first.press });
    return 'message' in planned ? planned : { ...planned, later: first.later };
  }
  // Servers that list no buttons at all know these three by name.
  const change = parent.buttons.length === 0 && imgtool.customId === undefined ? changeOf(imgtool) : undefined;
  if (change === undefined) return NOT_AVAILABLE;
  return { resource: 'change', body: { ...change, taskId }, confirm: {} };
}

function pressing(imgtool: ImgtoolRequest, { taskId, press }: { taskId: string; press: Press }): Submission | Lack {
  const submission: Submission = { resource: 'action', body: { taskId, ...press } };
  switch (imgtool.action) {
    case 'inpaint':
      return submission;
    case 'video': {
      if (imgtool.videoType === '720') return lack(message('takes_no_videos_of_720p'), 'videoType');
      const words = animateWords(imgtool);
      if (words === undefined) return { ...submission, confirm: {} };
      return { ...submission, body: { ...submission.body, enableRemix: true }, confirm: { prompt: words } };
    }
    default:
      return { ...submission, confirm: present<Confirmation>({ prompt: imgtool.prompt }) };
  }
}

function changeOf({ action, index = 1 }: ImgtoolRequest): JsonObject | undefined {
  switch (action) {
    case 'upscale':
      return { action: 'UPSCALE', index };
    case 'variation':
      return { action: 'VARIATION', index };
    case 'reroll':
      return { action: 'REROLL' };
    default:
      return undefined;
  }
}

/** A channel knows a job by one attempt alone, so that another attempt at the same job carries its own id behind. */
export function sharedExternalId(taskId: string, attemptId: string): string {
  return `${taskId}#${attemptId}`;
}

function vendorTaskId(externalId: string): string {
  return externalId.split('#', 1)[0] ?? externalId;
}

/** Another channel made the task that is worked on, or that task has no such button. */
const NOT_AVAILABLE = lack(message('operation_unavailable'), 'parent');
