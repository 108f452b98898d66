import { setImmediate as turn } from 'node:timers/promises';
import { boundedMap } from './bounded-map';

describe('boundedMap', () => {
  it('keeps the order and never runs more at once than allowed', async () => {
    let active = 0;
    let peak = 0;
    const results = await boundedMap([5, 1, 4, 2, 3], { limit: 2 }, async (turns) => {
      active += 1;
      peak = Math.max(peak, active);
      for (let count = 0; count < turns; count += 1) await turn();
      active -= 1;
      return turns * 10;
    });
    expect({ results, peak }).toEqual({ results: [50, 10, 40, 20, 30], peak: 2 });
  });

  it('throws the first failure, calls off what runs, waits for it, and begins nothing more', async () => {
    const begun: string[] = [];
    const ended: string[] = [];
    const mapped = boundedMap(['slow', 'bad', 'never'], { limit: 2 }, async (item, signal) => {
      begun.push(item);
      if (item === 'bad') throw new Error('bad');
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      ended.push(item);
      throw new Error('called off');
    });
    await expect(mapped).rejects.toThrow('bad');
    expect({ begun, ended }).toEqual({ begun: ['slow', 'bad'], ended: ['slow'] });
  });

  it('passes the caller’s signal on', async () => {
    const caller = new AbortController();
    const mapped = boundedMap([1], { limit: 4, signal: caller.signal }, (_item, signal) => {
      caller.abort(new Error('enough'));
      return Promise.reject(signal.reason);
    });
    await expect(mapped).rejects.toThrow('enough');
  });
});
