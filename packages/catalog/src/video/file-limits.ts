import type { MediaReference } from '@mediagate/contracts';

/** The limits of a file in one role of one model. */
export type FileLimits = Pick<MediaReference, 'role' | 'contentTypes' | 'maxBytes' | 'limits' | 'inspectOnly'>;

export const MEBIBYTE = 1_048_576;

const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/bmp', 'image/webp'] as const;
export const VIDEO_TYPES = ['video/mp4', 'video/quicktime'] as const;
export const AUDIO_TYPES = ['audio/wav', 'audio/mpeg'] as const;

/** docx, doc, xlsx, xls, pptx, ppt, pdf, txt, key, pages, numbers, md. */
export const DOCUMENT_TYPES = [
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/msword',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.ms-excel',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.ms-powerpoint',
  'application/pdf',
  'text/plain',
  'application/vnd.apple.keynote',
  'application/vnd.apple.pages',
  'application/vnd.apple.numbers',
  'text/markdown',
] as const;

/** Images that family A works from. */
export const FRAME_IMAGE: FileLimits = {
  role: 'image',
  contentTypes: IMAGE_TYPES,
  maxBytes: 20 * MEBIBYTE,
  limits: { minSide: 240, maxSide: 8000, maxAspect: 8 },
};

/** Clips that family A works from; how long they may be differs. */
export function clip(seconds: { minSeconds: number; maxSeconds: number }): FileLimits {
  return {
    role: 'video',
    contentTypes: VIDEO_TYPES,
    maxBytes: 100 * MEBIBYTE,
    limits: { minSide: 240, maxSide: 4096, maxAspect: 8, ...seconds },
  };
}

export function sound(seconds: { minSeconds?: number; maxSeconds: number }): FileLimits {
  return { role: 'audio', contentTypes: AUDIO_TYPES, maxBytes: 15 * MEBIBYTE, limits: seconds };
}
