import { fullLyrics } from './full-lyrics';

const track = { lyrics: '[Verse]\none\ntwo\n\n[Chorus]\nthree\nfour', seconds: 40 };

it.each([
  ['the lines of the part change, headings and all others stay', 10, 30, '[Verse]\none\nnew\n\n[Chorus]\nfour'],
  ['a part within one line changes that line', 31, 38, '[Verse]\none\ntwo\n\n[Chorus]\nthree\nnew'],
  ['a part up to the end changes the last line', 40, 40, '[Verse]\none\ntwo\n\n[Chorus]\nthree\nnew'],
  ['a part of all changes all', 0, 40, '[Verse]\nnew\n\n[Chorus]'],
])('%s', (_, start, end, expected) => {
  expect(fullLyrics(track, { start, end, words: 'new' })).toBe(expected);
});

it('without new words the track keeps its lyrics', () => {
  expect(fullLyrics(track, { start: 10, end: 20, words: undefined })).toBe(track.lyrics);
});

it('a track without lyrics gets those of its part', () => {
  expect(fullLyrics({ seconds: 40 }, { start: 10, end: 20, words: 'new' })).toBe('new');
});

it('new words follow on lyrics that have headings only', () => {
  expect(fullLyrics({ lyrics: '[Intro]', seconds: 40 }, { start: 10, end: 20, words: 'new' })).toBe('[Intro]\nnew');
});
