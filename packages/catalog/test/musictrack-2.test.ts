import { modelUnderTest } from './model-under-test';

const track = modelUnderTest('musictrack-2', { prompt: 'A slow waltz' });
const sound = modelUnderTest('soundfx-2', { prompt: 'A foghorn' });

it('a track is named on the path of another model, and is a task of music', () => {
  expect(track.entry).toMatchObject({ family: 'music', kind: 'music', operation: 'music.create' });
  expect(track.entry.schema).toMatchObject({ required: ['model', 'prompt'] });
  expect(track.requested({ duration: 60, instrumental: true })).toMatchObject({
    description: 'A slow waltz',
    seconds: 60,
    instrumental: true,
    audioFormat: 'mp3',
  });
});

it('a track is 3 to 600 whole seconds long, or as long as the model decides', () => {
  for (const duration of [3, 600]) expect(track.requested({ duration })).toMatchObject({ seconds: duration });
  for (const duration of [2, 601, 4.5]) expect(track.refused({ duration }).param).toBe('duration');
  expect(track.requested()).not.toHaveProperty('seconds');
});

it('a track is reserved at the length wanted and settled on what was made, never above', () => {
  expect(track.reserved({ duration: 60 })).toBe(300_000_000n);
  expect(track.settled({ duration: 60 }, { seconds: 41 })).toBe(205_000_000n);
  expect(track.settled({ duration: 60 }, { seconds: 62 })).toBe(300_000_000n);
  expect(track.reserved()).toBe(3_000_000_000n);
  expect(track.settled({}, { seconds: 90 })).toBe(450_000_000n);
  expect(track.settled({}, {})).toBe(3_000_000_000n);
});

it('a track refuses lyrics and what else shapes those of another model, naming the field: none is paid for without it', () => {
  const fields = {
    lyrics: 'Ahoy',
    custom: true,
    gpt_description: 'A shanty',
    tags: 'folk',
    title: 'Ahoy',
    version: 'v5',
  };
  for (const [field, value] of Object.entries(fields)) {
    expect(track.refused({ [field]: value })).toMatchObject({ param: field, reason: 'unsupported_parameter' });
  }
});

it('a sound has a route of its own, is up to 30 seconds long, and costs the same however long it is', () => {
  expect(sound.entry.route?.paths).toEqual(['/v1/audio/sound-effects']);
  expect(sound.entry.schema).toMatchObject({ required: ['prompt'], properties: { model: { default: 'soundfx-2' } } });
  expect(sound.requested({ duration: 0.5, loop: true })).toMatchObject({ seconds: 0.5, soundType: 'loop' });
  for (const duration of [0.4, 31]) expect(sound.refused({ duration }).param).toBe('duration');
  for (const duration of [0.5, 30]) expect(sound.reserved({ duration })).toBe(120_000_000n);
  expect(sound.settled({}, { seconds: 4 })).toBe(120_000_000n);
});
