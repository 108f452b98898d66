import { type JsonObject, message, type VideoInput, type VideoRequest } from '@mediagate/contracts';
import type { Lack } from '../contract';
import { present } from '../json-guards';
import { lack } from '../lacks';
import { addressOf, isLastFrameAlone, type VideoAbility } from '../video-ability';

/** The vendor changed its fields with each generation of the model; a generation is known by how its models' names begin. */
export interface Generation {
  modelPrefix: string;
  /** Images and videos to begin from are for another model than text alone. */
  hasImageModel: boolean;
  ability: VideoAbility;
  /** A combination in the request that the vendor does not take. `model`: the one that is called. */
  conflict(video: VideoRequest, model: string): Lack | undefined;
  input(video: VideoRequest): JsonObject;
  parameters(video: VideoRequest, model: string): JsonObject;
}

/** In pixels, as the vendor lists them for text; the shape of an image decides otherwise. */
const SIZES_2_6: Record<string, Record<string, string>> = {
  '720p': { '16:9': '1280*720', '9:16': '720*1280', '1:1': '960*960', '4:3': '1088*832', '3:4': '832*1088' },
  '1080p': { '16:9': '1920*1080', '9:16': '1080*1920', '1:1': '1440*1440', '4:3': '1632*1248', '3:4': '1248*1632' },
};
const FIVE_SHAPES = new Set(['16:9', '9:16', '1:1', '4:3', '3:4']);
const HD = { '720p': '720P', '1080p': '1080P' };
const FRAMES: readonly VideoInput['role'][] = ['first_frame', 'last_frame'];

function wordLimits(maxCharacters: number) {
  return {
    prompt: { maxCharacters },
    negativePrompt: { maxCharacters: 500 },
  };
}

const wan26: Generation = {
  modelPrefix: 'wan2.6',
  hasImageModel: true,
  ability: {
    resolutions: HD,
    aspectRatios: FIVE_SHAPES,
    roles: new Set(['first_frame', 'sound']),
    seconds: [2, 15],
    audio: 'choice',
    negativePrompt: true,
    seed: true,
    watermark: true,
    rewritePrompt: true,
    limits: wordLimits(1500),
    most: { first_frame: 1, sound: 1 },
  },
  conflict: (video, model) =>
    video.audio === false && !hasChoiceOfAudio(video, model)
      ? lack(message('takes_no_silent_videos'), 'audio')
      : undefined,
  input: (video) => ({
    ...words(video),
    ...address('img_url', video, 'first_frame'),
    ...address('audio_url', video, 'sound'),
  }),
  parameters: (video, model) => {
    const { resolution, aspectRatio = '16:9', audio } = video;
    const shaped = beginsFromMedia(video);
    return present<JsonObject>({
      size: shaped ? undefined : SIZES_2_6[resolution]?.[aspectRatio],
      resolution: shaped ? wan26.ability.resolutions[resolution] : undefined,
      ...flags(video),
      audio: hasChoiceOfAudio(video, model) ? audio : undefined,
    });
  },
};

/**
 * Among the image models only flash makes silent videos and takes `audio`: the table of models at docs.qwencloud.com, image to
 * video, and three public clients, November 2026.
 */
function hasChoiceOfAudio(video: VideoRequest, model: string): boolean {
  return !beginsFromMedia(video) || model.includes('-flash');
}

const wan27: Generation = {
  modelPrefix: 'wan2.7',
  hasImageModel: true,
  ability: {
    resolutions: HD,
    aspectRatios: FIVE_SHAPES,
    roles: new Set(['first_frame', 'last_frame', 'continued_video', 'sound']),
    seconds: [2, 15],
    audio: 'always',
    negativePrompt: true,
    seed: true,
    watermark: true,
    rewritePrompt: true,
    limits: wordLimits(5000),
    most: { first_frame: 1, last_frame: 1, continued_video: 1, sound: 1 },
  },
  conflict(video) {
    const has = (role: VideoInput['role']) => addressOf(video, role) !== undefined;
    if (has('continued_video') && has('first_frame')) {
      return lack(message('takes_no_first_frame_with_video'), 'first_frame');
    }
    if (has('continued_video') && has('sound')) {
      return lack(message('takes_no_sound_with_video'), 'sound');
    }
    return isLastFrameAlone(video) && !has('continued_video')
      ? lack(message('takes_no_lone_last_frame'), 'last_frame')
      : undefined;
  },
  input: (video) => {
    const media = mediaList(video, TYPES_2_7);
    // A sound is an input of the text model by its own field, and one of the media of the image model.
    const isFromMedia = beginsFromMedia(video);
    return { ...words(video), ...(isFromMedia ? { media } : address('audio_url', video, 'sound')) };
  },
  parameters: (video) =>
    present<JsonObject>({
      resolution: wan27.ability.resolutions[video.resolution],
      ratio: beginsFromMedia(video) ? undefined : video.aspectRatio,
      ...flags(video),
    }),
};

const wan30: Generation = {
  modelPrefix: 'wan3.0',
  hasImageModel: false,
  ability: {
    resolutions: { '480p': '480P', ...HD },
    aspectRatios: new Set([...FIVE_SHAPES, '21:9']),
    roles: new Set([...FRAMES, 'reference_image', 'reference_video', 'reference_audio', 'document', 'web_page']),
    seconds: [2, 30],
    audio: 'choice',
    autoSeconds: true,
    seed: true,
    watermark: true,
    rewritePrompt: true,
    limits: { prompt: { maxCharacters: 20_000 } },
    files: { image: { contentTypes: ['image/jpeg', 'image/png', 'image/bmp', 'image/webp'] } },
    most: {
      first_frame: 1,
      last_frame: 1,
      reference_image: 10,
      reference_video: 5,
      reference_audio: 5,
      document: 1,
      web_page: 1,
    },
  },
  conflict(video) {
    const has = (role: VideoInput['role']) => addressOf(video, role) !== undefined;
    const framed = FRAMES.some(has);
    const other = video.inputs.find(({ role }) => !FRAMES.includes(role));
    if (framed && other !== undefined) return lack(message('takes_no_frames_with_references'), other.role);
    if (isLastFrameAlone(video)) return lack(message('takes_no_lone_last_frame'), 'last_frame');
    if (has('document') && has('web_page')) return lack(message('takes_no_document_with_page'), 'web_page');
    const read = has('document') || has('web_page');
    return read && video.rewritePrompt === false
      ? lack(message('takes_no_reading_without_rewriting'), 'rewritePrompt')
      : undefined;
  },
  input: (video) => ({ ...words(video), ...(video.inputs.length === 0 ? {} : { media: mediaList(video, TYPES_3_0) }) }),
  parameters: (video) =>
    present<JsonObject>({
      resolution: wan30.ability.resolutions[video.resolution],
      ratio: video.aspectRatio ?? 'adaptive',
      ...flags(video),
      audio: video.audio,
    }),
};

export const GENERATIONS: readonly Generation[] = [wan26, wan27, wan30];

/** True where the video begins from an image or another video, and so is the image model's. */
export function beginsFromMedia({ inputs }: VideoRequest): boolean {
  return inputs.some(({ role }) => FRAMES.includes(role) || role === 'continued_video');
}

const TYPES_2_7: Partial<Record<VideoInput['role'], string>> = {
  first_frame: 'first_frame',
  last_frame: 'last_frame',
  continued_video: 'first_clip',
  sound: 'driving_audio',
};

const TYPES_3_0: Partial<Record<VideoInput['role'], string>> = {
  first_frame: 'first_frame',
  last_frame: 'last_frame',
  reference_image: 'reference_image',
  reference_video: 'reference_video',
  reference_audio: 'reference_audio',
  document: 'file',
  web_page: 'link',
};

function words({ prompt, negativePrompt }: VideoRequest): JsonObject {
  return present<JsonObject>({ prompt, negative_prompt: negativePrompt });
}

function address(field: string, video: VideoRequest, role: VideoInput['role']): JsonObject {
  return present<JsonObject>({ [field]: addressOf(video, role) });
}

function mediaList({ inputs }: VideoRequest, types: Partial<Record<VideoInput['role'], string>>): JsonObject[] {
  return inputs.flatMap(({ role, url }) => {
    const type = types[role];
    return type === undefined ? [] : [{ type, url }];
  });
}

/** Parameters that have the same name in all generations. */
function flags({ seconds, watermark, seed, rewritePrompt }: VideoRequest): JsonObject {
  return present<JsonObject>({
    duration: seconds === 'auto' ? -1 : seconds,
    prompt_extend: rewritePrompt,
    watermark: watermark ?? false,
    seed,
  });
}
