import { newTaskId, type TaskId } from '@mediagate/contracts';
import { type Database, DatabaseUnavailableError, openDatabase } from '@mediagate/database';
import { runSql, until, withMethods } from '@mediagate/testkit';
import { executeTask } from '../src/execute-task';
import type { WorkerDeps } from '../src/worker-deps';
import { type BreakableLink, openLink } from './world/breakable-link';
import { type FaultPoint, withFaultPoints } from './world/fault-points';
import { openWorld, SHORT_LEASE_MS, type World } from './world/world';

let world: World;
let link: BreakableLink;
beforeAll(async () => {
  world = await openWorld({ leaseMs: SHORT_LEASE_MS });
  link = await openLink(world.databaseUrl);
});
afterAll(async () => {
  await link.close();
  await world.close();
});
afterEach(async () => {
  link.mend();
  await world.closeWorkers();
  expect(await world.audit()).toEqual([]);
});

/** Runs something when the first task comes to a point, and lets the task go on after it. */
const once =
  (point: FaultPoint, strike: () => Promise<void> | void) =>
  (deps: WorkerDeps): WorkerDeps => {
    let struck = false;
    return withFaultPoints(deps, async (reached) => {
      if (reached !== point || struck) return;
      struck = true;
      await strike();
    });
  };

describe('a database that goes away in the middle of a step', () => {
  it.each(['answer received', 'upstream done', 'before the end is written'] as const)(
    'and comes back within the lease (%s): nothing that was paid for is lost',
    async (point) => {
      const strike = () => {
        link.cut();
        setTimeout(() => link.mend(), 400).unref();
      };
      await world.startWorker({ databaseUrl: link.url, leaseMs: 10_000, wrap: once(point, strike) });
      const label = world.label('blip');
      const id = await world.submit(label);
      expect(await world.ended(id)).toMatchObject({ status: 'completed', costNano: 100n });
      expect(await world.accepted(label)).toBe(1);
      expect(await world.attempts(id)).toMatchObject([
        { state: 'succeeded', detail: expect.not.stringContaining('late') },
      ]);
    },
  );

  it.each([
    ['never', 'answer received'],
    ['lookup', 'answer received'],
    ['never', 'outputs mirrored'],
  ] as const)(
    'and stays away past the lease (%s, %s): what was paid for is kept and written down',
    async (model, point) => {
      const label = world.label('outage');
      // The answer brings the outputs with it: it is in this worker's hands alone.
      if (point === 'outputs mirrored') await world.upstream.instruct(label, { starts: ['answer'], outputs: 2 });
      await world.startWorker({ databaseUrl: link.url, leaseMs: 4000, wrap: once(point, () => link.cut()) });
      const id = await world.submit(label, { model });
      await until(() => leaseIsOver(id), 'the lease ran out');
      link.mend();
      expect(await world.ended(id)).toMatchObject({ status: 'completed', attemptsMade: 1 });
      expect(await world.accepted(label)).toBe(1);
    },
  );

  it.each([undefined, 5])(
    'and loses the answer to an intent that it has written (limit of the channel: %s): it is sent all the same, once',
    async (maxConcurrency) => {
      const channel = world.label('intent');
      const limit = maxConcurrency === undefined ? {} : { maxConcurrency };
      let isLost = false;
      await world.startWorker({
        channels: [world.channel(channel, limit)],
        wrap: (deps) => ({
          ...deps,
          database: changed(deps.database, ['beginAttempt', 'beginLimitedAttempt'], async (begun) => {
            if (isLost) return begun;
            isLost = true;
            throw new DatabaseUnavailableError(new Error('the answer was lost'));
          }),
        }),
      });
      const label = world.label('lost-intent');
      const id = await world.submit(label);
      expect(await world.ended(id)).toMatchObject({ status: 'completed', attemptsMade: 1 });
      expect(await world.accepted(label)).toBe(1);
      expect(await world.attempts(id)).toMatchObject([{ number: 1, state: 'succeeded' }]);
    },
  );

  it('by ending every connection: the step goes on over a new one', async () => {
    const endConnections = async () => {
      expect((await runSql(world.database, END_CONNECTIONS)).length).toBeGreaterThan(0);
    };
    await world.startWorker({ wrap: once('upstream done', endConnections) });
    const id = await world.submit(world.label('terminated'));
    expect(await world.ended(id)).toMatchObject({ status: 'completed', costNano: 100n });
  });

  it('by becoming read-only for a while, as a primary that is demoted: what was paid for is settled', async () => {
    const url = new URL(world.databaseUrl);
    url.searchParams.set('options', '-c default_transaction_read_only=off');
    const door = openDatabase({ url: url.href, poolSize: 1, statementTimeoutMs: 60_000, applicationName: 'door' });
    const demote = async () => {
      await runSql(door, readOnly('on'));
      expect((await runSql(door, END_CONNECTIONS)).length).toBeGreaterThan(0);
    };
    let refused = 0;
    const promote = async () => {
      refused += 1;
      if (refused === 3) await runSql(door, readOnly('off'));
    };
    await world.startWorker({
      wrap: (deps) => countingFailures(once('before the end is written', demote)(deps), promote),
    });
    const id = await world.submit(world.label('demoted'));
    const ended = await world.ended(id);
    await door.close();
    expect(ended).toMatchObject({ status: 'completed', costNano: 100n });
    expect(refused).toBeGreaterThanOrEqual(3);
  });
});

function readOnly(value: 'on' | 'off'): string {
  return `do $$ begin
    execute format('alter database %I set default_transaction_read_only = ${value}', current_database());
  end $$`;
}

/** The end of a task, with word of each time that it could not be written. */
function countingFailures(deps: WorkerDeps, failed: () => Promise<void>): WorkerDeps {
  return {
    ...deps,
    finish: (finish) =>
      deps.finish(finish).catch(async (error: unknown) => {
        await failed();
        throw error;
      }),
  };
}

type Beginning = 'beginAttempt' | 'beginLimitedAttempt' | 'beginStage';
type Begun = Awaited<ReturnType<Database[Beginning]>>;

/** The database, whose answers to statements that begin something pass through `answer`. */
function changed(
  database: Database,
  names: readonly Beginning[],
  answer: (begun: Begun, taskId: string) => Promise<Begun>,
): Database {
  const methods = names.map((name) => {
    const begin = database[name] as (task: { id: string }, ...rest: unknown[]) => Promise<Begun>;
    const changedBegin: typeof begin = async (task, ...rest) => answer(await begin(task, ...rest), task.id);
    return [name, changedBegin];
  });
  return withMethods(database, Object.fromEntries(methods));
}

/** The first intent is written, and then the database is away until its lease is over. */
function awayAfter(what: 'attempt' | 'stage', isAnswerLost: boolean) {
  let isAway = false;
  const names = what === 'stage' ? (['beginStage'] as const) : (['beginAttempt', 'beginLimitedAttempt'] as const);
  return (deps: WorkerDeps): WorkerDeps => {
    const database = changed(deps.database, names, async (begun, taskId) => {
      // On a busy machine its lease may be over before it comes to this.
      const isLost = begun === false || (begun !== true && begun[0]?.outcome === 'lost');
      if (isAway || isLost) return begun;
      isAway = true;
      link.cut();
      await until(() => leaseIsOver(taskId), 'the lease ran out');
      // Back after this: the worker finds its lease over, and asks while there is no database.
      setTimeout(() => link.mend(), 300).unref();
      if (isAnswerLost) throw new DatabaseUnavailableError(new Error('the answer was lost'));
      return begun;
    });
    return { ...deps, database };
  };
}

const HANG_LEASE_MS = 6000;

/** Whoever looks for what lapsed asks over a way of its own. */
const settledOrRenewed = (id: TaskId, past: Date) =>
  until(async () => {
    const { leaseUntil, completedAt } = await world.task(id);
    return completedAt !== null || (leaseUntil !== null && leaseUntil > past);
  }, 'the lease was renewed, or the task was given up');

describe('an intent whose call is under way', () => {
  it.each(['never', 'lookup'] as const)(
    'outlives connections that hang (%s): the task is never refunded while its vendor is paid',
    async (model) => {
      const label = world.label('hung');
      const id = newTaskId();
      const hang = async () => {
        const { leaseUntil } = await world.task(id);
        link.hang();
        await settledOrRenewed(id, new Date((leaseUntil?.getTime() ?? 0) + HANG_LEASE_MS / 2));
      };
      // As where every connection of a busy worker hangs.
      const options = {
        leaseMs: HANG_LEASE_MS,
        poolSize: 1,
        statementTimeoutMs: 500,
        wrap: once('answer received', hang),
      };
      await world.startWorker({ databaseUrl: link.url, ...options });
      await world.submit(label, { model, taskId: id });
      // The other one, which would give the task up.
      await until(() => world.accepted(label).then((accepted) => accepted === 1), 'the vendor has it');
      await world.startWorker({ leaseMs: HANG_LEASE_MS });
      expect(await world.ended(id)).toMatchObject({ status: 'completed', attemptsMade: 1 });
      expect(await world.accepted(label)).toBe(1);
    },
  );

  it('outlives a database that was silent for longer than the lease, for everybody: it is settled', async () => {
    const label = world.label('silent');
    await world.startWorker({ databaseUrl: link.url, leaseMs: 3000, wrap: once('answer received', () => link.mute()) });
    const id = await world.submit(label);
    await until(() => leaseIsOver(id), 'the lease ran out');
    link.mend();
    // As if it had been away from everybody.
    await world.startWorker();
    expect(await world.ended(id)).toMatchObject({ status: 'completed', attemptsMade: 1 });
    expect(await world.accepted(label)).toBe(1);
  });
});

describe('an intent that its worker has not sent, because the database was away for as long as its lease', () => {
  const cases = [undefined, 5].flatMap((limit) =>
    [true, false].flatMap((isAnswerLost) => [['never', limit, isAnswerLost] as const]),
  );

  it.each([...cases, ['lookup', undefined, true], ['idempotent', undefined, true]] as const)(
    'is taken back (%s, limit of the channel: %s, its answer lost: %s): the task goes on, and is sent once',
    async (protocol, maxConcurrency, isAnswerLost) => {
      const channel = world.label('unsent');
      const limit = maxConcurrency === undefined ? {} : { maxConcurrency };
      const wrap = awayAfter('attempt', isAnswerLost);
      const channels = [world.channel(channel, { protocol, ...limit })];
      await world.startWorker({ databaseUrl: link.url, channels, wrap });
      const label = world.label('unsent');
      const id = await world.submit(label, { model: protocol });
      expect(await world.ended(id)).toMatchObject({ status: 'completed', attemptsMade: 2, costNano: 100n });
      expect(await world.accepted(label)).toBe(1);
      expect(await world.attempts(id)).toMatchObject([
        { state: 'refused', fault: 'not_accepted', costNano: 0n },
        { state: 'succeeded' },
      ]);
    },
  );

  it('is taken back of a next stage: the job goes on from its first, and each stage is sent once', async () => {
    const label = world.label('unsent-stage');
    await world.upstream.instruct(label, { staged: true, starts: ['accept', 'accept'] });
    await world.startWorker({ databaseUrl: link.url, wrap: awayAfter('stage', true) });
    const id = await world.submit(label);
    expect(await world.ended(id)).toMatchObject({ status: 'completed', attemptsMade: 1, costNano: 100n });
    expect(await world.accepted(label)).toBe(2);
  });

  it('is not given up by another worker that comes upon it first', async () => {
    let meet = () => {};
    const met = new Promise<void>((resolve) => {
      meet = resolve;
    });
    const slow = (deps: WorkerDeps): WorkerDeps => {
      const withdrawLate: Database['withdrawAttempt'] = async (...given) => {
        await met;
        return deps.database.withdrawAttempt(...given);
      };
      return { ...deps, database: withMethods(deps.database, { withdrawAttempt: withdrawLate }) };
    };
    const away = awayAfter('attempt', true);
    await world.startWorker({ databaseUrl: link.url, wrap: (deps) => slow(away(deps)) });
    const label = world.label('met');
    const id = await world.submit(label);
    await until(() => leaseIsOver(id), 'the lease ran out');
    const other = await world.startWorker();
    await executeTask({ v: 1, taskId: id, fence: 1 }, other.deps);
    expect(await world.task(id)).toMatchObject({ status: 'pending', fence: 1, attemptState: 'starting' });
    meet();
    expect(await world.ended(id)).toMatchObject({ status: 'completed', costNano: 100n });
    expect(await world.accepted(label)).toBe(1);
  });
});

async function leaseIsOver(id: string): Promise<boolean> {
  const [row] = await runSql<{ over: boolean }>(world.database, LEASE_IS_OVER, [id]);
  return row?.over ?? false;
}

const LEASE_IS_OVER = `select attempt_state is not null and lease_until < now() as over from tasks where id = $1`;

const END_CONNECTIONS = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name like 'mediagate-tts %'`;

describe('jobs that come while the database is away', () => {
  it('wait for it in their slots and are not used up', async () => {
    let asked = 0;
    const counted = (deps: WorkerDeps): WorkerDeps => ({
      ...deps,
      database: withMethods(deps.database, {
        claimTask(...given) {
          asked += 1;
          return deps.database.claimTask(...given);
        },
      }),
    });
    const worker = await world.startWorker({ databaseUrl: link.url, concurrency: 2, wrap: counted });
    link.cut();
    const tasks = await Promise.all(Array.from({ length: 6 }, () => world.submit(world.label('early'))));
    await until(async () => asked >= 3, 'both slots have asked, and one of them again');
    link.mend();
    for (const id of tasks) expect(await world.ended(id)).toMatchObject({ status: 'completed', attemptsMade: 1 });
    expect(worker.logged.filter(({ event }) => event === 'task.interrupted')).toEqual([]);
  });
});

describe('a worker asked to end', () => {
  it('finishes the steps in flight, takes no new ones and exits with 0', async () => {
    const worker = await world.spawnWorker();
    worker.takeJobs();
    const labels = [world.label('in-hand'), world.label('in-hand')];
    for (const label of labels) await world.upstream.instruct(label, { starts: ['accept and hold'] });
    const inFlight = await Promise.all(labels.map((label) => world.submit(label)));
    for (const label of labels) await until(async () => (await world.accepted(label)) === 1, `${label} was sent`);

    worker.signal('SIGTERM');
    await worker.draining;
    const late = await world.submit(world.label('late'));
    await world.upstream.release();
    expect(await worker.exited).toEqual({ code: 0, signal: null });
    for (const id of inFlight) {
      expect(await world.task(id)).toMatchObject({ attemptState: 'accepted', leaseUntil: null, fence: 1 });
    }
    expect(await world.task(late)).toMatchObject({ status: 'submitted', fence: 0 });

    await world.startWorker();
    for (const id of [...inFlight, late]) expect(await world.ended(id)).toMatchObject({ status: 'completed' });
    for (const label of labels) expect(await world.accepted(label)).toBe(1);
  });
});
