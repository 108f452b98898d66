import { type JsonObject, message, type VideoElement, type VideoRequest } from '@mediagate/contracts';
import type { FileOutline, Lack } from '../contract';
import { present } from '../json-guards';
import { callElements, wayOf } from '../kling-video/ways';
import { lack } from '../lacks';
import { addressOf, isLastFrameAlone, type VideoAbility, videoLack } from '../video-ability';

/** Characters of all words of a video, shots included. */
const MAX_CHARACTERS = 3072;

const ABILITY: VideoAbility = {
  resolutions: { '720p': '720p', '1080p': '1080p', '4k': '4k' },
  aspectRatios: new Set(['16:9', '9:16', '1:1']),
  roles: new Set(['first_frame', 'last_frame']),
  seconds: [3, 15],
  audio: 'choice',
  watermark: true,
  elements: true,
  shots: true,
  limits: { prompt: { maxCharacters: MAX_CHARACTERS }, elements: { maxItems: 3 }, shots: { maxItems: 6 } },
  files: { image: { contentTypes: ['image/jpeg', 'image/png'], maxBytes: 50_000_000 } },
  most: { first_frame: 1, last_frame: 1 },
};

/** The part of a request that the vendor cannot be asked for; undefined: none. */
export function seriesThreeLack(video: VideoRequest, files: readonly FileOutline[]): Lack | undefined {
  return videoLack(video, files, ABILITY) ?? combinationLack(video);
}

/** Nobody has shown a last frame with shots on this wire, and the older one refuses it. */
function combinationLack(video: VideoRequest): Lack | undefined {
  if (isLastFrameAlone(video)) return lack(message('takes_no_lone_last_frame'), 'last_frame');
  if (video.shots !== undefined && addressOf(video, 'last_frame') !== undefined) {
    return lack(message('takes_no_last_frame_with_shots'), 'last_frame');
  }
  return wordsOf(video).length > MAX_CHARACTERS
    ? lack(message('takes_characters', { limit: MAX_CHARACTERS }), 'shots', MAX_CHARACTERS)
    : undefined;
}

/** All of a video's request but the ids of its elements: words alone go to a field of their own, beside frames they are one of the contents. */
export function requestBody(
  video: VideoRequest,
  { attemptId, callbackUrl }: { attemptId: string; callbackUrl: string | undefined },
): JsonObject {
  const { watermark, audio, seconds, shots } = video;
  const way = wayOf(video);
  const words = wordsOf(video);
  const settings = present<JsonObject>({
    // Left out, it stands for true: the vendor would cut the video into shots.
    multi_shot: shots !== undefined,
    resolution: ABILITY.resolutions[video.resolution],
    aspect_ratio: way === 'image2video' ? undefined : (video.aspectRatio ?? '16:9'),
    duration: seconds,
    audio: audio === undefined ? undefined : audio ? 'native' : 'off',
  });
  const options = present<JsonObject>({
    external_task_id: attemptId,
    callback_url: callbackUrl,
    watermark_info: watermark === undefined ? undefined : { enabled: watermark },
  });
  return way === 'text2video'
    ? { prompt: words, settings, options }
    : { contents: contentsOf(video, words), settings, options };
}

function contentsOf(video: VideoRequest, words: string): JsonObject[] {
  const frames = (['first_frame', 'last_frame'] as const).flatMap((type) => {
    const url = addressOf(video, type);
    return url === undefined ? [] : [{ type, url }];
  });
  return words === '' ? frames : [{ type: 'prompt', text: words }, ...frames];
}

/** With their places as handles, by which the words call them. */
export function withElements(body: JsonObject, ids: readonly string[]): JsonObject {
  const { contents } = body;
  const elements = ids.map((id, index) => ({ type: 'element', element_id: id, id: handleOf(index + 1) }));
  return { ...body, contents: [...(Array.isArray(contents) ? contents : []), ...elements] };
}

/** The vendor requires words even for shots that it plans itself. */
const DEFAULT_STORY = 'A short story told in several shots.';

/** Shots that a caller plans stand in the words: `shot 1, 3, a door opens; shot 2, 2, a cat;`. */
function wordsOf({ prompt, shots, elements = [] }: VideoRequest): string {
  if (shots === undefined || shots === 'auto') return called(prompt ?? (shots ? DEFAULT_STORY : ''), elements);
  return shots
    .map((shot, index) => `shot ${index + 1}, ${shot.seconds}, ${called(inOneShot(shot.prompt), elements)};`)
    .join(' ');
}

/** A semicolon ends a shot. */
function inOneShot(words: string): string {
  return words.replace(/;/g, ',');
}

function called(words: string, elements: readonly VideoElement[]): string {
  return callElements(words, elements, (place) => `@${handleOf(place)}`);
}

function handleOf(place: number): string {
  return `element_${place}`;
}
