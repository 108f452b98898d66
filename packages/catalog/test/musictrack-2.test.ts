import { modelUnderTest } from './model-under-test';

const track = modelUnderTest('musictrack-2', { prompt: 'A slow waltz' });
const sound = modelUnderTest('soundfx-2', { prompt: 'A foghorn' });

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

it('a sound costs the same however long it is', () => {
  for (const duration of [0.5, 30]) expect(sound.reserved({ duration })).toBe(120_000_000n);
  expect(sound.settled({}, { seconds: 4 })).toBe(120_000_000n);
});
