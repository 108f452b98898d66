import { given } from '../given';
import { MUSIC_VERSIONS } from './operation';

/** Schema of fields that music operations have in common. Times in seconds. */

export function text<const Max extends number>(maxLength: Max, description: string) {
  return { type: 'string', maxLength, description } as const;
}

export function version<const Default extends (typeof MUSIC_VERSIONS)[number]>(fallback: Default) {
  return { type: 'string', enum: MUSIC_VERSIONS, default: fallback } as const;
}

export const title = text(80, 'Title of the track.');
export const tags = text(1000, 'Style, separated by commas.');

/** The track that an operation works on. */
export const sourceTrack = {
  task_id: { type: 'string', maxLength: 64, description: 'The music task that made the track.' },
  audio_index: {
    type: 'integer',
    minimum: 1,
    default: 1,
    description: 'Which track of its result, counted from 1.',
  },
} as const;

/** Part of the track. */
export const range = {
  start_s: { type: 'number', minimum: 0, description: 'Seconds from the beginning of the track.' },
  end_s: { type: 'number', exclusiveMinimum: 0, description: 'After start_s, within the track.' },
} as const;

const weight = (description: string) => ({ type: 'number', minimum: 0, maximum: 1, description }) as const;

const FORMATS = ['mp3', 'm4a', 'wav'] as const;

export const audioFormat = { type: 'string', enum: FORMATS, default: 'mp3' } as const;

/** Operations that edit a track without making any of it anew can also give it another format. */
export const edited = {
  audio_format: { type: 'string', enum: FORMATS, description: 'Default: that of the track.' },
} as const;

/** The same in the words of the request. */
export function editedRequest({ audio_format: audioFormat }: { audio_format?: (typeof FORMATS)[number] }) {
  return given({ audioFormat });
}

/** Either the caller writes the track (`custom`), or `gpt_description` says what it should be. */
export const songwriting = {
  custom: { type: 'boolean', description: 'Default: whether there are fields of that mode.' },
  prompt: text(5000, 'Lyrics; with custom.'),
  title,
  tags,
  negative_tags: text(1000, 'Styles to keep away from; with custom.'),
  auto_lyrics: { type: 'boolean', description: 'Write the lyrics from the prompt; with custom.' },
  style_weight: weight('How closely to keep to the tags; with custom.'),
  weirdness_constraint: weight('How far to leave the usual; with custom.'),
  audio_weight: weight('How closely to keep to the track; with custom.'),
  gpt_description: text(3000, 'What the track should be; required without custom.'),
  vocal_gender: { type: 'string', enum: ['m', 'f', 'male', 'female'], description: 'Read in both modes.' },
} as const;

export const instrumental = { type: 'boolean', default: false, description: 'Without singing.' } as const;
