import { WaitingCallers } from './waiting-callers';

/** How many of an account get in. */
function fill(waiting: WaitingCallers, accountId: string): number {
  let entered = 0;
  while (waiting.enter(accountId)) entered += 1;
  return entered;
}

describe('the slots of waiting callers', () => {
  it('gives each account half of what is left, and never all of it', () => {
    const waiting = new WaitingCallers();
    const shares = Array.from({ length: 10 }, (_, index) => fill(waiting, String(index)));
    expect(shares[0]).toBe(334);
    expect(shares.every((share) => share > 0)).toBe(true);
    expect(fill(waiting, 'one more')).toBeGreaterThan(0);
  });

  it('are free again for an account whose callers have left', () => {
    const waiting = new WaitingCallers();
    const share = fill(waiting, 'a');
    for (let count = 0; count < share; count += 1) waiting.leave('a');
    expect(fill(waiting, 'a')).toBe(share);
    expect(fill(waiting, 'a')).toBe(0);
  });
});
