import { retry } from './retry';

class Passing extends Error {}

const isPassing = (error: unknown) => error instanceof Passing;
const options = { firstPauseMs: 1, isWorthRetrying: isPassing };

function failing(times: number, error: Error = new Passing('for now')) {
  let runs = 0;
  return {
    runs: () => runs,
    async work() {
      runs += 1;
      if (runs <= times) throw error;
      return runs;
    },
  };
}

it('runs work again until it succeeds', async () => {
  const { work } = failing(3);
  expect(await retry(work, { ...options, maxPauseMs: 4 })).toBe(4);
});

it('gives up after so many runs, with the error of the last', async () => {
  const { work, runs } = failing(9);
  await expect(retry(work, { ...options, tries: 3 })).rejects.toThrow('for now');
  expect(runs()).toBe(3);
});

it('does not run again what another run cannot help', async () => {
  const { work, runs } = failing(9, new Error('for good'));
  await expect(retry(work, options)).rejects.toThrow('for good');
  expect(runs()).toBe(1);
});

it('ends a pause with the reason of the signal', async () => {
  const controller = new AbortController();
  const { work, runs } = failing(9);
  const isWorthRetrying = (error: unknown) => {
    setImmediate(() => controller.abort(new Error('over')));
    return isPassing(error);
  };
  const ended = retry(work, { firstPauseMs: 3_600_000, signal: controller.signal, isWorthRetrying });
  await expect(ended).rejects.toThrow('over');
  expect(runs()).toBe(1);
});

it('begins no run after its time', async () => {
  const { work, runs } = failing(9);
  await expect(retry(work, { ...options, withinMs: 0 })).rejects.toThrow('for now');
  expect(runs()).toBe(1);
});
