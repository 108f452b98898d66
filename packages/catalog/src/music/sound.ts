const MEBIBYTE = 1_048_576;

/** The image of a track. */
export const COVER_LIMITS = {
  contentTypes: ['image/jpeg', 'image/png', 'image/webp'],
  maxBytes: 20 * MEBIBYTE,
} as const;

/** Sound that is taken as a track. */
export const SOUND_LIMITS = {
  contentTypes: ['audio/mpeg', 'audio/wav', 'audio/mp4', 'audio/ogg', 'audio/flac'],
  maxBytes: 100 * MEBIBYTE,
} as const;
