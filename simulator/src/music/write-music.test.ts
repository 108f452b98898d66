import { writeMusic } from './write-music';

const wish = { motif: 'harbour', voice: undefined, seconds: 12, variation: 1 };

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
