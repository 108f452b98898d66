import { newTaskId, type TaskId } from '@mediagate/contracts';
import type { StoppedTask } from '@mediagate/database';
import { createLogger } from '@mediagate/host';
import type { SettledTask } from './open-texts';
import { keepTextLeases } from './text-leases';

const EVERY_MS = 4000;
const TEXT = { taskId: newTaskId(), accountId: 'account', model: 'text-2.5-flash', calls: [] };
const logger = createLogger({ service: 'api', level: 'silent' });

const fails = () => {
  throw new Error('a bug');
};

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Texts that the test opens and ends, and the renewals that were asked for. */
function open(renew: (ids: readonly TaskId[]) => Promise<StoppedTask[]> = async () => []) {
  const inFlight = new Map<TaskId, () => SettledTask | undefined>();
  const renewed: TaskId[][] = [];
  const kept: (string | null)[][] = [];
  const stopped: StoppedTask[] = [];
  const leases = keepTextLeases({
    inFlight: () => [...inFlight].map(([taskId, endNow]) => ({ taskId, endNow })),
    logger,
    stop: (id, why) => void stopped.push({ id, why }),
    renew(texts) {
      const ids = texts.map(({ taskId }) => taskId);
      renewed.push(ids);
      kept.push(texts.map((text) => text.keptEnd()));
      return renew(ids);
    },
  });
  const begin = (endNow: () => SettledTask | undefined = () => undefined) => {
    const id = newTaskId();
    inFlight.set(id, endNow);
    return id;
  };
  const turn = () => jest.advanceTimersByTimeAsync(EVERY_MS);
  return { inFlight, renewed, kept, stopped, leases, begin, turn };
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

  it('end those that are to be stopped', async () => {
    const wanted: StoppedTask[] = [];
    const { begin, stopped, turn, leases } = open(async () => wanted);
    const [first, second] = [begin(), begin()];
    for (let times = 0; times < 2; times += 1) await turn();
    expect(stopped).toEqual([]);
    const [ended, taken] = [
      { id: first, why: 'cancelled' },
      { id: second, why: 'internal_error' },
    ] as const;
    wanted.push(ended, taken);
    await turn();
    expect(stopped).toEqual([ended, taken]);
    leases.stop();
  });

  it('take along what each text has used by then, and a text that cannot tell costs no other its lease', async () => {
    const { begin, renewed, kept, turn, leases } = open();
    let costNano = 0n;
    const used = () => ({ ...TEXT, outcome: { kind: 'completed' as const, costNano } });
    const ids = [begin(used), begin(() => undefined), begin(fails)];
    for (costNano = 1n; costNano <= 3n; costNano += 1n) await turn();
    expect(renewed).toEqual([ids, ids]);
    for (const [, ...others] of kept) expect(others).toEqual([null, null]);
    expect(kept.map(([first]) => JSON.parse(String(first)).settled)).toEqual([{ costNano: '2' }, { costNano: '3' }]);
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
