import { newTaskId, type TaskId } from '@mediagate/contracts';
import { createLogger } from '@mediagate/host';
import { keepTextLeases } from './text-leases';

const EVERY_MS = 4000;
const logger = createLogger({ service: 'api', level: 'silent' });

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Texts that the test opens and ends, and the renewals that were asked for. */
function open(renew: (ids: readonly TaskId[]) => Promise<TaskId[]> = async () => []) {
  const inFlight = new Set<TaskId>();
  const renewed: TaskId[][] = [];
  const cancelled: TaskId[] = [];
  const leases = keepTextLeases({
    inFlight: () => [...inFlight],
    logger,
    cancel: (id) => void cancelled.push(id),
    renew(ids) {
      renewed.push([...ids]);
      return renew(ids);
    },
  });
  const begin = () => {
    const id = newTaskId();
    inFlight.add(id);
    return id;
  };
  const turn = () => jest.advanceTimersByTimeAsync(EVERY_MS);
  return { inFlight, renewed, cancelled, leases, begin, turn };
}

describe('leases of texts', () => {
  it('are renewed for all together, for as long as they run', async () => {
    const { begin, inFlight, renewed, turn, leases } = open();
    const [first, second] = [begin(), begin()];
    await turn();
    expect(renewed).toEqual([]);
    await turn();
    inFlight.delete(first);
    await turn();
    inFlight.delete(second);
    await turn();
    expect(renewed).toEqual([[first, second], [second]]);
    leases.stop();
  });

  it('cost nothing for a text that is over soon', async () => {
    const { begin, inFlight, renewed, turn, leases } = open();
    for (let times = 0; times < 5; times += 1) {
      const id = begin();
      await turn();
      inFlight.delete(id);
    }
    expect(renewed).toEqual([]);
    leases.stop();
  });

  it('end those that are to be cancelled', async () => {
    const wanted: TaskId[] = [];
    const { begin, cancelled, turn, leases } = open(async () => wanted);
    const [first] = [begin(), begin()];
    for (let times = 0; times < 2; times += 1) await turn();
    expect(cancelled).toEqual([]);
    wanted.push(first);
    await turn();
    expect(cancelled).toEqual([first]);
    leases.stop();
  });

  it('are asked for again after a failure', async () => {
    const { begin, renewed, turn, leases } = open(() => Promise.reject(new Error('away')));
    const id = begin();
    for (let times = 0; times < 3; times += 1) await turn();
    expect(renewed).toEqual([[id], [id]]);
    leases.stop();
  });
});
