import { message } from '@mediagate/contracts';
import { doneWithAlignment, doneWithFacts, notes } from './music-result';

describe('what is no file', () => {
  it('is at most 512 KiB, because every poll carries it', () => {
    const words = (count: number) => Array.from({ length: count }, () => ({ word: 'la', s: 1, e: 2 }));
    const names = { start: 's', end: 'e' };
    expect(doneWithAlignment(words(1000), names)).toMatchObject({ kind: 'done' });
    expect(doneWithAlignment(words(20_000), names)).toMatchObject({
      kind: 'refused',
      fault: { code: 'generation_failed', message: message('result_too_large', { limit: 512 }) },
    });
    expect(doneWithFacts({ bpm: 97.5 })).toEqual({ kind: 'done', outputs: [], facts: { bpm: 97.5 }, usage: {} });
  });

  it('as notes has figures to a thousandth, texts that can be stored, and an end to its depth', () => {
    const note = { pitch: 60, start: 12.345_678_9, velocity: 0.787_401_57, tied: true, key: null };
    expect(notes([{ name: 'Pi\ud83dano\0', notes: [note] }])).toEqual([
      { name: 'Piano', notes: [{ pitch: 60, start: 12.346, velocity: 0.787, tied: true, key: null }] },
    ]);
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(JSON.stringify(notes(deep))).toBe('[[[[[[[[null]]]]]]]]');
  });
});
