import { StepGate } from './step-gate';

const TIMING = { quietWithinMs: 10_000, maxTurnMs: 60_000 };

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function opened() {
  return { gate: new StepGate(TIMING), log: [] as string[] };
}

/** A step that runs until it is ended. */
function suspect(log: string[]) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const step = async () => {
    log.push('suspect');
    await ended;
    return 'done';
  };
  return { step, end };
}

describe('the gate of steps', () => {
  it('gives a suspect its turn once the calls in flight have ended, and keeps new ones back until it has', async () => {
    const { gate, log } = opened();
    const { step, end } = suspect(log);
    const leaves = [gate.enter(), gate.enter()];
    const alone = gate.alone(step);
    leaves[0]?.();
    await jest.advanceTimersByTimeAsync(9000);
    expect([log, gate.enter()]).toEqual([[], undefined]);
    leaves[1]?.();
    await jest.advanceTimersByTimeAsync(0);
    expect([log, gate.enter(), gate.isClosed]).toEqual([['suspect'], undefined, true]);
    end();
    expect(await alone).toEqual({ answer: 'done' });
    expect(gate.enter()).toBeDefined();
  });

  it('turns it away where they do not end in time, and every other for four times as long', async () => {
    const { gate, log } = opened();
    const { step, end } = suspect(log);
    end();
    const leave = gate.enter();
    const alone = gate.alone(step);
    expect(await gate.alone(step)).toBeUndefined();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await alone).toBeUndefined();
    gate.enter()?.();
    leave?.();
    await jest.advanceTimersByTimeAsync(39_999);
    expect(await gate.alone(step)).toBeUndefined();
    expect(log).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(await gate.alone(step)).toEqual({ answer: 'done' });
  });

  it('opens for calls beside one that takes long, and for no other suspect', async () => {
    const { gate, log } = opened();
    const { step, end } = suspect(log);
    const alone = gate.alone(step);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(gate.enter()).toBeDefined();
    await jest.advanceTimersByTimeAsync(300_000);
    expect(await gate.alone(step)).toBeUndefined();
    end();
    expect(await alone).toEqual({ answer: 'done' });
  });

  it('opens again after a step that fails', async () => {
    const { gate } = opened();
    await expect(gate.alone(() => Promise.reject(new Error('it broke')))).rejects.toThrow('it broke');
    expect(gate.isClosed).toBe(false);
  });
});
