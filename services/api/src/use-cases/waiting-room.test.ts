import { WaitingRoom } from './waiting-room';

/** How many of an account get in. */
function fill(room: WaitingRoom, accountId: string): number {
  let entered = 0;
  while (room.enter(accountId)) entered += 1;
  return entered;
}

describe('a waiting room', () => {
  it('gives each account half of what is left, and never all of it', () => {
    const room = new WaitingRoom();
    const shares = Array.from({ length: 10 }, (_, index) => fill(room, String(index)));
    expect(shares[0]).toBe(334);
    expect(shares.every((share) => share > 0)).toBe(true);
    expect(fill(room, 'one more')).toBeGreaterThan(0);
  });

  it('has room again for an account whose callers have left', () => {
    const room = new WaitingRoom();
    const share = fill(room, 'a');
    for (let count = 0; count < share; count += 1) room.leave('a');
    expect(fill(room, 'a')).toBe(share);
    expect(fill(room, 'a')).toBe(0);
  });
});
