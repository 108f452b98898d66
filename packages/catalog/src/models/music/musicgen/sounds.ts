import { defineModel } from '../../../define-model';
import { fieldsOf } from '../../../fields-of';
import { given } from '../../../given';
import { text, version } from '../../../music/fields';
import { musicOperation } from '../../../music/operation';

const NOTES = ['C', 'C#', 'D', 'D#', 'E', 'F', 'F#', 'G', 'G#', 'A', 'A#', 'B'] as const;
const KEYS = [...NOTES, ...NOTES.map((note) => `${note}m` as const)] as const;

export default defineModel({
  ...musicOperation('sounds', { versioned: true }),
  route: { paths: ['/v1/music/generations/sounds'], summary: 'Make a sound effect' },
  input: fieldsOf(['prompt'], {
    version: version('v5.5'),
    prompt: text(3000, 'What the sound is of; best in English.'),
    type: { type: 'string', enum: ['one-shot', 'loop'], default: 'one-shot' },
    bpm: { type: 'integer', minimum: 1, maximum: 300, description: 'Beats a minute.' },
    key: { type: 'string', enum: KEYS, description: 'Of the melody; minor keys end in m.' },
  }),
  // The letter's case does not matter; `M` would be major to some and minor to others.
  canonical: { key: (text: string) => text.trim().replace(/^[a-g]/, (note) => note.toUpperCase()) },
  media: () => [],
  request: (input) => ({
    operation: 'sounds',
    version: input.version,
    prompt: input.prompt,
    soundType: input.type,
    ...given({ bpm: input.bpm, key: input.key }),
  }),
  examples: [{ prompt: 'A foghorn, twice' }, { prompt: 'Rain on a tin roof', type: 'loop', bpm: 90, key: 'F#m' }],
});
