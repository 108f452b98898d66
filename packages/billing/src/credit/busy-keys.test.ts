import { BusyKeys } from './busy-keys';

/** How many of the starts, so far apart, find the key busy. */
function busyAmong(starts: number, apartMs: number, keys = new BusyKeys(), from = 0): number {
  let busy = 0;
  for (let start = 0; start < starts; start += 1) if (keys.count('key', from + start * apartMs)) busy += 1;
  return busy;
}

describe('a key', () => {
  it.each([
    ['a text a minute', 60_000],
    ['a text a second', 1000],
    ['seven texts a second', 1000 / 7],
  ])('of %s is never busy, so that no credit is taken for it', (_what, apartMs) => {
    expect(busyAmong(1000, apartMs)).toBe(0);
  });

  it('is busy from its eighth text within a second on', () => {
    expect(busyAmong(8, 100)).toBe(1);
  });

  it('is not busy for two seconds after credit was refused', () => {
    const keys = new BusyKeys();
    keys.rest('key', 0, 2000);
    expect(busyAmong(200, 10, keys)).toBe(0);
    expect(busyAmong(8, 10, keys, 2000)).toBe(1);
  });
});
