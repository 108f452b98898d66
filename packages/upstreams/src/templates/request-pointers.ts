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

type AnyField = keyof ImageRequest | keyof VideoRequest | (typeof OF_MUSIC)[number] | 'particulars' | 'files' | 'body';

/** The fields of a request as templates point into it (`viewRequest`), each with the rest that its pointer may have. */
const FOLLOWING: Readonly<Record<AnyField, RegExp>> = {
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
  negativePrompt: WHOLE,
  resolution: WHOLE,
  seconds: WHOLE,
  audio: WHOLE,
  seed: WHOLE,
  rewritePrompt: WHOLE,
  rewriteFast: WHOLE,
  inputs: new RegExp(`^/(?:${ROLE})(?:/\\d+)?$`),
  particulars: new RegExp(`^/(?:${ROLE})(?:/\\d+(?:/[A-Za-z]+)?)?$`),
  subjects: ITEMS,
  elements: ITEMS,
  shots: ITEMS,
  ...(Object.fromEntries(OF_MUSIC.map((field) => [field, WHOLE])) as Record<(typeof OF_MUSIC)[number], RegExp>),
  files: /^\/(?:image|mask)(?:\/\d+)?$/,
  /** For a model that the configuration describes: the fields of its own schema. */
  body: /^\/.+$/,
};

/** Whether any request can have a value there. */
export function isRequestPointer(pointer: string): boolean {
  const [field = ''] = segmentsOf(pointer);
  if (!Object.hasOwn(FOLLOWING, field)) return false;
  return FOLLOWING[field as keyof typeof FOLLOWING].test(pointer.slice(field.length + 1));
}
