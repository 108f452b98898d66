import type { AnyOf } from '../vendor-call/shape';

const models = ['V4', 'V4_5', 'V4_5PLUS', 'V4_5ALL', 'V5', 'V5_5'] as const;
export type Model = (typeof models)[number];

const text = { type: 'string' } as const;
const named = { type: 'string', minLength: 1 } as const;
const flag = { type: 'boolean' } as const;
const weight = { type: 'number', minimum: 0, maximum: 1 } as const;
const seconds = { type: 'number', minimum: 0 } as const;
const link = { type: 'string', pattern: '^https?://' } as const;
const tonics = ['C', 'C#', 'D', 'D#', 'E', 'F', 'F#', 'G', 'G#', 'A', 'A#', 'B'];

/** Where the vendor announces the end: it insists on it on nearly every path. */
export const callback = { callBackUrl: link } as const;

/** Fields by which a track is asked for. */
export const musicFields = {
  prompt: text,
  instrumental: flag,
  model: { enum: [...models] },
  style: text,
  title: text,
  negativeTags: { type: 'string', maxLength: 1_000 },
  vocalGender: { enum: ['m', 'f'] },
  styleWeight: weight,
  weirdnessConstraint: weight,
  audioWeight: weight,
  personaId: named,
  personaModel: { enum: ['style_persona', 'voice_persona'] },
} as const;

export const customMode = { customMode: flag } as const;
export const ownParameters = { defaultParamFlag: flag, continueAt: { type: 'number', exclusiveMinimum: 0 } } as const;
export const trackLength = { duration: { type: 'integer', minimum: 10, maximum: 360 } } as const;
export const audio = { audioId: named } as const;
export const track = { taskId: named, audioId: named } as const;
export const upload = { uploadUrl: link } as const;
export const section = {
  prompt: named,
  tags: named,
  title: named,
  negativeTags: text,
  fullLyrics: named,
  infillStartS: seconds,
  infillEndS: seconds,
} as const;
export const sound = {
  prompt: named,
  model: { enum: ['V5', 'V5_5'] },
  soundLoop: flag,
  soundTempo: { type: 'integer', minimum: 1, maximum: 300 },
  soundKey: { enum: ['Any', ...tonics, ...tonics.map((tonic) => `${tonic}m`)] },
  grabLyrics: flag,
} as const;
export const lyrics = { prompt: named } as const;
export const separation = { type: { enum: ['separate_vocal', 'split_stem'] } } as const;

/** Every field of every path: the path declares which of them it accepts. */
export type SunoapiRequest = AnyOf<
  | typeof callback
  | typeof musicFields
  | typeof customMode
  | typeof ownParameters
  | typeof trackLength
  | typeof audio
  | typeof track
  | typeof upload
  | typeof section
  | typeof sound
  | typeof lyrics
  | typeof separation
>;
