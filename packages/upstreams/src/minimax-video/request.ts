import { type JsonObject, message, type VideoRequest } from '@mediagate/contracts';
import type { FileOutline, Lack } from '../contract';
import { present } from '../json-guards';
import { lack } from '../lacks';
import { addressOf, isLastFrameAlone, type VideoAbility, videoLack } from '../video-ability';

const ABILITY: VideoAbility = {
  resolutions: { '512p': '512P', '768p': '768P', '1080p': '1080P' },
  roles: new Set(['first_frame', 'last_frame']),
  seconds: [1, 10],
  audio: 'never',
  watermark: true,
  rewritePrompt: true,
  rewriteFast: true,
  limits: { prompt: { maxCharacters: 2000 } },
  files: { image: { contentTypes: ['image/jpeg', 'image/png', 'image/webp'], maxBytes: 20 * 1024 * 1024 } },
  most: { first_frame: 1, last_frame: 1 },
};

/** The vendor makes 6 or 10 seconds; 5 are the first of 6. */
const SECONDS_MADE: Readonly<Record<number, number>> = { 5: 6, 6: 6, 10: 10 };

/** The part of a request that the vendor cannot be asked for; undefined: none. */
export function miniMaxLack(video: VideoRequest, files: readonly FileOutline[]): Lack | undefined {
  return videoLack(video, files, ABILITY) ?? combinationLack(video);
}

function combinationLack(video: VideoRequest): Lack | undefined {
  const { resolution, seconds } = video;
  const made = secondsMade(video);
  if (made === undefined) return lack(message('takes_no_length', { seconds }), 'seconds');
  if (resolution === '1080p' && made > 6)
    return lack(message('takes_no_length_at', { seconds, resolution }), 'seconds');
  if (isLastFrameAlone(video)) return lack(message('takes_no_lone_last_frame'), 'last_frame');
  if (resolution !== '512p') return undefined;
  if (addressOf(video, 'first_frame') === undefined) {
    return lack(message('takes_no_resolution_without_frame', { resolution }), 'resolution');
  }
  return addressOf(video, 'last_frame') === undefined
    ? undefined
    : lack(message('takes_no_last_frame_at', { resolution }), 'last_frame');
}

/** The shape follows the first frame, or is the vendor's 16:9: it has no word for one. */
export function requestBody(video: VideoRequest, model: string): JsonObject {
  return present<JsonObject>({
    model,
    prompt: video.prompt,
    duration: secondsMade(video),
    resolution: ABILITY.resolutions[video.resolution],
    prompt_optimizer: video.rewritePrompt,
    fast_pretreatment: video.rewriteFast,
    first_frame_image: addressOf(video, 'first_frame'),
    last_frame_image: addressOf(video, 'last_frame'),
    aigc_watermark: video.watermark,
  });
}

/** The seconds of the video that are kept, where the vendor makes more; undefined: all are kept. */
export function keptSeconds(video: VideoRequest): number | undefined {
  return video.seconds === 'auto' || video.seconds === secondsMade(video) ? undefined : video.seconds;
}

function secondsMade({ seconds }: VideoRequest): number | undefined {
  return seconds === 'auto' ? undefined : SECONDS_MADE[seconds];
}
