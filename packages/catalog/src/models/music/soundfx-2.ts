import { defineModel } from '../../define-model';
import { fieldsOf } from '../../fields-of';
import { given } from '../../given';
import { pricedByKey } from '../../key-pricing';
import { audioFormat, text } from '../../music/fields';

const MODEL = 'soundfx-2';

export default defineModel({
  id: MODEL,
  family: 'music',
  operation: 'music.sound-effects',
  route: { paths: ['/v1/audio/sound-effects'], summary: 'Make a sound effect by its description' },
  version: 1,
  input: fieldsOf(['prompt'], {
    prompt: text(450, 'What the sound is of.'),
    duration: {
      type: 'number',
      minimum: 0.5,
      maximum: 30,
      description: 'Seconds wanted. Absent: as long as suits the sound.',
    },
    loop: { type: 'boolean', default: false, description: 'Whether its end leads into its beginning.' },
    audio_format: audioFormat,
  }),
  ...pricedByKey({
    known: [MODEL],
    keys: (_input: object) => [MODEL],
    // The vendor's list of June 2026.
    prices: { [MODEL]: 0.12 },
  }),
  media: () => [],
  request: (input) => ({
    operation: 'sounds',
    prompt: input.prompt,
    soundType: input.loop ? 'loop' : 'one-shot',
    audioFormat: input.audio_format,
    ...given({ seconds: input.duration }),
  }),
  deadlineMinutes: 15,
  resultLifetimeHours: 24,
  examples: [
    { prompt: 'A heavy wooden door creaks and falls shut' },
    { prompt: 'Rain on a tin roof', duration: 8, loop: true, audio_format: 'wav' },
  ],
});
