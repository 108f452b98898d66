import { partsIn, transcribe } from './notes';
import { crop, join, type Music, parts, type Recording } from './recording';
import { renderRecording } from './render';

const music: Music = {
  kind: 'music',
  motif: 'harbour lights',
  variation: 1,
  bpm: 120,
  key: 'Am',
  voice: 'female',
  from: 0,
  seconds: 4,
};
const samplesOf = (recording: Recording) =>
  renderRecording(recording, { parts, tempo: 1, readClip: async () => new Float32Array(44_100).fill(0.5) });

function greatestDifference(one: Float32Array, other: Float32Array): number {
  expect(one.length).toBe(other.length);
  return one.reduce((most, sample, at) => Math.max(most, Math.abs(sample - (other[at] ?? 0))), 0);
}

it.each<[string, Recording]>([
  ['a song', music],
  ['somebody’s own sound', { kind: 'clip', key: 'x', seconds: 1 }],
  ['a cut, faded and faster song', { kind: 'speed', of: crop(music, 1, 3), factor: 1.25, keepPitch: true }],
])('the stems of %s add up to it, and none of them is it', async (_what, recording) => {
  const mix = await samplesOf(recording);
  const stems = await Promise.all(parts.map((part) => samplesOf({ kind: 'parts', of: recording, parts: [part] })));
  const sum = mix.map((_, at) => stems.reduce((total, stem) => total + (stem[at] ?? 0), 0));
  expect(greatestDifference(sum, mix)).toBeLessThan(1e-5);
  for (const stem of stems) expect(greatestDifference(stem, mix)).toBeGreaterThan(0.1);
});

it('a stretch sounds the same wherever it is entered', async () => {
  const whole = await samplesOf(music);
  const pieces = join([crop(music, 0, 1.5), { ...music, from: 1.5, seconds: 2.5 }]);
  expect(greatestDifference(await samplesOf(pieces), whole)).toBeLessThan(1e-5);
});

it('another variation, key or voice is another track', async () => {
  const whole = await samplesOf(music);
  for (const change of [{ variation: 2 }, { key: 'C' }, { voice: 'male' }] as const) {
    expect(greatestDifference(await samplesOf({ ...music, ...change }), whole)).toBeGreaterThan(0.1);
  }
});

it('the notes of a track are those of the stretch, a beat each, and an instrumental has no backing voices', () => {
  const notes = transcribe(crop(music, 1, 2)).filter(({ part }) => part === 'bass');
  expect(notes.map(({ start, end }) => [start, end])).toEqual([
    [0, 0.5],
    [0.5, 1],
  ]);
  expect(partsIn({ ...music, voice: 'none' })).not.toContain('backing');
});
