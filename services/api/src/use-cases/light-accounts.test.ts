import { LightAccounts } from './light-accounts';

function open() {
  let nowMs = 1_000_000;
  const accounts = new LightAccounts(() => nowMs);
  return {
    take: (accountId: string) => accounts.take(accountId, 'image'),
    takeMany: (accountId: string, count: number) =>
      Array.from({ length: count }, () => accounts.take(accountId, 'image')).filter(Boolean).length,
    takeVideo: (accountId: string) => accounts.take(accountId, 'video'),
    pass(ms: number) {
      nowMs += ms;
    },
  };
}

describe('light accounts', () => {
  it('are those of few starts at once, and of two a second for ever', () => {
    const { take, takeMany, pass } = open();
    expect(takeMany('a', 4)).toBe(4);
    for (let second = 0; second < 100; second += 1) {
      pass(500);
      expect(take('a')).toBe(true);
    }
  });

  it('are not those of a flood, until it has been over for a minute', () => {
    const { take, takeMany, pass } = open();
    expect(takeMany('a', 20_000)).toBe(4);
    pass(30_000);
    expect(take('a')).toBe(false);
    pass(60_000);
    expect(take('a')).toBe(true);
  });

  it('are judged each by itself, and each family by itself', () => {
    const { take, takeMany, takeVideo } = open();
    takeMany('a', 100);
    expect([take('a'), take('b'), takeVideo('a')]).toEqual([false, true, true]);
  });

  it('are forgotten, the longest unused first, when there are too many to remember', () => {
    const { take, takeMany } = open();
    takeMany('a', 100);
    for (let index = 0; index < 10_000; index += 1) take(`account ${index}`);
    expect(take('a')).toBe(true);
  });
});
