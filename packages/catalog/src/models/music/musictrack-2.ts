import { type Nano, proRata, type Usage } from '@mediagate/contracts';
import { defineModel } from '../../define-model';
import { fieldsOf } from '../../fields-of';
import { given } from '../../given';
import { audioFormat, instrumental, songwriting, text } from '../../music/fields';

/** Seconds. */
const LENGTH = { min: 3, max: 600 } as const;

interface Priced {
  duration?: number;
}

interface SecondRate {
  per_second: Nano;
}

/** Lyrics, and what else shapes a track of `musicgen`: another would be made, and paid for, without them. */
const OF_SONGWRITING = [...Object.keys(songwriting).filter((field) => field !== 'prompt'), 'lyrics', 'version'];

function price({ duration = LENGTH.max }: Priced, rates: SecondRate, made = duration): Nano {
  return proRata(Math.min(made, duration), rates.per_second, 1n);
}

export default defineModel({
  id: 'musictrack-2',
  family: 'music',
  operation: 'music.create',
  version: 1,
  unsupportedParameters: OF_SONGWRITING,
  input: fieldsOf(['prompt'], {
    prompt: text(4000, 'What the track should be: style, instruments, mood, and what is sung.'),
    duration: {
      type: 'integer',
      minimum: LENGTH.min,
      maximum: LENGTH.max,
      description: 'Seconds wanted. Absent: the model decides, and 600 are reserved; what is made is charged.',
    },
    instrumental,
    audio_format: audioFormat,
  }),
  // The vendor's list of June 2026: 0.30 a minute.
  prices: { per_second: 0.005 },
  reserve: (input, rates) => price(input, rates),
  settle: (input, { seconds }: Usage, rates) => price(input, rates, seconds),
  media: () => [],
  request: (input) => ({
    operation: 'create',
    custom: false,
    description: input.prompt,
    instrumental: input.instrumental,
    audioFormat: input.audio_format,
    ...given({ seconds: input.duration }),
  }),
  deadlineMinutes: 30,
  resultLifetimeHours: 24,
  examples: [
    { prompt: 'A slow waltz for accordion and double bass, the harbour at night', duration: 12, instrumental: true },
    { prompt: 'A sea shanty sung by a choir of fishermen, with claps', audio_format: 'm4a' },
  ],
});
