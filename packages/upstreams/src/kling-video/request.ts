import { type JsonObject, message, type VideoElement, type VideoRequest } from '@mediagate/contracts';
import type { FileOutline, Lack } from '../contract';
import { present } from '../json-guards';
import { lack } from '../lacks';
import { addressOf, isLastFrameAlone, type VideoAbility, videoLack } from '../video-ability';
import { callElements, wayOf } from './ways';

const ABILITY: VideoAbility = {
  // The vendor's modes.
  resolutions: { '720p': 'std', '1080p': 'pro', '4k': '4k' },
  aspectRatios: new Set(['16:9', '9:16', '1:1']),
  roles: new Set(['first_frame', 'last_frame']),
  seconds: [3, 15],
  audio: 'choice',
  negativePrompt: true,
  watermark: true,
  elements: true,
  shots: true,
  limits: {
    prompt: { maxCharacters: 2500 },
    negativePrompt: { maxCharacters: 2500 },
    elements: { maxItems: 3 },
    shots: { maxItems: 6 },
  },
  // The limits of this wire: docs.comfy.org on kling-v3-omni, novita.ai on kling-v3.0 image to video, November 2026.
  // The newer wire takes 50 MB.
  files: { image: { contentTypes: ['image/jpeg', 'image/png'], maxBytes: 10 * 1024 * 1024 } },
  most: { first_frame: 1, last_frame: 1 },
};

/** The part of a request that the vendor cannot be asked for; undefined: none. */
export function klingLack(video: VideoRequest, files: readonly FileOutline[]): Lack | undefined {
  return videoLack(video, files, ABILITY) ?? combinationLack(video);
}

/** The omni model has no field for what is not to be seen, and shots leave no place for a last frame (the same pages). */
function combinationLack(video: VideoRequest): Lack | undefined {
  if (isLastFrameAlone(video)) return lack(message('takes_no_lone_last_frame'), 'last_frame');
  if (video.shots !== undefined && addressOf(video, 'last_frame') !== undefined) {
    return lack(message('takes_no_last_frame_with_shots'), 'last_frame');
  }
  return video.negativePrompt !== undefined && wayOf(video) === 'omni-video'
    ? lack(message('takes_no_negative_prompt_with_elements'), 'negativePrompt')
    : undefined;
}

/** All of a video's request but the ids of its elements. A first frame decides the shape. */
export function requestBody(
  video: VideoRequest,
  { modelName, attemptId, callbackUrl }: { modelName: string; attemptId: string; callbackUrl: string | undefined },
): JsonObject {
  const { watermark, audio } = video;
  const image = addressOf(video, 'first_frame');
  return present<JsonObject>({
    model_name: modelName,
    prompt: promptOf(video),
    negative_prompt: video.negativePrompt,
    mode: ABILITY.resolutions[video.resolution],
    duration: String(video.seconds),
    aspect_ratio: image === undefined ? video.aspectRatio : undefined,
    sound: audio === undefined ? undefined : audio ? 'on' : 'off',
    image,
    image_tail: addressOf(video, 'last_frame'),
    ...shotFields(video),
    watermark_info: watermark === undefined ? undefined : { enabled: watermark },
    external_task_id: attemptId,
    callback_url: callbackUrl,
  });
}

/** The vendor requires a prompt even for shots that it plans itself. */
const DEFAULT_STORY = 'A short story told in several shots.';

function promptOf({ prompt, shots, elements = [] }: VideoRequest): string | undefined {
  if (prompt !== undefined) return withElements(prompt, elements);
  return shots === 'auto' ? DEFAULT_STORY : undefined;
}

function shotFields({ shots, elements = [] }: VideoRequest): JsonObject {
  if (shots === undefined) return {};
  if (shots === 'auto') return { multi_shot: true, shot_type: 'intelligence' };
  return {
    multi_shot: true,
    shot_type: 'customize',
    multi_prompt: shots.map(({ prompt, seconds }, index) => ({
      index: index + 1,
      prompt: withElements(prompt, elements),
      duration: String(seconds),
    })),
  };
}

/** `@name` as this wire says it, by the order of the list. */
export function withElements(prompt: string, elements: readonly VideoElement[]): string {
  return callElements(prompt, elements, (place) => `<<<element_${place}>>>`);
}
