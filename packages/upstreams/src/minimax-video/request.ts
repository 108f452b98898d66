import type { JsonObject, VideoRequest } from '@mediagate/contracts';
import { present } from '../json-guards';
import { addressOf, unsayable, type VideoAbility } from '../video-ability';

const ABILITY: VideoAbility = {
  resolutions: { '512p': '512P', '768p': '768P', '1080p': '1080P' },
  roles: new Set(['first_frame', 'last_frame']),
  seconds: [1, 10],
  audio: 'never',
  ...{ watermark: true, rewritePrompt: true, rewriteFast: true },
};

/** The vendor makes 6 or 10 seconds; 5 are the first of 6. */
const SECONDS_MADE: Readonly<Record<number, number>> = { 5: 6, 6: 6, 10: 10 };

/** What the vendor cannot be asked for; undefined when it can. */
export function notOffered(video: VideoRequest): string | undefined {
  const { resolution, seconds } = video;
  const missing = unsayable(video, ABILITY);
  if (missing !== undefined) return missing;
  const made = secondsMade(video);
  if (made === undefined) return `length of ${seconds} seconds`;
  if (resolution === '1080p' && made > 6) return `length of ${seconds} seconds at 1080p`;
  const first = addressOf(video, 'first_frame');
  const last = addressOf(video, 'last_frame');
  if (first === undefined && last !== undefined) return 'last frame alone';
  if (resolution !== '512p') return undefined;
  if (first === undefined) return 'resolution of 512p without a first frame';
  return last === undefined ? undefined : 'last frame at 512p';
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

/** What of the video is kept, where that is less than the vendor makes. */
export function keptSeconds(video: VideoRequest): number | undefined {
  return video.seconds === 'auto' || video.seconds === secondsMade(video) ? undefined : video.seconds;
}

function secondsMade({ seconds }: VideoRequest): number | undefined {
  return seconds === 'auto' ? undefined : SECONDS_MADE[seconds];
}
