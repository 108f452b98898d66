import type { ImageRequest, VideoInput, VideoRequest } from '@mediagate/contracts';
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

/** The fields of a request as templates point into it (`viewRequest`), each with the rest that its pointer may have. */
const FOLLOWING: Readonly<Record<keyof ImageRequest | keyof VideoRequest | 'particulars' | 'files' | 'body', RegExp>> =
  {
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
