import { bytes, count, duration } from './quantities';

it.each([
  [0.4, '0 s'],
  [59.9, '59 s'],
  [60, '1 min 0 s'],
  [3599, '59 min 59 s'],
  [3600, '1 h 0 min'],
  [86_399, '23 h 59 min'],
  [90_000, '1 d 1 h'],
])('%d s reads as %s', (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});

it('shows bytes and counts at a glance', () => {
  expect([bytes(104_857_600), count(1_234_567.8), count(Number.NaN)]).toEqual(['100 MiB', '1,234,568', 'unknown']);
});
