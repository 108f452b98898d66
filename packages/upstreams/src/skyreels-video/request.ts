import { type JsonObject, message, type VideoInput, type VideoRequest } from '@mediagate/contracts';
import type { FileOutline, Lack } from '../contract';
import { present } from '../json-guards';
import { lack } from '../lacks';
import { addressOf, type VideoAbility, videoLack } from '../video-ability';

/** The vendor has a path, and so a set of fields, for each way to make a video. */
export type Way = 'text2video' | 'image2video' | 'omni-video';

const FRAMES: readonly VideoInput['role'][] = ['first_frame', 'last_frame', 'mid_frame'];
const CLIPS: readonly VideoInput['role'][] = ['reference_video', 'continued_video'];

const ABILITY: VideoAbility = {
  resolutions: { '480p': '480p', '720p': '720p', '1080p': '1080p' },
  aspectRatios: new Set(['16:9', '4:3', '1:1', '9:16', '3:4']),
  roles: new Set([...FRAMES, ...CLIPS]),
  seconds: [3, 15],
  // The vendor has a switch for sound, which this platform's models do not offer.
  audio: 'never',
  autoSeconds: true,
  rewritePrompt: true,
  tags: true,
  subjects: true,
  // Tokens, as they are estimated: 1280 of four bytes.
  limits: { prompt: { maxCharacters: 5120 }, subjects: { maxItems: 3 } },
  files: { image: { contentTypes: ['image/jpeg', 'image/png', 'image/gif', 'image/bmp'] } },
  most: { first_frame: 1, last_frame: 1, mid_frame: 6, reference_video: 1, continued_video: 1 },
};

/** The part of a request that the vendor cannot be asked for; undefined: none. */
export function skyReelsLack(video: VideoRequest, files: readonly FileOutline[]): Lack | undefined {
  return videoLack(video, files, ABILITY) ?? combinationLack(video);
}

/** The frames of a video are refused without the first. */
function combinationLack(video: VideoRequest): Lack | undefined {
  const clips = video.inputs.filter(({ role }) => CLIPS.includes(role));
  const untagged = clips.find((clip) => !('tag' in clip) || clip.tag === undefined);
  if (untagged !== undefined) return lack(message('takes_no_untagged_video'), untagged.role);
  const references = clips.length > 0 || video.subjects !== undefined;
  const frame = video.inputs.find(({ role }) => FRAMES.includes(role))?.role;
  if (frame !== undefined && references) return lack(message('takes_no_frames_with_references'), frame);
  if (frame !== undefined && addressOf(video, 'first_frame') === undefined) {
    return lack(message(frame === 'last_frame' ? 'takes_no_lone_last_frame' : 'takes_no_mid_frames_alone'), frame);
  }
  return video.seconds === 'auto' && !followsClip(video)
    ? lack(message('takes_no_own_length_without_video'), 'seconds')
    : undefined;
}

export function wayOf(video: VideoRequest): Way {
  if (hasFrames(video)) return 'image2video';
  return video.inputs.length > 0 || video.subjects !== undefined ? 'omni-video' : 'text2video';
}

/** An image's shape, or a clip's, decides that of the video; a reference clip its length too. */
export function requestBody(video: VideoRequest, { mode, apiKey }: { mode: string; apiKey: string }): JsonObject {
  return present<JsonObject>({
    api_key: apiKey,
    prompt: video.prompt,
    duration: video.seconds === 'auto' || followsClip(video) ? undefined : video.seconds,
    resolution: video.resolution,
    aspect_ratio: video.inputs.length > 0 ? undefined : video.aspectRatio,
    prompt_optimizer: video.rewritePrompt,
    mode,
    first_frame_image: addressOf(video, 'first_frame'),
    end_frame_image: addressOf(video, 'last_frame'),
    mid_frame_images: nonEmpty(midFrames(video)),
    ref_images: nonEmpty(referenceImages(video)),
    ref_videos: nonEmpty(referenceVideos(video)),
  });
}

function followsClip(video: VideoRequest): boolean {
  return addressOf(video, 'reference_video') !== undefined;
}

function hasFrames({ inputs }: VideoRequest): boolean {
  return inputs.some(({ role }) => FRAMES.includes(role));
}

function midFrames({ inputs, seconds }: VideoRequest): JsonObject[] {
  return inputs.flatMap((input) => {
    if (input.role !== 'mid_frame') return [];
    return [{ tag: input.tag, image_url: input.url, time_stamp: wholeMoment(input.atSeconds, seconds) }];
  });
}

/** The vendor counts moments in whole seconds within the video, and -1 leaves them to the model. */
function wholeMoment(atSeconds: number | undefined, seconds: VideoRequest['seconds']): number {
  if (atSeconds === undefined) return -1;
  const last = seconds === 'auto' ? Number.POSITIVE_INFINITY : seconds - 1;
  return Math.min(Math.max(Math.round(atSeconds), 1), last);
}

function referenceImages({ subjects = [] }: VideoRequest): JsonObject[] {
  return subjects.map(({ tag, layout, imageUrls, voiceUrl }) => {
    const type = layout === 'grid' ? 'grid' : 'image';
    return present<JsonObject>({ tag, type, image_urls: [...imageUrls], audio_url: voiceUrl });
  });
}

function referenceVideos({ inputs }: VideoRequest): JsonObject[] {
  return inputs.flatMap((input) => {
    if (input.role !== 'reference_video' && input.role !== 'continued_video') return [];
    const type = input.role === 'reference_video' ? 'reference' : 'extend';
    return [present<JsonObject>({ tag: input.tag, type, video_url: input.url })];
  });
}

function nonEmpty(items: JsonObject[]): JsonObject[] | undefined {
  return items.length === 0 ? undefined : items;
}
