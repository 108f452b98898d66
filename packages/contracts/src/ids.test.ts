import { firstTaskIdAt, isTaskId, newTaskId, timeOfId, timeOrderedId, timeOrderedUuid } from './index';

const MS = 1_795_000_123_456;

describe('ids that are ordered by time', () => {
  it('are those of UUIDs of version 7, of which they have time, version and variant', () => {
    const uuid = timeOrderedUuid(MS);
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16)).toBe(MS);
  });

  it('say when they were made, and sort by it', () => {
    const ids = [MS, MS + 1, MS + 1000, 2 * MS].map((ms) => timeOrderedId(ms));
    expect(ids.map(timeOfId)).toEqual([MS, MS + 1, MS + 1000, 2 * MS]);
    expect([...ids].sort()).toEqual(ids);
  });

  it('have the same bits in base32 as Crockford has them', () => {
    // By another way: the number itself.
    const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
    const id = timeOrderedId(MS);
    const bits = [...id].reduce((sum, digit) => sum * 32n + BigInt(alphabet.indexOf(digit)), 0n);
    expect(bits >> 128n).toBe(0n);
    expect(Number(bits >> 80n)).toBe(MS);
    expect((bits >> 76n) & 15n).toBe(7n);
    expect((bits >> 62n) & 3n).toBe(2n);
  });

  it('are never the same', () => {
    const ids = Array.from({ length: 20_000 }, () => timeOrderedId(MS));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('of tasks have a first one of each millisecond, which is none above', () => {
    const first = firstTaskIdAt(MS);
    expect(isTaskId(first)).toBe(true);
    expect(timeOfId(first.slice(5))).toBe(MS);
    expect(newTaskId(MS) >= first).toBe(true);
    expect(newTaskId(MS - 1) < first).toBe(true);
    // Before 1970, and the last day that a date can be.
    expect(timeOfId(firstTaskIdAt(-1).slice(5))).toBe(0);
    expect(timeOfId(firstTaskIdAt(8.64e15).slice(5))).toBe(2 ** 48 - 1);
  });
});
