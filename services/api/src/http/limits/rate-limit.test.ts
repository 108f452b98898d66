import { SharedTurns } from './rate-limit';

describe('turns that requests share', () => {
  it('let a request go on at once where few come', () => {
    const turns = new SharedTurns();
    const joined = Array.from({ length: 50 }, (_, index) => turns.join(index * 2));
    expect(joined.every((turn) => turn === undefined)).toBe(true);
  });

  it('let those of a busy process go on together, once whatever is to be read in this turn was read', async () => {
    const turns = new SharedTurns();
    const joined = Array.from({ length: 20 }, () => turns.join(0));
    expect(joined.filter((turn) => turn === undefined)).toHaveLength(7);
    const [turn, ...others] = joined.slice(7);
    expect(others.every((other) => other === turn)).toBe(true);
    let goesOn = false;
    void turn?.then(() => {
      goesOn = true;
    });
    await Promise.resolve();
    expect(goesOn).toBe(false);
    await new Promise((resolve) => setImmediate(resolve));
    expect(goesOn).toBe(true);
    expect(turns.join(5)).not.toBe(turn);
  });
});
