import type { MusicRequest } from '@mediagate/contracts';
import { editOf } from './edit';

const SECONDS = 60;

function edit(music: Partial<MusicRequest> & Pick<MusicRequest, 'operation'>) {
  return editOf(music, SECONDS);
}

describe('speed', () => {
  it.each([0.25, 0.3, 0.5, 0.99, 1, 1.01, 2, 2.5, 4])('of %d is reached by steps that leave no sound out', (speed) => {
    const { graph = '', seconds } = edit({ operation: 'adjust_speed', speed }) ?? {};
    const steps = [...graph.matchAll(/atempo=([\d.]+)/g)].map(([, step]) => Number(step));
    expect(steps.every((step) => step >= 0.5 && step <= 2)).toBe(true);
    expect(steps.reduce((product, step) => product * step, 1)).toBeCloseTo(speed, 6);
    expect(seconds).toBeCloseTo(SECONDS / speed);
  });

  it('is not guessed when the request has none', () => {
    expect(() => edit({ operation: 'adjust_speed' })).toThrow(TypeError);
  });
});

describe('a range of a song', () => {
  it.each([
    ['crop', 10, 25, 15],
    ['crop', 50, 99, 10],
    ['remove', 10, 25, 45],
    ['remove', 0, 25, 35],
    ['remove', 25, 60, 25],
    ['remove', 25, 99, 25],
  ] as const)('%s from %d to %d leaves %d seconds', (operation, start, end, seconds) => {
    expect(edit({ operation, start, end })?.seconds).toBe(seconds);
  });

  it.each([
    ['crop', 60, 70],
    ['remove', 0, 60],
    ['remove', 0, 99],
  ] as const)('%s from %d to %d leaves nothing', (operation, start, end) => {
    expect(edit({ operation, start, end })).toBeUndefined();
  });
});

describe('fades', () => {
  it('are no longer than the song', () => {
    expect(edit({ operation: 'fade', fadeIn: 90, fadeOut: 90 })?.graph).toBe(
      '[0:a:0]afade=t=in:st=0:d=60,afade=t=out:st=0:d=60,asetpts=PTS-STARTPTS[out]',
    );
  });

  it('are at the ends that were asked for', () => {
    expect(edit({ operation: 'fade', fadeOut: 5 })?.graph).toBe(
      '[0:a:0]afade=t=out:st=55:d=5,asetpts=PTS-STARTPTS[out]',
    );
  });
});

it('operations that need a vendor are no edits', () => {
  expect(edit({ operation: 'extend' })).toBeUndefined();
});
