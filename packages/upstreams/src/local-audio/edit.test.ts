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

describe('a range of a track', () => {
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
  it('are no longer than the track', () => {
    expect(edit({ operation: 'fade', fadeIn: 90, fadeOut: 90 })?.graph).toBe(
      '[0:a:0]afade=t=in:st=0:d=60.000000,afade=t=out:st=0.000000:d=60.000000,asetpts=PTS-STARTPTS[out]',
    );
  });

  it('are at the ends that were asked for', () => {
    expect(edit({ operation: 'fade', fadeOut: 5 })?.graph).toBe(
      '[0:a:0]afade=t=out:st=55.000000:d=5.000000,asetpts=PTS-STARTPTS[out]',
    );
  });
});

it.each([
  { operation: 'crop', start: 1e-7, end: 1 },
  { operation: 'remove', start: 1e-3, end: 59.9989999999 },
  { operation: 'fade', fadeIn: 1e-7, fadeOut: 2e-3 },
  { operation: 'adjust_speed', speed: 0.25 },
] as const)('%j is written in figures that ffmpeg reads', (music) => {
  expect(edit(music)?.graph).not.toMatch(/\de[-+]?\d/);
});

it('what is shorter than can be measured is nothing', () => {
  expect(edit({ operation: 'crop', start: 1, end: 1.0000001 })).toBeUndefined();
  expect(edit({ operation: 'fade', fadeIn: 1e-7 })?.graph).toBe('[0:a:0]asetpts=PTS-STARTPTS[out]');
});

it('operations that need a vendor are no edits', () => {
  expect(edit({ operation: 'extend' })).toBeUndefined();
});
