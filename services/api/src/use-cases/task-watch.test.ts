import { EventEmitter } from 'node:events';
import { newTaskId, type TaskId, type TaskStatus } from '@mediagate/contracts';
import { createLogger } from '@mediagate/host';
import type { SeenTask, TaskRow } from '@mediagate/tasks';
import type { CallerConnection } from './caller-connection';
import { type Follower, TaskWatch } from './task-watch';

const logger = createLogger({ service: 'api', level: 'silent' });
const LOOK_MS = 300;
const LONG_MS = 60_000;

function open() {
  const rows = new Map<string, TaskRow>();
  const looks: number[] = [];
  let isAway = false;
  const watch = new TaskWatch({
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
    const row = { id, status, progress } as TaskRow;
    rows.set(id, row);
    return row;
  }
  const setAway = (away: boolean) => {
    isAway = away;
  };
  return { watch, put, looks, setAway };
}

const taskId = newTaskId();
const processing = (progress: number) => ({ id: taskId, status: 'processing', progress }) as TaskRow;

const connect = () => Object.assign(new EventEmitter(), { destroyed: false }) satisfies CallerConnection;

/** Keeps the progress of each state that it saw. */
function follower(): Follower & { seen: number[]; reminders: number; isClosed: boolean } {
  return {
    seen: [],
    reminders: 0,
    isClosed: false,
    remindAt: Number.POSITIVE_INFINITY,
    see({ progress }) {
      this.seen.push(progress);
    },
    remind() {
      this.reminders += 1;
      this.remindAt = Number.POSITIVE_INFINITY;
    },
    close() {
      this.isClosed = true;
    },
  };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const look = () => jest.advanceTimersByTimeAsync(LOOK_MS);

describe('waiting for a task', () => {
  it('ends with the task, and nothing runs any more', async () => {
    const { watch, put, looks } = open();
    const id = newTaskId();
    const connection = connect();
    const waiting = watch.untilEnded(put(id, 'submitted', 0), { timeoutMs: LONG_MS, connection });
    await look();
    put(id, 'processing', 50);
    await look();
    put(id, 'completed', 100);
    await look();
    expect(await waiting).toMatchObject({ status: 'completed', progress: 100 });
    expect([looks, jest.getTimerCount(), connection.listenerCount('close')]).toEqual([[1, 1, 1], 0, 0]);
  });

  it('answers with the task as it is when the time is over, the caller leaves or the process ends', async () => {
    const { watch, put } = open();
    const ids = [newTaskId(), newTaskId(), newTaskId()] as const;
    const connections = ids.map(connect);
    const [late, aborted, closed] = ids.map((id, index) =>
      watch.untilEnded(put(id, 'submitted', 0), {
        timeoutMs: index === 0 ? LOOK_MS + 1 : LONG_MS,
        connection: connections[index] as CallerConnection,
      }),
    );
    for (const id of ids) put(id, 'processing', 10);
    await look();
    await look();
    expect(await late).toMatchObject({ progress: 10 });
    connections[1]?.emit('close');
    expect(await aborted).toMatchObject({ progress: 10 });
    watch.close();
    expect(await closed).toMatchObject({ progress: 10 });
    const afterwards = watch.untilEnded(put(ids[0], 'processing', 20), { timeoutMs: LONG_MS, connection: connect() });
    expect(await afterwards).toMatchObject({ progress: 20 });
    expect(jest.getTimerCount()).toBe(0);
    expect(connections.map((connection) => connection.listenerCount('close'))).toEqual([0, 0, 0]);
  });

  it('is not begun for a task that has ended, or by a caller who has left', async () => {
    const { watch, put } = open();
    const failed = put(newTaskId(), 'failed', 100);
    expect(await watch.untilEnded(failed, { timeoutMs: LONG_MS, connection: connect() })).toBe(failed);
    const running = put(newTaskId(), 'processing', 10);
    const gone = Object.assign(connect(), { destroyed: true });
    expect(await watch.untilEnded(running, { timeoutMs: LONG_MS, connection: gone })).toBe(running);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('goes on while the database is away', async () => {
    const { watch, put, setAway } = open();
    const id = newTaskId();
    const waiting = watch.untilEnded(put(id, 'submitted', 0), { timeoutMs: LONG_MS, connection: connect() });
    setAway(true);
    await look();
    setAway(false);
    put(id, 'completed', 100);
    await look();
    expect(await waiting).toMatchObject({ status: 'completed' });
  });

  it('ends in time while the database does not answer', async () => {
    let answer: (rows: TaskRow[]) => void = () => undefined;
    const findChanged = () => new Promise<TaskRow[]>((resolve) => (answer = resolve));
    const watch = new TaskWatch({ findChanged, logger, lookMs: LOOK_MS });
    const row = { id: newTaskId(), status: 'submitted', progress: 0 } as TaskRow;
    const ended = jest.fn();
    void watch.untilEnded(row, { timeoutMs: LOOK_MS + 1, connection: connect() }).then(ended);
    await look();
    await look();
    expect(ended).toHaveBeenCalledWith(row);
    answer([]);
    await look();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('costs one look, and one timer, for ten thousand callers', async () => {
    const { watch, put, looks } = open();
    const ids = Array.from({ length: 10_000 }, newTaskId);
    const waiting = ids.map((id) =>
      watch.untilEnded(put(id, 'submitted', 0), { timeoutMs: LONG_MS, connection: connect() }),
    );
    expect(jest.getTimerCount()).toBe(1);
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
    const [early, late] = [follower(), follower()];
    watch.follow(put(id, 'submitted', 0), early);
    watch.follow(put(id, 'processing', 10), late);
    await look();
    expect([early.seen, late.seen, looks]).toEqual([[10], [], [1]]);
    watch.unfollow(id, early);
    watch.unfollow(id, early);
    put(id, 'processing', 20);
    await look();
    expect([early.seen, late.seen]).toEqual([[10], [20]]);
    watch.close();
    expect([early.isClosed, late.isClosed]).toEqual([false, true]);
  });

  it('shows a state that came between what a follower read and its coming', async () => {
    const { watch, put } = open();
    const id = newTaskId();
    const first = put(id, 'submitted', 0);
    watch.follow(first, follower());
    put(id, 'processing', 10);
    await look();
    const late = follower();
    watch.follow(first, late);
    await look();
    expect(late.seen).toEqual([10]);
    watch.close();
  });

  it('never goes back to what a look read before a follower came, and shows it what came since', async () => {
    let [row, answer] = [processing(0), () => {}];
    const findChanged = ([seen]: readonly SeenTask[]) => {
      const found = seen?.progress === row.progress ? [] : [row];
      return new Promise<TaskRow[]>((resolve) => (answer = () => resolve(found)));
    };
    const watch = new TaskWatch({ findChanged, logger, lookMs: LOOK_MS });
    const [early, late, behind] = [follower(), follower(), follower()];
    watch.follow(processing(0), early);
    row = processing(10);
    await look();
    row = processing(20);
    watch.follow(row, late);
    watch.follow(processing(0), behind);
    answer();
    await look();
    expect([early.seen, late.seen, behind.seen]).toEqual([[10], [], []]);
    answer();
    await look();
    expect([early.seen, late.seen, behind.seen]).toEqual([[10, 20], [], [20]]);
    watch.close();
  });

  it('reminds each follower once its time has come', async () => {
    const { watch, put } = open();
    const [soon, later] = [follower(), follower()];
    soon.remindAt = performance.now() + LOOK_MS;
    later.remindAt = performance.now() + 3 * LOOK_MS;
    for (const each of [soon, later]) watch.follow(put(newTaskId(), 'submitted', 0), each);
    await look();
    await look();
    expect([soon.reminders, later.reminders]).toEqual([1, 0]);
    await look();
    expect([soon.reminders, later.reminders]).toEqual([1, 1]);
    watch.close();
  });
});
