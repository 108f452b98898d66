import type { AnyOf } from '../vendor-call/shape';

const text = (maxLength: number) => ({ type: 'string', maxLength }) as const;
const named = { type: 'string', minLength: 1 } as const;
const flag = { type: 'boolean' } as const;
const weight = { type: 'number', minimum: 0, maximum: 1 } as const;
const seconds = { type: 'number', minimum: 0 } as const;
const link = { type: 'string', pattern: '^https?://' } as const;

const models = [
  'chirp-v5-5',
  'chirp-v5',
  'chirp-v4-5+',
  'chirp-v4-5',
  'chirp-v4-5-all',
  'chirp-v4',
  'chirp-v3-5',
  'chirp-v3-0',
];
/** The vendor's list has no E, and a B#. */
const keys = ['C', 'C#', 'D', 'D#', 'F', 'F#', 'G', 'G#', 'A', 'A#', 'B', 'B#'].flatMap((key) => [key, `${key}m`]);

/** On every path that starts a job. */
export const delivery = { isStorage: flag, hookUrl: link } as const;

/** Fields by which a track is asked for. */
export const musicFields = {
  mv: { enum: models },
  custom: flag,
  instrumental: flag,
  gpt_description_prompt: text(500),
  prompt: text(5_000),
  title: text(80),
  tags: text(1_000),
  negative_tags: text(1_000),
  style_weight: weight,
  weirdness_constraint: weight,
  audio_weight: weight,
  auto_lyrics: flag,
  vocal_gender: { enum: ['Male', 'Female'] },
  persona_id: named,
} as const;

export const trackLength = { duration: { type: 'integer', minimum: 10, maximum: 360 } } as const;
export const source = { music_id: named } as const;
export const continueAt = { continue_at: { type: 'number', exclusiveMinimum: 0 } } as const;
export const upload = { audio_url: link } as const;
export const uploadMode = { is_async: flag } as const;
/** The documentation shows what these mean, not how they are spelt: both spellings are taken. */
export const sampleStretch = {
  start_s: seconds,
  end_s: seconds,
  sample_start_s: seconds,
  sample_end_s: seconds,
} as const;
export const infillStretch = {
  start_s: seconds,
  end_s: seconds,
  infill_start_s: seconds,
  infill_end_s: seconds,
} as const;
export const cropStretch = { crop_start_s: seconds, crop_end_s: seconds } as const;
export const infill = { infill_lyrics: text(5_000) } as const;
export const fade = { fade_time_s: { type: 'number', exclusiveMinimum: 0 }, title: text(80) } as const;
export const speed = {
  speed_multiplier: { type: 'number', minimum: 0.25, maximum: 4 },
  keep_pitch: flag,
  title: text(80),
} as const;
export const remaster = {
  mv: { enum: ['chirp-v5-5', 'chirp-v5', 'chirp-v4-5+'] },
  variation_category: { enum: ['subtle', 'normal', 'high'] },
} as const;
export const sound = {
  sound: { type: 'string', minLength: 1, maxLength: 3_000 },
  mv: { enum: ['chirp-v5', 'chirp-v5-5'] },
  type: { enum: ['one-shot', 'loop'] },
  bpm: { type: 'integer', minimum: 1, maximum: 300 },
  key: { enum: keys },
} as const;
export const lyrics = {
  prompt: { type: 'string', minLength: 1, maxLength: 3_000 },
  lyrics_model: { enum: ['classic', 'remi'] },
} as const;

/** The vendor has some sixty names; those at the end are not in what is known of its list, and let pass because of that. */
const stemTypes = [
  'lead_vocal',
  'backing_vocals',
  'drum_kit',
  'percussion',
  'bass',
  'piano',
  'keyboard',
  'organ',
  'electric_guitar',
  'acoustic_guitar',
  'string_section',
  'violin',
  'cello',
  'brass_section',
  'trumpet',
  'saxophone',
  'woodwinds',
  'flute',
  'synth',
  'synth_pad',
  'synth_lead',
  'sound_effects',
  'fx',
  'vocals',
  'drums',
  'guitar',
  'strings',
  'brass',
];
export const stem = { stem_type: { enum: stemTypes } } as const;

/** Every field of every path: the path declares which of them it accepts. */
export type SunoRequest = AnyOf<
  | typeof delivery
  | typeof musicFields
  | typeof trackLength
  | typeof source
  | typeof continueAt
  | typeof upload
  | typeof uploadMode
  | typeof sampleStretch
  | typeof infillStretch
  | typeof cropStretch
  | typeof infill
  | typeof fade
  | typeof speed
  | typeof remaster
  | typeof sound
  | typeof lyrics
  | typeof stem
>;
