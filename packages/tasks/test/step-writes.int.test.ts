import { newTaskId, type TaskId } from '@mediagate/contracts';
import { forAllTests } from '@mediagate/testkit';
import { type Claim, describeTaskHistory, readTaskHistory, writeIntent } from '../src';
import { ENDED, insertClaimed, openRowsOfKey, readTask, secondsFromNow } from './rows';

const LEASE_MS = 20_000;
const REFUSAL = { fault: 'upstream_fault', detail: 'it failed', requestIds: ['r2'], nextStepInMs: 3000 } as const;
const CHECK = { phase: 'running', progress: 40, operation: undefined, nextStepInMs: 3000, failedStep: false } as const;

let attempts = 0;
const rows = forAllTests(openRowsOfKey);

/** A task in a worker's hands under the fence 7. */
const claimed = (more: Record<string, unknown> = {}) => insertClaimed(rows.database, rows.keyId, more);

const begin = (channelId = 'a-channel', maxConcurrency?: number) => {
  attempts += 1;
  return { attemptId: `att_${attempts}`, channelId, protocol: 'p', maxConcurrency };
};

async function begun(task: Claim, channelId?: string): Promise<string> {
  const attempt = begin(channelId);
  expect(await writeIntent(rows.database, task, attempt)).toBe('begun');
  return attempt.attemptId;
}

const accepted = (attemptId: string) => ({
  attemptId,
  externalId: `job of ${attemptId}`,
  operation: { id: attemptId },
  requestIds: ['r1'],
  nextStepInMs: 3000,
});

const refusal = (attemptId: string | undefined) => ({
  ...REFUSAL,
  requestIds: [...REFUSAL.requestIds],
  attemptId,
  triedChannels: ['a-channel'],
  failedStep: true,
  barredChannels: ['no-channel'],
});

const task = ({ id }: { id: TaskId }) => readTask(rows.database, id);
const attempt = (id: string) => rows.database.taskAttempt.findUnique({ where: { id } });

describe('attempts that begin at once', () => {
  it('are each written for its own task', async () => {
    const tasks = await Promise.all(Array.from({ length: 5 }, () => claimed()));
    const attemptIds = await Promise.all(tasks.map((held, index) => begun(held, `channel-${index}`)));
    const written = await Promise.all(attemptIds.map(attempt));
    expect(written.map((row) => [row?.taskId, row?.channelId, row?.number])).toEqual(
      tasks.map(({ id }, index) => [id, `channel-${index}`, 1]),
    );
    expect((await Promise.all(tasks.map(task))).map((row) => row?.attemptId)).toEqual(attemptIds);
  });

  it('are lost each by itself: to an old fence even beside the present one, and for a task that is not there', async () => {
    const held = await claimed();
    const other = await claimed();
    const present = begin();
    const outcomes = await Promise.all([
      writeIntent(rows.database, { ...held, fence: 6 }, begin()),
      writeIntent(rows.database, held, present),
      writeIntent(rows.database, { id: newTaskId(), fence: 1 }, begin()),
      writeIntent(rows.database, other, begin()),
    ]);
    expect(outcomes).toEqual(['lost', 'begun', 'lost', 'begun']);
    expect(await task(held)).toMatchObject({ attemptId: present.attemptId, attemptsMade: 1 });
  });
});

describe('every write of a worker', () => {
  const LOST: unknown[] = [false, 'lost'];
  const WRITES: Record<string, (task: Claim) => Promise<unknown>> = {
    renewLease: (held) => rows.database.renewTaskLease(held, LEASE_MS),
    beginAttempt: (held) => writeIntent(rows.database, held, begin()),
    'beginAttempt on a limited channel': (held) => writeIntent(rows.database, held, begin('limited', 1000)),
    saveOperation: (held) => rows.database.saveOperation(held, accepted('att_open')),
    postpone: (held) => rows.database.postponeTask(held, CHECK),
    giveUpAttempt: (held) => rows.database.giveUpAttempt(held, refusal('att_open')),
  };

  it.each(Object.entries(WRITES))('%s changes nothing under an old fence', async (_, write) => {
    const held = await claimed({ attemptId: 'att_open', attemptState: 'starting' });
    const before = await task(held);
    expect(LOST).toContain(await write({ ...held, fence: 6 }));
    expect(await task(held)).toEqual(before);
  });

  it.each(Object.entries(WRITES))('%s changes nothing once the task has ended', async (_, write) => {
    const held = await claimed({ ...ENDED, attemptId: 'att_open', leaseUntil: null });
    const before = await task(held);
    expect(LOST).toContain(await write(held));
    expect(await task(held)).toEqual(before);
    expect(await rows.database.taskAttempt.count({ where: { taskId: held.id } })).toBe(0);
  });
});

describe('a lease', () => {
  it('is renewed from the time of asking, also when it had run out and nobody took over', async () => {
    const held = await claimed({ leaseUntil: secondsFromNow(-5) });
    expect(await rows.database.renewTaskLease(held, LEASE_MS)).toBe(true);
    expect(Number((await task(held)).leaseUntil)).toBeGreaterThan(Number(secondsFromNow(15)));
  });

  it('is renewed in one statement with the others of its process, each by its own fence', async () => {
    const tasks = await Promise.all(Array.from({ length: 5 }, () => claimed()));
    const tally = rows.database.tally('renewals');
    const { batches, items } = tally;
    const old = { ...(tasks[0] as Claim), fence: 6 };
    const renewed = await Promise.all([old, ...tasks].map((held) => rows.database.renewTaskLease(held, 60_000)));
    expect(renewed).toEqual([false, true, true, true, true, true]);
    expect([tally.batches - batches, tally.items - items]).toEqual([1, 6]);
    for (const held of tasks) expect(Number((await task(held)).leaseUntil)).toBeGreaterThan(Number(secondsFromNow(50)));
  });

  it('keeps an end that comes in the same statement as a renewal without one', async () => {
    const held = await claimed();
    const end = JSON.stringify({ kind: 'kept' });
    const renewed = [rows.database.renewTaskLease(held, LEASE_MS), rows.database.renewTaskLease(held, LEASE_MS, end)];
    expect(await Promise.all([...renewed, rows.database.renewTaskLease(held, LEASE_MS)])).toEqual([true, true, true]);
    expect((await task(held)).endIfAbandoned).toMatchObject({ kind: 'kept', fence: 7 });
  });

  it('does not come back when a renewal arrives after the step was concluded', async () => {
    const held = await claimed();
    await rows.database.postponeTask(held, CHECK);
    expect(await rows.database.renewTaskLease(held, LEASE_MS)).toBe(false);
    expect(await task(held)).toMatchObject({ leaseUntil: null });
  });
});

describe('an attempt', () => {
  it('is written down with its number before anything is sent', async () => {
    const held = await claimed();
    const id = await begun(held);
    expect(await task(held)).toMatchObject({ attemptId: id, attemptState: 'starting', attemptsMade: 1 });
    expect(await attempt(id)).toMatchObject({ taskId: held.id, number: 1, state: 'starting', externalId: null });
  });

  it('that was accepted is known by its operation, free for the next check, with failed steps forgiven', async () => {
    const held = await claimed({ failedSteps: 4 });
    const id = await begun(held);
    expect(await rows.database.saveOperation(held, accepted(id))).toBe(true);
    const row = await task(held);
    expect(row).toMatchObject({
      attemptState: 'accepted',
      upstreamOperation: { id },
      leaseUntil: null,
      failedSteps: 0,
    });
    expect(row.nextStepAt > secondsFromNow(2)).toBe(true);
    expect(await attempt(id)).toMatchObject({ state: 'accepted', externalId: `job of ${id}`, requestIds: ['r1'] });
  });

  it('is not saved over another one of the same task', async () => {
    const held = await claimed();
    const [first, second] = [await begun(held), await begun(held)];
    expect(await rows.database.saveOperation(held, accepted(first))).toBe(false);
    expect(await attempt(first)).toMatchObject({ state: 'starting' });
    expect(await rows.database.saveOperation(held, accepted(second))).toBe(true);
  });

  it('that was turned away is closed with its fault, and the task is free to go on', async () => {
    const held = await claimed();
    const id = await begun(held);
    expect(await rows.database.giveUpAttempt(held, refusal(id))).toBe(true);
    expect(await task(held)).toMatchObject({
      attemptState: null,
      leaseUntil: null,
      triedChannels: ['a-channel'],
      failedSteps: 1,
      barredChannels: ['no-channel'],
    });
    const { fault, detail, requestIds } = REFUSAL;
    expect(await attempt(id)).toMatchObject({ state: 'refused', fault, detail, requestIds, endedAt: expect.any(Date) });
  });

  it('begins on a full channel for nobody, counted over all processes at once', async () => {
    const tasks = await Promise.all(Array.from({ length: 12 }, () => claimed()));
    const outcomes = await Promise.all(
      tasks.map((held, index) => writeIntent(index % 2 ? rows.database : rows.other, held, begin('narrow', 4))),
    );
    expect(outcomes.filter((outcome) => outcome === 'begun')).toHaveLength(4);
    expect(outcomes.filter((outcome) => outcome === 'at_capacity')).toHaveLength(8);
    const full = tasks[outcomes.indexOf('at_capacity')] as Claim;
    expect(await task(full)).toMatchObject({ attemptState: null, attemptsMade: 0 });

    const running = tasks[outcomes.indexOf('begun')] as Claim;
    await rows.database.giveUpAttempt(running, refusal((await task(running)).attemptId ?? ''));
    expect(await writeIntent(rows.database, full, begin('narrow', 4))).toBe('begun');
  });
});

describe('a check', () => {
  it('moves state and progress forward only, and never to the end', async () => {
    const held = await claimed();
    await rows.database.postponeTask(held, { ...CHECK, progress: 40 });
    expect(await task(held)).toMatchObject({ status: 'processing', progress: 40, leaseUntil: null });
    await rows.database.postponeTask(held, { ...CHECK, phase: 'queued', progress: 20 });
    expect(await task(held)).toMatchObject({ status: 'processing', progress: 40 });
    await rows.database.postponeTask(held, { ...CHECK, progress: 100 });
    expect(await task(held)).toMatchObject({ progress: 99 });
  });

  it('that found nothing out counts, and a good one of an accepted job starts the count anew', async () => {
    const held = await claimed({ attemptState: 'accepted', upstreamOperation: { id: 1 } });
    await rows.database.postponeTask(held, { ...CHECK, failedStep: true });
    await rows.database.postponeTask(held, { ...CHECK, failedStep: true });
    expect(await task(held)).toMatchObject({ failedSteps: 2, upstreamOperation: { id: 1 } });
    await rows.database.postponeTask(held, { ...CHECK, operation: { id: 2 } });
    expect(await task(held)).toMatchObject({ failedSteps: 0, upstreamOperation: { id: 2 } });
  });

  it('that found nothing out says why, as long as no good one follows and the attempt goes on', async () => {
    const held = await claimed();
    const id = await begun(held);
    await rows.database.saveOperation(held, accepted(id));
    const shown = async () => {
      const history = await readTaskHistory(rows.database, held.id);
      return history && describeTaskHistory(history, { creditsPerUnit: 10 }).attempts;
    };
    const fault = { code: 'not_accepted', detail: 'HTTP 404: no such job', answer: '{"code":404}' } as const;
    await rows.database.postponeTask(held, { ...CHECK, failedStep: true, fault });
    const { code, ...words } = fault;
    expect(await shown()).toMatchObject([{ id, state: 'accepted', fault: code, ...words }]);
    await rows.database.postponeTask(held, CHECK);
    expect(await shown()).toMatchObject([{ id, state: 'accepted', fault: null, detail: null }]);
    await rows.database.giveUpAttempt(held, refusal(id));
    expect(await shown()).toMatchObject([{ id, state: 'refused', fault: REFUSAL.fault, detail: REFUSAL.detail }]);
  });

  it('of an attempt whose fate is open forgives nothing', async () => {
    const held = await claimed({ attemptState: 'starting', failedSteps: 2 });
    await rows.database.postponeTask(held, CHECK);
    expect(await task(held)).toMatchObject({ failedSteps: 2 });
  });
});

describe('steps that ended with their worker', () => {
  const LOST = { lostSteps: 3 };
  const lostSteps = async (held: Claim) => (await task(held))?.lostSteps;

  it('count anew after a step of an attempt that came to its end', async () => {
    const [accepting, checking, refused, staged] = await Promise.all([1, 2, 3, 4].map(() => claimed(LOST)));
    if (!accepting || !checking || !refused || !staged) throw new Error('not claimed');
    await rows.database.saveOperation(accepting, accepted(await begun(accepting)));
    await rows.database.postponeTask(checking, CHECK);
    await rows.database.giveUpAttempt(refused, refusal(await begun(refused)));
    const attemptId = await begun(staged);
    await rows.database.withdrawStage(staged, { attemptId, nextStepInMs: 3000, failedStep: false });
    expect(await Promise.all([accepting, checking, refused, staged].map(lostSteps))).toEqual([0, 0, 0, 0]);
  });

  it('count on while none is begun: such a step may have ended before what kills workers', async () => {
    const [turnedAway, returned] = [await claimed(LOST), await claimed(LOST)];
    await rows.database.giveUpAttempt(turnedAway, refusal(undefined));
    await rows.database.returnTaskClaim(returned, 3000);
    expect(await Promise.all([turnedAway, returned].map(lostSteps))).toEqual([3, 3]);
  });
});

describe('a late outcome', () => {
  const late = { usage: { images: 1 }, cost: undefined, externalId: 'job-late', detail: 'it came' };

  it('is added to an attempt that was put down as unknown', async () => {
    const held = await claimed();
    const id = await begun(held);
    const ended = { state: 'unknown', detail: 'the task ended first', endedAt: new Date(0) };
    await rows.database.taskAttempt.update({ where: { id }, data: ended });
    await rows.database.recordLateOutcome(id, late);
    expect(await attempt(id)).toMatchObject({
      state: 'unknown',
      usage: { images: 1 },
      externalId: 'job-late',
      endedAt: new Date(0),
      detail: 'the task ended first; late: it came',
    });
  });

  it.each(['starting', 'accepted', 'succeeded', 'refused'])('changes nothing on one that is %s', async (state) => {
    const id = await begun(await claimed());
    await rows.database.taskAttempt.update({ where: { id }, data: { state } });
    const before = await attempt(id);
    await rows.database.recordLateOutcome(id, late);
    expect(await attempt(id)).toEqual(before);
  });
});
