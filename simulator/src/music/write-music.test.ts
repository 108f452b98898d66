import { voiceOf, writeMusic } from './write-music';

const wish = { motif: 'harbour', voice: 'none', seconds: 12, variation: 1 } as const;

describe('a track', () => {
  it.each([
    ['slow folk, 72 bpm', { bpm: 72 }],
    ['128BPM house', { bpm: 128 }],
    ['ballad in A minor', { key: { tonic: 9, mode: 'minor' } }],
    ['F# major', { key: { tonic: 6, mode: 'major' } }],
    ['waltz in Bbm', { key: { tonic: 10, mode: 'minor' } }],
    ['a sad song', { key: { tonic: expect.any(Number), mode: 'minor' } }],
  ])('heeds "%s"', (style, expected) => {
    expect(writeMusic({ ...wish, style })).toMatchObject(expected);
  });

  it.each(['A song about 1000 bpm', 'in Anger', 'Gm7 chords', ''])('finds nothing in "%s" and chooses', (style) => {
    const { bpm, key } = writeMusic({ ...wish, style });
    expect(bpm).toBeGreaterThanOrEqual(84);
    expect(bpm).toBeLessThanOrEqual(136);
    expect(key.mode).toBe('major');
  });

  it('is the same for the same wish, and another for another motif', () => {
    const chosen = (motif: string) => writeMusic({ ...wish, motif, style: 'pop' });
    expect(chosen('harbour')).toEqual(chosen('harbour'));
    const differing = ['rain', 'iron', 'glass', 'moss'].map((motif) => JSON.stringify(chosen(motif).key));
    expect(new Set(differing).size).toBeGreaterThan(1);
  });
});

describe('a voice', () => {
  it.each([
    [true, 'Female', 'none'],
    [false, 'Female', 'female'],
    [false, 'f', 'female'],
    [false, 'Male', 'male'],
    [false, 'm', 'male'],
  ])('instrumental %s, %s: %s', (instrumental, gender, voice) => {
    expect(voiceOf({ instrumental, gender, motif: 'x' })).toBe(voice);
  });
});
