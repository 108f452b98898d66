/** Every field of every path: the path declares which of them it accepts. */
export interface SunoapiRequest {
  prompt?: string;
  customMode?: boolean;
  defaultParamFlag?: boolean;
  instrumental?: boolean;
  model?: Model;
  style?: string;
  tags?: string;
  title?: string;
  negativeTags?: string;
  fullLyrics?: string;
  vocalGender?: 'm' | 'f';
  duration?: number;
  audioId?: string;
  taskId?: string;
  continueAt?: number;
  uploadUrl?: string;
  infillStartS?: number;
  infillEndS?: number;
  soundLoop?: boolean;
  soundTempo?: number;
  soundKey?: string;
  type?: 'separate_vocal' | 'split_stem';
  callBackUrl?: string;
}

const models = ['V4', 'V4_5', 'V4_5PLUS', 'V4_5ALL', 'V5', 'V5_5'] as const;
export type Model = (typeof models)[number];

const text = { type: 'string' };
const named = { type: 'string', minLength: 1 };
const flag = { type: 'boolean' };
const weight = { type: 'number', minimum: 0, maximum: 1 };
const seconds = { type: 'number', minimum: 0 };
const link = { type: 'string', pattern: '^https?://' };
const tonics = ['C', 'C#', 'D', 'D#', 'E', 'F', 'F#', 'G', 'G#', 'A', 'A#', 'B'];

/** Where the vendor announces the end: it insists on it on nearly every path. */
export const callback = { callBackUrl: link };

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
};

export const customMode = { customMode: flag };
export const ownParameters = { defaultParamFlag: flag, continueAt: { type: 'number', exclusiveMinimum: 0 } };
export const trackLength = { duration: { type: 'integer', minimum: 10, maximum: 360 } };
export const audio = { audioId: named };
export const track = { taskId: named, audioId: named };
export const upload = { uploadUrl: link };
export const section = {
  prompt: named,
  tags: named,
  title: named,
  negativeTags: text,
  fullLyrics: named,
  infillStartS: seconds,
  infillEndS: seconds,
};
export const sound = {
  prompt: named,
  model: { enum: ['V5', 'V5_5'] },
  soundLoop: flag,
  soundTempo: { type: 'integer', minimum: 1, maximum: 300 },
  soundKey: { enum: ['Any', ...tonics, ...tonics.map((tonic) => `${tonic}m`)] },
  grabLyrics: flag,
};
export const lyrics = { prompt: named };
export const separation = { type: { enum: ['separate_vocal', 'split_stem'] } };
