import type { ImageRequest, MusicRequest, VideoInput, VideoRequest } from '@mediagate/contracts';
import { segmentsOf } from './request-view';

const ROLES: Readonly<Record<VideoInput['role'], true>> = {
  first_frame: true,
  last_frame: true,
  mid_frame: true,
  continued_video: true,
  reference_image: true,
  reference_video: true,
  reference_audio: true,
  sound: true,
  document: true,
  web_page: true,
};
const ROLE = Object.keys(ROLES).join('|');

/** The value itself. */
const WHOLE = /^$/;
const ITEMS = /^(?:\/\d+(?:\/[A-Za-z]+(?:\/\d+)?)?)?$/;

/** Fields of a request for music that words alone fill: what follows on a track needs its vendor's id of it. */
const OF_MUSIC = [
  'prompt',
  'seconds',
  'operation',
  'version',
  'custom',
  'description',
  'title',
  'tags',
  'negativeTags',
  'autoLyrics',
  'styleWeight',
  'weirdness',
  'audioWeight',
  'vocalGender',
  'instrumental',
  'audioFormat',
  'soundType',
  'bpm',
  'key',
] as const satisfies readonly (keyof MusicRequest)[];

/** The rest that a pointer may have behind each field of a request. */
type Following<Field extends string> = Readonly<Record<Field, RegExp>>;

const OF_IMAGE: Following<keyof ImageRequest | 'files'> = {
  prompt: WHOLE,
  n: WHOLE,
  size: /^(?:\/(?:width|height|preset))?$/,
  aspectRatio: WHOLE,
  quality: WHOLE,
  background: WHOLE,
  outputFormat: WHOLE,
  outputCompression: WHOLE,
  moderation: WHOLE,
  watermark: WHOLE,
  files: /^\/(?:image|mask)(?:\/\d+)?$/,
};

const OF_VIDEO: Following<keyof VideoRequest | 'particulars'> = {
  prompt: WHOLE,
  negativePrompt: WHOLE,
  resolution: WHOLE,
  aspectRatio: WHOLE,
  seconds: WHOLE,
  audio: WHOLE,
  watermark: WHOLE,
  seed: WHOLE,
  rewritePrompt: WHOLE,
  rewriteFast: WHOLE,
  inputs: new RegExp(`^/(?:${ROLE})(?:/\\d+)?$`),
  particulars: new RegExp(`^/(?:${ROLE})(?:/\\d+(?:/[A-Za-z]+)?)?$`),
  subjects: ITEMS,
  elements: ITEMS,
  shots: ITEMS,
};

/** The fields of a request as templates point into it (`viewRequest`), by its task's kind; `described`: its model is the configuration's. */
const FOLLOWING: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  image: OF_IMAGE,
  video: OF_VIDEO,
  music: Object.fromEntries(OF_MUSIC.map((field) => [field, WHOLE])),
  described: { body: /^\/.+$/ },
};

/** Whether any request of these kinds can have a value there. */
export function isRequestPointer(pointer: string, kinds: readonly string[] = Object.keys(FOLLOWING)): boolean {
  const [field = ''] = segmentsOf(pointer);
  const rest = pointer.slice(field.length + 1);
  return kinds.some((kind) => {
    const fields = FOLLOWING[kind] ?? {};
    return Object.hasOwn(fields, field) && fields[field]?.test(rest);
  });
}
