import { compose, notesOf } from './compose';
import { parseKey, pitchOf } from './key';
import { crop, join, type Music, musicOf, secondsOf, withoutStretch, withStretch } from './recording';

const music: Music = {
  kind: 'music',
  motif: 'harbour lights',
  variation: 1,
  bpm: 120,
  key: { tonic: 9, mode: 'minor' },
  voice: 'female',
  from: 0,
  seconds: 16,
};

describe('keys', () => {
  it.each([
    ['C', 0, 'major'],
    ['F#m', 6, 'minor'],
    ['Bb', 10, 'major'],
    ['B#m', 0, 'minor'],
  ])('%s', (text, tonic, mode) => {
    expect(parseKey(text)).toEqual({ tonic, mode });
  });

  it.each(['', 'H', 'Am7', 'c'])('"%s" is none', (text) => {
    expect(parseKey(text)).toBeUndefined();
  });

  it('count their scale over octaves', () => {
    const aMinor = { tonic: 9, mode: 'minor' } as const;
    expect([-7, 0, 2, 7].map((step) => pitchOf(aMinor, step, 4))).toEqual([57, 69, 72, 81]);
  });
});

describe('a composition', () => {
  it('stays in the key of the track', () => {
    const tones = notesOf(music).filter(({ part }) => part !== 'drums' && part !== 'percussion');
    const scale = [0, 2, 3, 5, 7, 8, 10].map((step) => (9 + step) % 12);
    expect(new Set(tones.map(({ pitch }) => pitch % 12))).toEqual(
      new Set(scale.filter((tone) => tones.some(({ pitch }) => pitch % 12 === tone))),
    );
    expect(tones.length).toBeGreaterThan(50);
  });

  it('beats in the tempo of the track', () => {
    const snares = notesOf(music).filter(({ part, pitch }) => part === 'drums' && pitch === 38);
    expect(snares.map(({ start }) => start)).toEqual(Array.from({ length: 16 }, (_, beat) => 0.5 + beat));
  });

  it('comes again after two progressions, and differs in a variation', () => {
    const bars = (one: Music) => [compose(one)(0), compose(one)(4)].map((notes) => notes.map(({ pitch }) => pitch));
    const [first, fifth] = bars(music);
    expect(first).toEqual(fifth);
    expect(bars({ ...music, variation: 2 })[0]).not.toEqual(first);
  });

  it('of an instrumental has no backing voices', () => {
    expect(notesOf({ ...music, voice: 'none' }).some(({ part }) => part === 'backing')).toBe(false);
  });
});

describe('notes of what is made of a track', () => {
  const starts = (recording: Parameters<typeof notesOf>[0]) =>
    notesOf({ kind: 'parts', of: recording, parts: ['bass'] }).map(({ start }) => start);

  it('are those of the stretch that is heard, at the time at which they are heard', () => {
    expect(starts(crop(music, 1, 3))).toEqual([0, 0.5, 1, 1.5]);
    expect(starts(withoutStretch(music, { start: 1, end: 15 }))).toEqual([0, 0.5, 1, 1.5]);
    expect(starts({ kind: 'speed', of: crop(music, 0, 2), factor: 2, keepPitch: true })).toEqual([0, 0.25, 0.5, 0.75]);
    expect(starts({ ...music, from: 4, seconds: 1 })).toEqual([0, 0.5]);
    const replaced = withStretch(music, { start: 2, end: 4, replacement: { ...music, motif: 'rain', seconds: 2 } });
    expect(secondsOf(replaced)).toBe(16);
  });

  it('are an octave higher at double speed without keeping the pitch', () => {
    const bass = (recording: Parameters<typeof notesOf>[0]) =>
      notesOf({ kind: 'parts', of: recording, parts: ['bass'] })[0]?.pitch ?? 0;
    expect(bass({ kind: 'speed', of: music, factor: 2, keepPitch: false })).toBe(bass(music) + 12);
  });

  it('tell the tempo that is heard, and where in the track it begins', () => {
    const fast = { kind: 'speed', of: join([crop(music, 3, 6)]), factor: 1.5, keepPitch: true } as const;
    expect(musicOf(fast)).toMatchObject({ bpm: 180, from: 2 });
  });
});
