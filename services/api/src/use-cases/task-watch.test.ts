import { GatewayError, newTaskId, type TaskId, type TaskStatus } from '@mediagate/contracts';
import { createLogger } from '@mediagate/host';
import type { SeenTask, TaskRow } from '@mediagate/tasks';
import { WATCHED_TASKS_MAX } from '../request-limits';
import { TaskWatch } from './task-watch';

const logger = createLogger({ service: 'api', level: 'silent' });
const LOOK_MS = 300;
const LONG_MS = 60_000;
const ACCOUNT = 'account';

function open() {
  const rows = new Map<string, TaskRow>();
  const looks: number[] = [];
  let isAway = false;
  const watch = new TaskWatch({
    readTask: async (id) => rows.get(id),
    async findChanged(seen: readonly SeenTask[]) {
      looks.push(seen.length);
      if (isAway) throw new Error('away');
      return seen.flatMap(({ id, status, progress }) => {
        const row = rows.get(id);
        return row === undefined || (row.status === status && row.progress === progress) ? [] : [row];
      });
    },
    logger,
    lookMs: LOOK_MS,
  });
  function put(id: TaskId, status: TaskStatus, progress: number): TaskRow {
    const row = { id, accountId: ACCOUNT, status, progress } as TaskRow;
    rows.set(id, row);
    return row;
  }
  const setAway = (away: boolean) => {
    isAway = away;
  };
  return { watch, put, looks, setAway };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const look = () => jest.advanceTimersByTimeAsync(LOOK_MS);

describe('waiting for a task', () => {
  it('ends with the task, and nothing runs any more', async () => {
    const { watch, put, looks } = open();
    const id = newTaskId();
    put(id, 'submitted', 0);
    const waiting = watch.waitForTask(id, ACCOUNT, { timeoutMs: LONG_MS });
    await look();
    put(id, 'processing', 50);
    await look();
    put(id, 'completed', 100);
    await look();
    expect(await waiting).toMatchObject({ status: 'completed', progress: 100 });
    expect([looks, jest.getTimerCount()]).toEqual([[1, 1, 1], 0]);
  });

  it('answers with the task as it is when the time is over, the caller leaves or the process ends', async () => {
    const { watch, put } = open();
    const ids = [newTaskId(), newTaskId(), newTaskId()] as const;
    const left = new AbortController();
    for (const id of ids) put(id, 'submitted', 0);
    const late = watch.waitForTask(ids[0], ACCOUNT, { timeoutMs: LOOK_MS + 1 });
    const aborted = watch.waitForTask(ids[1], ACCOUNT, { timeoutMs: LONG_MS, signal: left.signal });
    const closed = watch.waitForTask(ids[2], ACCOUNT, { timeoutMs: LONG_MS });
    await jest.advanceTimersByTimeAsync(1);
    for (const id of ids) put(id, 'processing', 10);
    await jest.advanceTimersByTimeAsync(LOOK_MS + 1);
    expect(await late).toMatchObject({ progress: 10 });
    left.abort();
    expect(await aborted).toMatchObject({ progress: 10 });
    watch.close();
    expect(await closed).toMatchObject({ progress: 10 });
    expect(await watch.waitForTask(ids[0], ACCOUNT, { timeoutMs: LONG_MS })).toMatchObject({ progress: 10 });
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is not begun for a task that has ended, is unknown or is another account’s', async () => {
    const { watch, put } = open();
    const id = newTaskId();
    put(id, 'failed', 100);
    expect(await watch.waitForTask(id, ACCOUNT, { timeoutMs: LONG_MS })).toMatchObject({ status: 'failed' });
    expect(await watch.waitForTask(id, 'other', { timeoutMs: LONG_MS })).toBeUndefined();
    expect(await watch.waitForTask(newTaskId(), ACCOUNT, { timeoutMs: LONG_MS })).toBeUndefined();
    expect(await watch.waitForTask('nonsense', ACCOUNT, { timeoutMs: LONG_MS })).toBeUndefined();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('goes on while the database is away', async () => {
    const { watch, put, setAway } = open();
    const id = newTaskId();
    put(id, 'submitted', 0);
    const waiting = watch.waitForTask(id, ACCOUNT, { timeoutMs: LONG_MS });
    setAway(true);
    await look();
    setAway(false);
    put(id, 'completed', 100);
    await look();
    expect(await waiting).toMatchObject({ status: 'completed' });
  });

  it('costs one look for ten thousand callers', async () => {
    const { watch, put, looks } = open();
    const ids = Array.from({ length: 10_000 }, newTaskId);
    for (const id of ids) put(id, 'submitted', 0);
    const waiting = ids.map((id) => watch.waitForTask(id, ACCOUNT, { timeoutMs: LONG_MS }));
    await look();
    expect(looks).toEqual([10_000]);
    for (const id of ids) put(id, 'completed', 100);
    await look();
    await Promise.all(waiting);
    expect(looks).toEqual([10_000, 10_000]);
  });
});

describe('following a task', () => {
  it('reports each state once to each follower, whenever it came', async () => {
    const { watch, put, looks } = open();
    const id = newTaskId();
    const first = put(id, 'submitted', 0);
    const [early, late]: number[][] = [[], []];
    const unfollow = watch.follow(first, ({ progress }) => early?.push(progress));
    const second = put(id, 'processing', 10);
    watch.follow(second, ({ progress }) => late?.push(progress));
    await look();
    expect([early, late, looks]).toEqual([[10], [], [1]]);
    unfollow();
    put(id, 'processing', 20);
    await look();
    expect([early, late]).toEqual([[10], [20]]);
    watch.close();
  });

  it('shows a state that came between what a follower read and its coming', async () => {
    const { watch, put } = open();
    const id = newTaskId();
    const first = put(id, 'submitted', 0);
    const seen: number[] = [];
    watch.follow(first, () => undefined);
    put(id, 'processing', 10);
    await look();
    watch.follow(first, ({ progress }) => seen.push(progress));
    await look();
    expect(seen).toEqual([10]);
    watch.close();
  });

  it('is refused beyond the limit of the process', () => {
    const { watch, put } = open();
    for (let count = 0; count < WATCHED_TASKS_MAX; count += 1) watch.follow(put(newTaskId(), 'submitted', 0), () => {});
    const oneMore = put(newTaskId(), 'submitted', 0);
    expect(() => watch.follow(oneMore, () => undefined)).toThrow(GatewayError);
    watch.close();
  });
});

describe('the states of a task', () => {
  it('end also for a reader who is busy with a state as he leaves', async () => {
    const { watch, put } = open();
    const left = new AbortController();
    const states = watch.statesOf(put(newTaskId(), 'submitted', 0), left.signal);
    expect((await states.next()).value).toMatchObject({ progress: 0 });
    left.abort();
    expect(await states.next()).toEqual({ done: true, value: undefined });
    watch.close();
  });

  it('end with the task, with the caller or with the process, and leave nothing behind', async () => {
    const { watch, put, looks } = open();
    const ids = [newTaskId(), newTaskId(), newTaskId()] as const;
    const left = new AbortController();
    const never = new AbortController().signal;
    const read = async (id: TaskId, signal: AbortSignal) => {
      const seen: number[] = [];
      for await (const { progress } of watch.statesOf(put(id, 'submitted', 0), signal)) seen.push(progress);
      return seen;
    };
    const reading = [read(ids[0], never), read(ids[1], left.signal), read(ids[2], never)];
    await jest.advanceTimersByTimeAsync(1);
    put(ids[0], 'completed', 100);
    await look();
    left.abort();
    expect(await Promise.all(reading.slice(0, 2))).toEqual([[0, 100], [0]]);
    await look();
    expect(looks).toEqual([3, 1]);
    watch.close();
    expect(await reading[2]).toEqual([0]);
    expect(jest.getTimerCount()).toBe(0);
  });
});
