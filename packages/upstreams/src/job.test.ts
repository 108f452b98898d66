import { checkAfterMs } from './job';

const NOW_MS = 1_789_000_000_000;

function endpoint(options = {}) {
  return { channelId: 'channel-1', baseUrl: 'https://vendor.example', apiKey: 'key', model: 'model', options };
}

describe('the pause before a job is asked about', () => {
  beforeEach(() => jest.useFakeTimers({ now: NOW_MS }));
  afterEach(() => jest.useRealTimers());

  it.each([
    [0, 3000],
    [18_000, 3000],
    [30_000, 5000],
    [60_000, 10_000],
    [3_600_000, 10_000],
  ])('is, %d ms after it was accepted, %d ms', (ageMs, pauseMs) => {
    expect(checkAfterMs(NOW_MS - ageMs, endpoint())).toBe(pauseMs);
  });

  it("is never longer than the channel's own, which may be short or long", () => {
    expect(checkAfterMs(NOW_MS, endpoint({ max_check_seconds: 1 }))).toBe(1000);
    expect(checkAfterMs(NOW_MS - 600_000, endpoint({ max_check_seconds: 60 }))).toBe(60_000);
  });

  it('is the shortest one where the clock of whoever accepted it is ahead', () => {
    expect(checkAfterMs(NOW_MS + 60_000, endpoint())).toBe(3000);
  });
});
