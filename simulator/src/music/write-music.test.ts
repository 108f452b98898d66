import { namedKey, voiceOf, writeMusic } from './write-music';

const wish = { motif: 'harbour', voice: 'none', seconds: 12, variation: 1 } as const;

it.each([
  ['slow folk, 72 bpm', 72],
  ['128BPM house', 128],
])('a track heeds the tempo of "%s"', (style, bpm) => {
  expect(writeMusic({ ...wish, style }).bpm).toBe(bpm);
});

it.each(['A song about 1000 bpm', ''])('a track finds no tempo in "%s" and chooses', (style) => {
  const { bpm } = writeMusic({ ...wish, style });
  expect(bpm).toBeGreaterThanOrEqual(84);
  expect(bpm).toBeLessThanOrEqual(136);
});

it('a key is a letter, a sign where there is one, and its mode', () => {
  expect(['C', 'F#m', 'Bb', 'B#', 'H', 'E#', 'Any'].map(namedKey)).toEqual(['C', 'F#m', 'Bb', 'B#', ...Array(3)]);
});

it.each([
  [true, 'Female', 'none'],
  [false, 'f', 'female'],
  [false, 'Male', 'male'],
])('instrumental %s, %s: %s', (instrumental, gender, voice) => {
  expect(voiceOf({ instrumental, gender, motif: 'x' })).toBe(voice);
});
