import { randomUUID } from 'node:crypto';
import { createLanes, type LaneItem } from './lanes';

const LIMITS = { perHost: 2, perAccount: 3, maxParkedPerAccount: 10, maxParked: 15 };
function item(accountId: string, host: string, id: string = randomUUID()): LaneItem {
  return { id, accountId, host };
}

describe('createLanes', () => {
  it('gives a host its share and no more, whoever asks', () => {
    const lanes = createLanes(LIMITS);
    expect([lanes.enter(item('a', 'h')), lanes.enter(item('b', 'h')), lanes.enter(item('a', 'h'))]).toEqual([
      true,
      true,
      false,
    ]);
    expect(lanes.enter(item('a', 'other'))).toBe(true);
  });

  it('gives an account its share over all its hosts, so that host names alone win nothing', () => {
    const lanes = createLanes(LIMITS);
    const entered = ['h1', 'h2', 'h3', 'h4', 'h5'].map((host) => lanes.enter(item('a', host)));
    expect(entered).toEqual([true, true, true, false, false]);
    expect(lanes.enter(item('b', 'h6'))).toBe(true);
  });

  it('hands a freed place to the first that waits, in the order of arrival', () => {
    const lanes = createLanes(LIMITS);
    const [first, second, third, fourth] = [item('a', 'h'), item('a', 'h'), item('a', 'h'), item('a', 'h')] as const;
    for (const each of [first, second, third, fourth]) lanes.enter(each);
    expect(lanes.parkedCount()).toBe(2);
    expect(lanes.leave(first)).toBe(third);
    expect(lanes.leave(third)).toBe(fourth);
    expect(lanes.leave(second)).toBeUndefined();
    expect(lanes.leave(fourth)).toBeUndefined();
    expect(lanes.parkedCount()).toBe(0);
  });

  it('does not let a newcomer pass those that wait for the same host', () => {
    const lanes = createLanes({ ...LIMITS, perHost: 1 });
    const [running, waiting, newcomer] = [item('a', 'h'), item('a', 'h'), item('a', 'h')] as const;
    lanes.enter(running);
    lanes.enter(waiting);
    expect(lanes.leave(running)).toBe(waiting);
    expect(lanes.enter(newcomer)).toBe(false);
    expect(lanes.leave(waiting)).toBe(newcomer);
  });

  it('skips a lane whose host is still busy, and lets lanes take turns', () => {
    const lanes = createLanes({ ...LIMITS, perAccount: 2, perHost: 2 });
    const [a1, a2] = [item('a', 'h1'), item('a', 'h1')] as const;
    const [b1, b2] = [item('a', 'h2'), item('a', 'h2')] as const;
    const [c1] = [item('a', 'h1')] as const;
    lanes.enter(a1);
    lanes.enter(a2);
    for (const waiting of [c1, b1, b2]) lanes.enter(waiting);
    expect(lanes.leave(a1)).toBe(c1);
    expect(lanes.leave(a2)).toBe(b1);
    expect(lanes.leave(c1)).toBe(b2);
  });

  it('replaces what waits when it is claimed anew, without losing its place in the line', () => {
    const lanes = createLanes({ ...LIMITS, perHost: 1 });
    const running = item('a', 'h');
    lanes.enter(running);
    lanes.enter(item('a', 'h', 'x'));
    lanes.enter(item('a', 'h', 'y'));
    const renewed = item('a', 'h', 'x');
    expect(lanes.enter(renewed)).toBe(false);
    expect(lanes.parkedCount()).toBe(2);
    expect(lanes.leave(running)).toBe(renewed);
  });

  it('bounds what waits, of one account and in all', () => {
    const lanes = createLanes(LIMITS);
    for (let index = 0; index < 100; index += 1) lanes.enter(item('a', 'h'));
    expect(lanes.parkedCount()).toBe(10);
    for (let index = 0; index < 100; index += 1) lanes.enter(item('b', 'h2'));
    expect(lanes.parkedCount()).toBe(15);
  });

  it('once closed gives no place to anything that waits, and hands it back', () => {
    const lanes = createLanes({ ...LIMITS, perHost: 1 });
    const [running, waiting] = [item('a', 'h'), item('a', 'h')] as const;
    lanes.enter(running);
    lanes.enter(waiting);
    expect(lanes.close()).toEqual([waiting]);
    expect(lanes.leave(running)).toBeUndefined();
    expect(lanes.parkedCount()).toBe(0);
  });

  it('frees the place of the host and of the account when a delivery leaves', () => {
    const lanes = createLanes(LIMITS);
    for (let index = 0; index < 50; index += 1) {
      const each = item(`account-${index % 5}`, `host-${index % 7}`);
      expect(lanes.enter(each)).toBe(true);
      expect(lanes.leave(each)).toBeUndefined();
    }
  });
});
