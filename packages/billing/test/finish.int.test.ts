import { newTaskId, type TaskId } from '@mediagate/contracts';
import { type Database, DatabaseUnavailableError } from '@mediagate/database';
import { claimTask } from '@mediagate/tasks';
import { forAllTests, runSql } from '@mediagate/testkit';
import {
  type AttemptEnd,
  audit,
  createFinisher,
  createSubmitter,
  endByOperator,
  type FinishedTask,
  type FinishRequest,
  keepEnd,
  type Submission,
  taskError,
} from '../src';
import { fundedKey, holdRow, openBooks, type Payer, standing, submission } from './books';

const books = forAllTests(openBooks);
afterEach(async () => {
  expect(await audit(books.database)).toEqual([]);
});

async function acceptedTask(payer: Payer, reservedNano: bigint, more: Partial<Submission> = {}): Promise<TaskId> {
  const item = submission(payer, reservedNano, more);
  expect(await createSubmitter(books.database)(item)).toEqual({ kind: 'accepted' });
  accountOf.set(item.taskId, item.accountId);
  return item.taskId;
}

/** The accounts of this file's tasks. */
const accountOf = new Map<TaskId, string>();

function completion(taskId: TaskId, costNano: bigint, fence: number | 'any' = 'any'): FinishRequest {
  return {
    taskId,
    accountId: accountOf.get(taskId) ?? 'none',
    fence,
    outcome: { kind: 'completed', costNano, result: { images: [] }, usage: { output_tokens: 1 } },
  };
}

function failure(taskId: TaskId, fence: number | 'any' = 'any'): FinishRequest {
  const accountId = accountOf.get(taskId) ?? 'none';
  return { taskId, accountId, fence, outcome: { kind: 'failed', error: taskError('upstream_error') } };
}

describe('finishing', () => {
  it('settles what was used and gives back the rest', async () => {
    const payer = await fundedKey(books.database, 100n, { quotaNano: 80n });
    const taskId = await acceptedTask(payer, 50n);
    expect(await createFinisher(books.database)(completion(taskId, 30n))).toEqual({ won: true, overrunNano: 0n });
    expect(await standing(books.database, payer.accountId)).toEqual({ toppedUp: 100n, held: 0n, settled: 30n });
    const key = await books.database.apiKey.findUniqueOrThrow({ where: { id: payer.keyId } });
    expect(key).toMatchObject({ heldNano: 0n, settledNano: 30n });
    const task = await books.database.task.findUniqueOrThrow({ where: { id: taskId } });
    expect(task).toMatchObject({ status: 'completed', progress: 100, costNano: 30n, usage: { output_tokens: 1 } });
    expect(task.completedAt).not.toBeNull();
  });

  it('is reported as an end once, though the answer to its commit was lost, and by an operator, too', async () => {
    const payer = await fundedKey(books.database, 100n);
    const [taskId, failed] = [await acceptedTask(payer, 20n), await acceptedTask(payer, 20n)];
    let isLost = false;
    const finishTasks: Database['finishTasks'] = async (items) => {
      const rows = await books.database.finishTasks(items);
      if (isLost) return rows;
      isLost = true;
      throw new DatabaseUnavailableError(new Error('the connection broke'));
    };
    const losing: Database = Object.create(books.database, { finishTasks: { value: finishTasks } });
    const ended: FinishedTask[] = [];
    const onEnded = (end: FinishedTask) => ended.push(end);
    const finish = createFinisher(losing, { onEnded });
    expect(await finish(completion(taskId, 15n, 0))).toMatchObject({ won: true });
    expect(await finish(completion(taskId, 15n, 0))).toMatchObject({ won: false });
    for (const _ of ['first', 'again'])
      await endByOperator(books.database, { taskId: failed, onEnded }, { actor: 'cli:ada' });
    expect(ended).toMatchObject([{ chargedNano: 15n }, { reason: 'cancelled', chargedNano: 0n }]);
  });

  it('is won by who asks again after an outage that hid its commit', async () => {
    const payer = await fundedKey(books.database, 100n);
    const webhook = 'https://example.com/hook';
    const taskId = await acceptedTask(payer, 20n, { webhook });
    await books.database.task.update({ where: { id: taskId }, data: { fence: 3 } });
    let tries = 0;
    const finishTasks: Database['finishTasks'] = async (items) => {
      tries += 1;
      const rows = tries === 2 ? [] : await books.database.finishTasks(items);
      if (tries > 2) return rows;
      throw new DatabaseUnavailableError(new Error('the connection broke'));
    };
    const ended: FinishedTask[] = [];
    const losing: Database = Object.create(books.database, { finishTasks: { value: finishTasks } });
    const finish = createFinisher(losing, { onEnded: (end) => ended.push(end) });
    await expect(finish(completion(taskId, 15n, 3))).rejects.toBeInstanceOf(DatabaseUnavailableError);
    expect(await finish(completion(taskId, 15n, 3))).toMatchObject({ won: true, deliveryId: expect.any(String) });
    expect(await finish(completion(taskId, 15n, 3))).toMatchObject({ won: false });
    expect([tries, ended]).toMatchObject([4, [{ chargedNano: 15n }]]);
  });

  it.each([
    ['with a callback', { webhook: 'https://example.com/hook' }],
    ['without one', {}],
  ])('is not won again, %s, by who asks again after an outage, when another has ended it alike', async (_, more) => {
    const payer = await fundedKey(books.database, 100n);
    const taskId = await acceptedTask(payer, 20n, more);
    let tries = 0;
    const finishTasks: Database['finishTasks'] = (items) => {
      tries += 1;
      if (tries > 2) return books.database.finishTasks(items);
      return Promise.reject(new DatabaseUnavailableError(new Error('the connection broke')));
    };
    const ended: FinishedTask[] = [];
    const onEnded = (end: FinishedTask) => ended.push(end);
    const finish = createFinisher(Object.create(books.database, { finishTasks: { value: finishTasks } }), { onEnded });
    await expect(finish(failure(taskId, 0))).rejects.toBeInstanceOf(DatabaseUnavailableError);
    expect(await createFinisher(books.database, { onEnded })(failure(taskId))).toMatchObject({ won: true });
    expect(await finish(failure(taskId, 0))).toMatchObject({ won: false });
    expect([tries, ended.length]).toEqual([3, 1]);
  });

  it('is looked for by who asks again only if it was sent', async () => {
    let looks = 0;
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const silent: Database = Object.create(books.database, {
      finishTasks: { value: () => answered.then(() => []) },
      findEnds: {
        value: async () => {
          looks += 1;
          return [];
        },
      },
    });
    const finish = createFinisher(silent);
    const waiting = Array.from({ length: 5000 }, () => finish(failure(newTaskId(), 3)));
    const refused = failure(newTaskId(), 3);
    await expect(finish(refused)).rejects.toBeInstanceOf(DatabaseUnavailableError);
    answer();
    await Promise.all(waiting);
    expect(await finish(refused)).toMatchObject({ won: false });
    expect(looks).toBe(0);
  });

  it.each([
    ['one end', 0],
    ['many ends', 60],
  ])('whose answer was lost for good is won once, whoever asks again at the same time (%s)', async (_, others) => {
    const payer = await fundedKey(books.database, 2000n);
    const taskIds = await Promise.all(Array.from({ length: 1 + others }, () => acceptedTask(payer, 20n)));
    let isAway = true;
    const finishTasks: Database['finishTasks'] = async (items, lockWaitMs) => {
      const rows = await books.database.finishTasks(items, lockWaitMs);
      if (isAway) throw new DatabaseUnavailableError(new Error('the connection broke'));
      return rows;
    };
    const losing: Database = Object.create(books.database, { finishTasks: { value: finishTasks } });
    const ended: FinishedTask[] = [];
    const finish = createFinisher(losing, { onEnded: (end) => ended.push(end) });
    const endAll = () => Promise.allSettled(taskIds.map((taskId) => finish(completion(taskId, 15n, 0))));
    expect((await endAll()).map(({ status }) => status)).toEqual(taskIds.map(() => 'rejected'));
    isAway = false;
    const outcomes = (await Promise.all([endAll(), endAll(), endAll()])).flat();
    const won = outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value.won);
    expect([won.length, ended.length, outcomes.length]).toEqual([taskIds.length, taskIds.length, 3 * taskIds.length]);
  });

  it('is not reported by who had the task before, when another has ended it alike, and is looked for again', async () => {
    const payer = await fundedKey(books.database, 100n);
    const taskId = await acceptedTask(payer, 20n);
    await books.database.task.update({ where: { id: taskId }, data: { fence: 1 } });
    const lost = () => Promise.reject(new DatabaseUnavailableError(new Error('the connection broke')));
    let [tries, looks] = [0, 0];
    const before: Database = Object.create(books.database, {
      finishTasks: { value: (items: never) => (++tries === 1 ? lost() : books.database.finishTasks(items)) },
      findEnds: { value: (ids: never) => (++looks === 1 ? lost() : books.database.findEnds(ids)) },
    });
    expect(await createFinisher(books.database)({ ...completion(taskId, 15n), fence: 1 })).toMatchObject({ won: true });
    const ended: FinishedTask[] = [];
    const finish = createFinisher(before, { onEnded: (end) => ended.push(end) });
    expect(await finish({ ...completion(taskId, 15n), fence: 0 })).toMatchObject({ won: false });
    expect([looks, ended]).toEqual([2, []]);
  });

  it('of one account waits for a row that somebody holds, and that of another account does not', async () => {
    const [held, free] = [await fundedKey(books.database, 500n), await fundedKey(books.database, 500n)];
    const waiting = await Promise.all(Array.from({ length: 12 }, () => acceptedTask(held, 20n)));
    const others = await Promise.all(Array.from({ length: 12 }, () => acceptedTask(free, 20n)));
    const row = await holdRow(books.database, 'accounts', held.accountId);
    const finish = createFinisher(books.database);
    const settled: string[] = [];
    const note = (name: string) => () => settled.push(name);
    const ends = waiting.map((id) => finish(completion(id, 5n)).then(note('held'), note('held')));
    const otherEnds = others.map((id) => finish(completion(id, 5n)).then(note('free')));
    await Promise.all(otherEnds);
    expect(settled).toEqual(others.map(() => 'free'));
    await row.letGo();
    await Promise.all(ends);
    expect(await standing(books.database, held.accountId)).toEqual({ toppedUp: 500n, held: 0n, settled: 60n });
  });

  it('of many accounts are committed while the ends of one wait for its row, and share no statement with them again', async () => {
    const held = await fundedKey(books.database, 2000n);
    const free = await Promise.all(Array.from({ length: 50 }, () => fundedKey(books.database, 100n)));
    const ofHeld = () => Promise.all(Array.from({ length: 40 }, () => acceptedTask(held, 20n)));
    const ofFree = () => Promise.all(free.map((payer) => acceptedTask(payer, 20n)));
    const [first, second] = [
      [...(await ofHeld()), ...(await ofFree())],
      [...(await ofHeld()), ...(await ofFree())],
    ];
    const heldTasks = new Set([...first.slice(0, 40), ...second.slice(0, 40)]);
    const statements: ('held' | 'mixed' | 'free')[] = [];
    let waitsApart = () => {};
    const isApart = new Promise<void>((resolve) => {
      waitsApart = resolve;
    });
    const finishTasks: Database['finishTasks'] = (items, lockWaitMs = 0) => {
      if (lockWaitMs > 250) waitsApart();
      const ofHeldAccount = items.filter(({ taskId }) => heldTasks.has(taskId)).length;
      statements.push(ofHeldAccount === 0 ? 'free' : ofHeldAccount === items.length ? 'held' : 'mixed');
      return books.database.finishTasks(items, lockWaitMs);
    };
    const finish = createFinisher(Object.create(books.database, { finishTasks: { value: finishTasks } }));
    const row = await holdRow(books.database, 'accounts', held.accountId);
    const waiting: Promise<unknown>[] = [];
    const endAll = (tasks: TaskId[]) => {
      const end = (taskId: TaskId) => finish(completion(taskId, 5n));
      waiting.push(...tasks.slice(0, 40).map(end));
      return Promise.all(tasks.slice(40).map(end));
    };
    await endAll(first);
    await isApart;
    const firstOnes = statements.splice(0);
    await endAll(second);
    const secondOnes = statements.splice(0);
    await row.letGo();
    await Promise.all(waiting);
    expect(firstOnes.filter((kind) => kind !== 'free').length).toBeLessThanOrEqual(4);
    expect(new Set(secondOnes)).toEqual(new Set(['free']));
    expect(statements.length).toBeLessThanOrEqual(3);
    expect(await standing(books.database, held.accountId)).toEqual({ toppedUp: 2000n, held: 0n, settled: 400n });
  });

  it('finds of accounts those whose rows nobody holds, without a wait', async () => {
    const [held, free] = [await fundedKey(books.database, 1n), await fundedKey(books.database, 1n)];
    const row = await holdRow(books.database, 'accounts', held.accountId);
    const find = (...payers: Payer[]) => books.database.findFreeAccounts(payers.map(({ accountId }) => accountId));
    expect(await find(held, free)).toEqual([{ id: free.accountId }]);
    expect(await find(held)).toEqual([]);
    await row.letGo();
    expect(await find(held)).toEqual([{ id: held.accountId }]);
  });

  it('refunds a failed task whole and never touches what was used before', async () => {
    const payer = await fundedKey(books.database, 100n);
    const finish = createFinisher(books.database);
    await finish(completion(await acceptedTask(payer, 20n), 20n));
    const taskId = await acceptedTask(payer, 50n);
    expect(await finish(failure(taskId))).toMatchObject({ won: true });
    expect(await standing(books.database, payer.accountId)).toEqual({ toppedUp: 100n, held: 0n, settled: 20n });
    const task = await books.database.task.findUniqueOrThrow({ where: { id: taskId } });
    expect(task).toMatchObject({ status: 'failed', progress: 100, costNano: 0n, error: { reason: 'upstream_error' } });
  });

  it('does not complete without a result what is to be kept', async () => {
    const payer = await fundedKey(books.database, 100n);
    const taskId = await acceptedTask(payer, 50n);
    const ending = createFinisher(books.database)({
      taskId,
      accountId: payer.accountId,
      fence: 0,
      outcome: { kind: 'completed', costNano: 30n },
    });
    await expect(ending).rejects.toThrow('tasks_ended_whole');
    expect(await standing(books.database, payer.accountId)).toMatchObject({ held: 50n, settled: 0n });
  });

  it('writes down as attempts the calls that nobody wrote down before, and needs no result', async () => {
    const payer = await fundedKey(books.database, 100n);
    const taskId = await acceptedTask(payer, 50n, { family: 'text', kind: 'text' });
    const now = performance.now();
    const refused = { state: 'refused', fault: 'rate_limited', detail: 'status 429', beganAt: now - 3000 } as const;
    const succeeded = {
      state: 'succeeded',
      usage: { outputTokens: 2 },
      requestIds: ['r1'],
      beganAt: now - 2000,
    } as const;
    await createFinisher(books.database)({
      taskId,
      accountId: payer.accountId,
      fence: 0,
      outcome: { kind: 'completed', costNano: 30n },
      calls: [
        { channelId: 'first', protocol: 'gemini', endedAt: now - 2000, ...refused },
        { channelId: 'second', protocol: 'gemini', endedAt: now - 500, ...succeeded },
      ],
    });
    const attempts = await books.database.taskAttempt.findMany({
      where: { taskId },
      orderBy: { number: 'asc' },
    });
    expect(attempts).toMatchObject([
      { number: 1, channelId: 'first', state: 'refused', fault: 'rate_limited', detail: 'status 429', usage: null },
      {
        number: 2,
        channelId: 'second',
        state: 'succeeded',
        fault: null,
        requestIds: ['r1'],
        usage: { outputTokens: 2 },
      },
    ]);
    const lengths = attempts.map(({ startedAt, endedAt }) => Number(endedAt) - Number(startedAt));
    expect(lengths.map((ms) => Math.round(ms / 100))).toEqual([10, 15]);
    expect(await books.database.task.findUnique({ where: { id: taskId } })).toMatchObject({ result: null });
  });

  it('never charges more than was reserved: the rest is an overrun row and is reported', async () => {
    const payer = await fundedKey(books.database, 100n);
    const taskId = await acceptedTask(payer, 10n);
    expect(await createFinisher(books.database)(completion(taskId, 17n))).toEqual({ won: true, overrunNano: 7n });
    expect(await standing(books.database, payer.accountId)).toMatchObject({ held: 0n, settled: 10n });
    expect(await books.database.overrun.findUniqueOrThrow({ where: { taskId } })).toMatchObject({
      amountNano: 7n,
    });
  });

  it('is won by exactly one of many that try at once, over several processes, for better or worse', async () => {
    const payer = await fundedKey(books.database, 10_000n);
    const other = books.another();
    const finishers = [createFinisher(books.database), createFinisher(other)];
    const taskIds = await Promise.all(Array.from({ length: 50 }, () => acceptedTask(payer, 10n)));
    const tries = taskIds.flatMap((taskId) =>
      Array.from({ length: 6 }, async (_, index) => {
        const finish = finishers[index % 2] as (typeof finishers)[number];
        return { taskId, ...(await finish(index % 3 ? completion(taskId, 4n) : failure(taskId))) };
      }),
    );
    const results = await Promise.all(tries);
    for (const taskId of taskIds) {
      expect(results.filter((result) => result.taskId === taskId && result.won)).toHaveLength(1);
    }
    const { held, settled } = await standing(books.database, payer.accountId);
    const completed = await books.database.task.count({
      where: { accountId: payer.accountId, status: 'completed' },
    });
    expect({ held, settled }).toEqual({ held: 0n, settled: BigInt(completed) * 4n });
  });

  it('writes the callback row in the same statement, for completion and failure alike, and only with a webhook', async () => {
    const payer = await fundedKey(books.database, 100n);
    const finish = createFinisher(books.database);
    const told = await acceptedTask(payer, 10n, { webhook: 'https://example.com/hook' });
    const toldOfFailure = await acceptedTask(payer, 10n, { webhook: 'https://example.com/hook' });
    const untold = await acceptedTask(payer, 10n);
    const finished = await Promise.all([
      finish(completion(told, 1n)),
      finish(failure(toldOfFailure)),
      finish(completion(untold, 1n)),
    ]);
    expect(finished.map(({ deliveryId }) => deliveryId !== undefined)).toEqual([true, true, false]);
    const delivery = await books.database.webhookDelivery.findUniqueOrThrow({ where: { taskId: told } });
    expect(delivery).toMatchObject({ id: finished[0]?.deliveryId, state: 'pending', url: 'https://example.com/hook' });
  });

  it('under an old fence changes nothing', async () => {
    const payer = await fundedKey(books.database, 100n);
    const taskId = await acceptedTask(payer, 10n);
    const claim = (id: TaskId) => claimTask(books.database, id, 20_000);
    expect(await claim(taskId)).toMatchObject({ kind: 'claimed', task: { fence: 1, status: 'pending' } });
    await books.database.task.update({ where: { id: taskId }, data: { leaseUntil: new Date(0) } });
    expect(await claim(taskId)).toMatchObject({ kind: 'claimed', task: { fence: 2 } });
    const finish = createFinisher(books.database);
    expect(await finish(completion(taskId, 10n, 1))).toEqual({ won: false, overrunNano: 0n });
    expect(await standing(books.database, payer.accountId)).toMatchObject({ held: 10n, settled: 0n });
    expect(await finish(completion(taskId, 10n, 2))).toMatchObject({ won: true });
  });

  it('closes an attempt that was still open', async () => {
    const payer = await fundedKey(books.database, 100n);
    const taskId = await acceptedTask(payer, 10n);
    const attempt = { id: 'att_1', taskId, number: 1, channelId: 'c', protocol: 'p', state: 'starting' };
    await books.database.taskAttempt.create({ data: attempt });
    await createFinisher(books.database)(failure(taskId));
    expect(await books.database.taskAttempt.findUniqueOrThrow({ where: { id: 'att_1' } })).toMatchObject({
      state: 'unknown',
      detail: 'the task ended first',
    });
  });

  it('closes an attempt that is begun while the end waits for the task', async () => {
    const payer = await fundedKey(books.database, 100n);
    const taskId = await acceptedTask(payer, 10n);
    await claimTask(books.database, taskId, 20_000);
    const row = await holdRow(books.database, 'tasks', taskId);
    const begin = { attemptId: `att_${taskId}`, channelId: 'main', protocol: 'p' };
    const begun = books.database.beginAttempt({ id: taskId, fence: 1 }, begin);
    await row.awaitedBy(1);
    const ended = createFinisher(books.database)(failure(taskId));
    await row.awaitedBy(2);
    await row.letGo();
    expect([await begun, await ended]).toMatchObject([true, { won: true }]);
    expect(await books.database.taskAttempt.findUniqueOrThrow({ where: { id: begin.attemptId } })).toMatchObject({
      number: 1,
      protocol: 'p',
      state: 'unknown',
      detail: 'the task ended first',
      endedAt: expect.any(Date),
    });
  });

  it('finds an attempt begun that is begun again while the first statement waits for the task', async () => {
    const payer = await fundedKey(books.database, 100n);
    const taskId = await acceptedTask(payer, 10n);
    await claimTask(books.database, taskId, 20_000);
    const row = await holdRow(books.database, 'tasks', taskId);
    const begin = { attemptId: `att_${taskId}`, channelId: 'main', protocol: 'p' };
    const begun = books.database.beginAttempt({ id: taskId, fence: 1 }, begin);
    await row.awaitedBy(1);
    const again = books.another().beginAttempt({ id: taskId, fence: 1 }, begin);
    await row.awaitedBy(2);
    await row.letGo();
    expect([await begun, await again]).toEqual([true, true]);
    expect(await books.database.taskAttempt.count({ where: { taskId } })).toBe(1);
  });
});

describe('an end that a claim has kept', () => {
  const SPEECH = { family: 'tts', kind: 'audio', operation: 'audio.speech' } as const;
  const USED = {
    kind: 'completed',
    costNano: 30n,
    units: { characters: 3_000_000_000n },
    usage: { output_tokens: 3 },
  } as const;

  /** A speech at a vendor whose worker kept its end, under fence 3. */
  async function keptTask(payer: Payer) {
    const taskId = await acceptedTask(payer, 50n, { ...SPEECH, webhook: 'https://example.com/hook' });
    const id = `att_of_${taskId}`;
    const began = { taskId, number: 1, channelId: 'main', protocol: 'live', state: 'starting' } as const;
    await books.database.taskAttempt.create({ data: { id, ...began } });
    await books.database.task.update({
      where: { id: taskId },
      data: {
        status: 'pending',
        fence: 3,
        attemptId: id,
        attemptState: 'starting',
        attemptsMade: 1,
        leaseUntil: new Date(),
      },
    });
    const attempt: AttemptEnd = {
      id,
      state: 'unknown',
      detail: 'nobody knows',
      cost: { nano: 7n, origin: 'declared' },
    };
    const keptEnd = keepEnd({ outcome: USED, attempt });
    expect(await books.database.renewTaskLease({ id: taskId, fence: 3 }, 20_000, keptEnd)).toBe(true);
    return taskId;
  }

  it.each<[string, (taskId: TaskId) => Promise<unknown>]>([
    ['an operator', (taskId) => endByOperator(books.database, { taskId }, { actor: 'cli:ada' })],
    ['who holds no claim', (taskId) => createFinisher(books.database)(failure(taskId))],
    [
      'a later claim',
      async (taskId) => {
        await books.database.task.update({ where: { id: taskId }, data: { fence: 4 } });
        const attempt: AttemptEnd = { id: `att_of_${taskId}`, state: 'unknown', detail: 'lost' };
        return createFinisher(books.database)({ ...failure(taskId, 4), attempt });
      },
    ],
  ])('is settled in place of the refund that is asked for by %s', async (_who, end) => {
    const payer = await fundedKey(books.database, 100n);
    const taskId = await keptTask(payer);
    await end(taskId);
    expect(await standing(books.database, payer.accountId)).toEqual({ toppedUp: 100n, held: 0n, settled: 30n });
    expect(await books.database.task.findUniqueOrThrow({ where: { id: taskId } })).toMatchObject({
      status: 'completed',
      costNano: 30n,
      error: null,
      usage: { output_tokens: 3 },
      endIfAbandoned: null,
    });
    expect(await books.database.taskAttempt.findMany({ where: { taskId } })).toMatchObject([
      { state: 'unknown', detail: 'nobody knows', costNano: 7n },
    ]);
    expect(await books.database.reservation.findUniqueOrThrow({ where: { taskId } })).toMatchObject({
      state: 'settled',
      units: { characters: '3000000000' },
      costNano: 7n,
    });
  });

  it('is not taken for its own end by the process that wanted to settle more, and asks again after an outage', async () => {
    const taskId = await keptTask(await fundedKey(books.database, 100n));
    // The id of a callback would tell the two ends apart.
    await books.database.task.update({ where: { id: taskId }, data: { webhook: null } });
    let isAway = true;
    const finishTasks: Database['finishTasks'] = (items) =>
      isAway ? Promise.reject(new DatabaseUnavailableError(new Error('away'))) : books.database.finishTasks(items);
    const finish = createFinisher(Object.create(books.database, { finishTasks: { value: finishTasks } }));
    await expect(finish(completion(taskId, 40n, 3))).rejects.toBeInstanceOf(DatabaseUnavailableError);
    isAway = false;
    await endByOperator(books.database, { taskId }, { actor: 'cli:ada' });
    expect(await finish(completion(taskId, 40n, 3))).toMatchObject({ won: false });
  });

  it('is reported as it is settled, and noted with what came back', async () => {
    const taskId = await keptTask(await fundedKey(books.database, 100n));
    const ended: FinishedTask[] = [];
    await endByOperator(books.database, { taskId, onEnded: (end) => ended.push(end) }, { actor: 'cli:ada' });
    expect(ended).toEqual([expect.not.objectContaining({ reason: expect.anything() })]);
    expect(ended).toMatchObject([{ chargedNano: 30n }]);
    expect(await runSql(books.database, `select detail from audit_log where subject = '${taskId}'`)).toMatchObject([
      { detail: { after: { status: 'completed', refunded_nano: '20' } } },
    ]);
  });

  it('gives way to the end of who holds the claim', async () => {
    const payer = await fundedKey(books.database, 100n);
    const taskId = await keptTask(payer);
    expect(await createFinisher(books.database)(failure(taskId, 3))).toMatchObject({ won: true });
    expect(await standing(books.database, payer.accountId)).toEqual({ toppedUp: 100n, held: 0n, settled: 0n });
  });
});

describe('what the vendor charges', () => {
  /** A task with an attempt under way. */
  async function attemptedTask(payer: Payer): Promise<{ taskId: TaskId; id: string }> {
    const taskId = await acceptedTask(payer, 10n);
    const id = `att_${taskId}`;
    const where = { id: taskId };
    const under = { attemptId: id, attemptState: 'starting', attemptsMade: 1, channelId: 'main' };
    await books.database.task.update({ where, data: under });
    const attempt = { id, taskId, number: 1, channelId: 'main', protocol: 'p', state: 'starting' };
    await books.database.taskAttempt.create({ data: attempt });
    return { taskId, id };
  }
  const known = async (taskId: TaskId) => {
    const where = { taskId };
    const { costNano, channelId } = await books.database.reservation.findUniqueOrThrow({ where });
    const attempt = await books.database.taskAttempt.findFirst({ where, orderBy: { number: 'desc' } });
    return { costNano, channelId, attempt: attempt && [attempt.costNano, attempt.costOrigin] };
  };
  const declared = { nano: 7n, origin: 'declared' } as const;

  it.each<[string, Omit<AttemptEnd, 'id'> | undefined, bigint | null, string | null]>([
    ['what was declared of a success', { state: 'succeeded', cost: declared }, 7n, 'declared'],
    ['what it said itself', { state: 'succeeded', cost: { nano: 9n, origin: 'reported' } }, 9n, 'reported'],
    ['not known of a success without a declaration', { state: 'succeeded' }, null, null],
    ['nothing for what it refused', { state: 'refused', fault: 'content_policy' }, 0n, null],
    [
      'for what was used before it was cancelled',
      { state: 'refused', usage: { seconds: 2 }, cost: declared },
      7n,
      'declared',
    ],
    ['not known of what was used without a declaration', { state: 'refused', usage: { seconds: 2 } }, null, null],
    ['not known where the outcome is not', { state: 'unknown', fault: 'outcome_unknown' }, null, null],
    ['not known where the task ended first', undefined, null, null],
  ])('is %s, on the attempt and beyond it', async (...[, end, costNano, origin]) => {
    const payer = await fundedKey(books.database, 100n);
    const { taskId, id } = await attemptedTask(payer);
    const attempt = end && { id, ...end };
    await createFinisher(books.database)({ ...failure(taskId), ...(attempt === undefined ? {} : { attempt }) });
    expect(await known(taskId)).toEqual({ costNano, channelId: 'main', attempt: [costNano, origin] });
  });

  it('is nothing where no vendor was asked, and not known of a call that its process did not live to tell of', async () => {
    const payer = await fundedKey(books.database, 100n);
    const finish = createFinisher(books.database);
    const [never, unasked, lost] = [
      await acceptedTask(payer, 10n),
      await acceptedTask(payer, 10n, { runsHere: { leaseMs: 1000 } }),
      await acceptedTask(payer, 10n, { runsHere: { leaseMs: 1000 } }),
    ];
    await finish(failure(never));
    await finish({ ...failure(unasked), calls: [] });
    await finish(failure(lost));
    const nowhere = { channelId: null, attempt: null };
    expect(await known(never)).toEqual({ costNano: 0n, ...nowhere });
    expect(await known(unasked)).toEqual({ costNano: 0n, ...nowhere });
    expect(await known(lost)).toEqual({ costNano: null, ...nowhere });
  });

  it('is written once, however many end the attempt at once with other figures', async () => {
    const payer = await fundedKey(books.database, 10_000n);
    const other = books.another();
    const finishers = [createFinisher(books.database), createFinisher(other)] as const;
    const tasks = await Promise.all(Array.from({ length: 20 }, () => attemptedTask(payer)));
    const tries = tasks.flatMap(({ taskId, id }) =>
      Array.from({ length: 6 }, async (_, index) => {
        const cost = { nano: BigInt(index + 1), origin: 'declared' } as const;
        const attempt = { id, state: 'succeeded', cost } as const;
        const { won } = await (finishers[index % 2] ?? finishers[0])({ ...completion(taskId, 1n), attempt });
        return won ? [{ taskId, nano: cost.nano }] : [];
      }),
    );
    const won = (await Promise.all(tries)).flat();
    expect(won).toHaveLength(tasks.length);
    for (const { taskId, nano } of won)
      expect(await known(taskId)).toEqual({ costNano: nano, channelId: 'main', attempt: [nano, 'declared'] });
  });

  it('is what became known later, and what an operator learned stands above that', async () => {
    const payer = await fundedKey(books.database, 100n);
    const finish = createFinisher(books.database);
    const ended = async () => {
      const { taskId, id } = await attemptedTask(payer);
      await finish(failure(taskId));
      return { taskId, id };
    };
    const late = { usage: { images: 1 }, cost: declared, externalId: undefined, detail: 'it came' };
    const [found, paid, free] = [await ended(), await ended(), await ended()];
    await books.database.recordLateOutcome(found.id, late);
    expect(await known(found.taskId)).toMatchObject({ costNano: 7n, attempt: [7n, 'declared'] });
    await books.database.resolveAttempt(paid.id, { resolution: 'paid', costNano: 5n }, { actor: 'test' });
    await books.database.resolveAttempt(free.id, { resolution: 'not_paid' }, { actor: 'test' });
    await books.database.recordLateOutcome(paid.id, late);
    expect(await known(paid.taskId)).toMatchObject({ costNano: 5n, attempt: [5n, 'resolved'] });
    expect(await known(free.taskId)).toMatchObject({ costNano: 0n, attempt: [0n, 'resolved'] });
  });
});

describe('the database itself', () => {
  it('refuses to change a task that has ended, whoever asks', async () => {
    const payer = await fundedKey(books.database, 100n);
    const taskId = await acceptedTask(payer, 10n);
    await createFinisher(books.database)(completion(taskId, 1n));
    const change = books.database.task.update({ where: { id: taskId }, data: { costNano: 0n } });
    await expect(change).rejects.toThrow(/has ended/);
  });

  it('refuses to change or remove a ledger entry', async () => {
    const payer = await fundedKey(books.database, 100n);
    const where = { accountId: payer.accountId };
    await expect(books.database.ledgerEntry.updateMany({ where, data: { amountNano: 1n } })).rejects.toThrow(
      /append-only/,
    );
    await expect(books.database.ledgerEntry.deleteMany({ where })).rejects.toThrow(/append-only/);
  });

  it('refuses a balance below zero', async () => {
    const payer = await fundedKey(books.database, 100n);
    const change = books.database.account.update({ where: { id: payer.accountId }, data: { heldNano: 101n } });
    await expect(change).rejects.toThrow(/balance_not_negative/);
  });

  it('refuses to take a task back in state or progress', async () => {
    const payer = await fundedKey(books.database, 100n);
    const taskId = await acceptedTask(payer, 10n);
    await claimTask(books.database, taskId, 20_000);
    const change = books.database.task.update({ where: { id: taskId }, data: { status: 'submitted' } });
    await expect(change).rejects.toThrow(/cannot go/);
  });
});
