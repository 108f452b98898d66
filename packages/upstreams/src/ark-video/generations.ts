import { type JsonObject, message, type VideoInput, type VideoRequest } from '@mediagate/contracts';
import type { FileOutline, Lack } from '../contract';
import { present } from '../json-guards';
import { type FileLimits, lack } from '../lacks';
import { isLastFrameAlone, type VideoAbility, videoLack } from '../video-ability';

/** A generation of Seedance and the requests that it takes, whatever a channel calls its model. */
export interface Generation {
  name: string;
  ability: VideoAbility;
  takesLoneAudio?: boolean;
}

const MEBIBYTE = 1024 * 1024;
const FRAMES: readonly VideoInput['role'][] = ['first_frame', 'last_frame'];
const SHAPES = new Set(['16:9', '9:16', '1:1', '4:3', '3:4', '21:9']);
const FILES: FileLimits = {
  image: {
    contentTypes: ['image/jpeg', 'image/png', 'image/webp', 'image/bmp', 'image/gif'],
    maxBytes: 30 * MEBIBYTE,
  },
  video: { contentTypes: ['video/mp4', 'video/quicktime'], maxBytes: 50 * MEBIBYTE },
  audio: { contentTypes: ['audio/mpeg', 'audio/wav'], maxBytes: 15 * MEBIBYTE },
};
const COMMON = { aspectRatios: SHAPES, audio: 'choice', autoSeconds: true, seed: true, watermark: true } as const;

const seedance15: Generation = {
  name: '1.5',
  ability: {
    ...COMMON,
    resolutions: { '480p': '480p', '720p': '720p', '1080p': '1080p' },
    roles: new Set(FRAMES),
    seconds: [4, 12],
    files: FILES,
    most: { first_frame: 1, last_frame: 1 },
  },
};

const seedance20: Generation = {
  name: '2.0',
  ability: {
    ...seedance15.ability,
    roles: new Set([...FRAMES, 'reference_image', 'reference_video', 'reference_audio']),
    seconds: [4, 15],
    most: { first_frame: 1, last_frame: 1, reference_image: 9, reference_video: 3, reference_audio: 3 },
  },
};

/** Fast and mini are smaller alone (`README.md` beside this). */
const SMALLER: VideoAbility = { ...seedance20.ability, resolutions: { '480p': '480p', '720p': '720p' } };
const seedance20Fast: Generation = { name: '2.0-fast', ability: SMALLER };
const seedance20Mini: Generation = { name: '2.0-mini', ability: SMALLER };

/** Hears a sound without an image or a video beside it. */
const seedance25: Generation = {
  name: '2.5',
  ability: { ...seedance20.ability, seconds: [4, 30] },
  takesLoneAudio: true,
};

/** A name comes before those that it begins with. */
const GENERATIONS: readonly Generation[] = [seedance25, seedance20Fast, seedance20Mini, seedance20, seedance15];
export const GENERATION_NAMES: readonly string[] = GENERATIONS.map(({ name }) => name);

/** By the option `generation`, or by the model's name: `dreamina-seedance-2-0-fast-260128`. */
export function generationOf(model: string, named: unknown): Generation | undefined {
  if (typeof named === 'string') return GENERATIONS.find(({ name }) => name === named);
  return GENERATIONS.find(({ name }) => model.includes(`seedance-${name.replace('.', '-')}`));
}

/** The part of a request that a generation cannot be asked for; undefined: none. */
export function seedanceLack(
  video: VideoRequest,
  files: readonly FileOutline[],
  { ability, takesLoneAudio = false }: Generation,
): Lack | undefined {
  return videoLack(video, files, ability) ?? conflict(video, takesLoneAudio);
}

function conflict(video: VideoRequest, takesLoneAudio: boolean): Lack | undefined {
  const reference = video.inputs.find(({ role }) => !FRAMES.includes(role));
  const isFramed = video.inputs.some(({ role }) => FRAMES.includes(role));
  if (reference !== undefined && isFramed) return lack(message('takes_no_frames_with_references'), reference.role);
  if (isLastFrameAlone(video)) return lack(message('takes_no_lone_last_frame'), 'last_frame');
  if (takesLoneAudio) return undefined;
  const isHeardAlone = reference !== undefined && video.inputs.every(({ role }) => role === 'reference_audio');
  return isHeardAlone ? lack(message('takes_no_lone_audio'), 'reference_audio') : undefined;
}

/** `adaptive` lets the first input, or the model, decide. */
export function requestBody(
  video: VideoRequest,
  { model, callbackUrl }: { model: string; callbackUrl: string | undefined },
  { ability }: Generation,
): JsonObject {
  const { prompt, inputs, resolution, aspectRatio, seconds, seed, watermark, audio } = video;
  return present<JsonObject>({
    model,
    content: [...(prompt === undefined ? [] : [{ type: 'text', text: prompt }]), ...inputs.map(contentOf)],
    resolution: ability.resolutions[resolution],
    ratio: aspectRatio ?? 'adaptive',
    duration: seconds === 'auto' ? -1 : seconds,
    seed,
    watermark: watermark ?? false,
    generate_audio: audio,
    callback_url: callbackUrl,
  });
}

function contentOf({ role, url }: VideoInput): JsonObject {
  const type = TYPES[role] ?? 'image_url';
  return { type, [type]: { url }, role };
}

const TYPES: Partial<Record<VideoInput['role'], string>> = {
  reference_video: 'video_url',
  reference_audio: 'audio_url',
};
