import type { TaskId } from '@mediagate/contracts';
import { LEFT_FOR_MS } from '@mediagate/database';
import { forAllTests } from '@mediagate/testkit';
import { type Claim, claimTask, writeIntent } from '../src';
import { ENDED, insertClaimed, openRowsOfKey, readTask, secondsFromNow } from './rows';

const UNSENT = { isStage: false, isSentAgain: false, fault: 'not_accepted', detail: 'the lease had run out' } as const;

let attempts = 0;
const rows = forAllTests(openRowsOfKey);

const claim = (id: TaskId) => claimTask(rows.other, id, 20_000);

const claimed = (more: Record<string, unknown> = {}) => insertClaimed(rows.database, rows.keyId, more);

const begin = (maxConcurrency?: number) => {
  attempts += 1;
  return { attemptId: `att_${attempts}`, channelId: 'a-channel', protocol: 'p', maxConcurrency };
};

async function begun(held: Claim): Promise<string> {
  const attempt = begin();
  expect(await writeIntent(rows.database, held, attempt)).toBe('begun');
  return attempt.attemptId;
}

const task = ({ id }: Claim) => readTask(rows.database, id);
const attempt = (id: string) => rows.database.taskAttempt.findUnique({ where: { id } });
const change = ({ id }: Claim, data: object) => rows.database.task.update({ where: { id }, data });
/** Another worker has claimed the task after `postpone`, `finish` or the like: it has the next fence and a lease. */
const passedOn = (held: Claim) => change(held, { fence: 8, leaseUntil: secondsFromNow(20) });

describe('an intent', () => {
  it.each([undefined, 5])('is not written once its lease has lapsed (limit of the channel: %s)', async (limit) => {
    const held = await claimed({ leaseUntil: secondsFromNow(-0.1) });
    expect(await writeIntent(rows.database, held, begin(limit))).toBe('lost');
    expect(await task(held)).toMatchObject({ attemptState: null, attemptsMade: 0 });
  });

  it.each([undefined, 5])(
    'that arrives after its worker gave the claim back is not written (limit of the channel: %s)',
    async (limit) => {
      const held = await claimed();
      const late = begin(limit);
      expect(await rows.database.returnTaskClaim(held, 0)).toBe(true);
      expect(await writeIntent(rows.database, held, late)).toBe('lost');
      expect(await attempt(late.attemptId)).toBeNull();
      expect(await claim(held.id)).toMatchObject({ kind: 'claimed', task: { fence: 8, attempt: undefined } });
    },
  );

  it.each([
    ['whose lease has lapsed', () => secondsFromNow(-0.1)],
    ['that its worker gave back', () => null],
  ])('of a next stage is not written for a task %s', async (_, leaseUntil) => {
    const held = await claimed();
    const attemptId = await begun(held);
    await change(held, { attemptState: 'accepted', leaseUntil: leaseUntil() });
    expect(await rows.database.beginStage(held, attemptId)).toBe(false);
    expect(await task(held)).toMatchObject({ attemptState: 'accepted' });
  });
});

describe('an intent that was not sent', () => {
  it('is taken back: the task is due at once, and its attempt has cost nothing', async () => {
    const held = await claimed({ failedSteps: 2, nextStepAt: secondsFromNow(-60) });
    const attemptId = await begun(held);
    expect(await rows.database.withdrawAttempt(held, { ...UNSENT, attemptId })).toMatchObject({ fence: 8 });
    expect(await task(held)).toMatchObject({ fence: 8, attemptState: null, leaseUntil: null, failedSteps: 2 });
    const closed = { state: 'refused', fault: 'not_accepted', costNano: 0n, endedAt: expect.any(Date) };
    expect(await attempt(attemptId)).toMatchObject(closed);
    expect(await claim(held.id)).toMatchObject({
      kind: 'claimed',
      task: { fence: 9, attempt: undefined, lostSteps: 0 },
    });
  });

  it('is taken back before it is written: it never is', async () => {
    const held = await claimed();
    const late = begin();
    expect(await rows.database.withdrawAttempt(held, { ...UNSENT, attemptId: late.attemptId })).toMatchObject({
      fence: 8,
    });
    expect(await writeIntent(rows.database, held, late)).toBe('lost');
    expect(await attempt(late.attemptId)).toBeNull();
  });

  it('is taken back while it is being written: the attempt that appears meanwhile is closed, too', async () => {
    const held = await claimed();
    const late = begin();
    const outcomes = await Promise.all([
      writeIntent(rows.database, held, late),
      rows.database.withdrawAttempt(held, { ...UNSENT, attemptId: late.attemptId }),
    ]);
    expect([
      ['begun', 8],
      ['lost', 8],
    ]).toContainEqual([outcomes[0], outcomes[1]?.fence]);
    expect(await task(held)).toMatchObject({ fence: 8, attemptState: null });
    expect((await attempt(late.attemptId))?.state ?? 'refused').toBe('refused');
  });

  it('is taken back from another worker, which then cannot end the task for it', async () => {
    const held = await claimed();
    const attemptId = await begun(held);
    await passedOn(held);
    expect(await rows.database.withdrawAttempt(held, { ...UNSENT, attemptId })).toMatchObject({ fence: 9 });
    expect(await rows.database.renewTaskLease({ ...held, fence: 8 }, 20_000)).toBe(false);
    expect(await task(held)).toMatchObject({ fence: 9, attemptState: null, leaseUntil: null });
  });

  it('stays where another worker may be sending it', async () => {
    const held = await claimed();
    const attemptId = await begun(held);
    await passedOn(held);
    const before = await task(held);
    expect(await rows.database.withdrawAttempt(held, { ...UNSENT, attemptId, isSentAgain: true })).toBeUndefined();
    expect(await task(held)).toEqual(before);
    expect(await attempt(attemptId)).toMatchObject({ state: 'starting' });
  });

  it('changes nothing once another attempt has begun, the task has ended, or it was taken back before', async () => {
    const [goesOn, over, twice] = [await claimed(), await claimed(), await claimed()];
    const ids = [await begun(goesOn), await begun(over), await begun(twice)] as const;
    await passedOn(goesOn);
    await begun({ ...goesOn, fence: 8 });
    await change(over, { ...ENDED, leaseUntil: null });
    expect(await rows.database.withdrawAttempt(twice, { ...UNSENT, attemptId: ids[2] })).toMatchObject({ fence: 8 });
    const before = await Promise.all([goesOn, over, twice].map(task));
    const again = [goesOn, over, twice].map((held, index) =>
      rows.database.withdrawAttempt(held, { ...UNSENT, attemptId: ids[index] as string }),
    );
    expect(await Promise.all(again)).toEqual([undefined, undefined, undefined]);
    expect(await Promise.all([goesOn, over, twice].map(task))).toEqual(before);
  });

  it('of a next stage leaves the job where its first one was, and only under its own fence', async () => {
    const [ours, others] = [await claimed(), await claimed()];
    const stage = { ...UNSENT, isStage: true };
    for (const held of [ours, others]) {
      const attemptId = await begun(held);
      const operation = { id: 'job' };
      const accepted = { attemptId, externalId: `job of ${attemptId}`, operation, requestIds: [], nextStepInMs: 0 };
      await rows.database.saveOperation(held, accepted);
      await change(held, { leaseUntil: secondsFromNow(20) });
      expect(await rows.database.beginStage(held, attemptId)).toBe(true);
      if (held === others) await passedOn(held);
      const withdrawn = await rows.database.withdrawAttempt(held, { ...stage, attemptId });
      expect(withdrawn?.fence).toBe(held === ours ? 8 : undefined);
      const attemptState = held === ours ? 'accepted' : 'starting';
      expect(await task(held)).toMatchObject({ attemptState, upstreamOperation: operation });
      expect(await attempt(attemptId)).toMatchObject({ state: 'accepted', externalId: `job of ${attemptId}` });
    }
  });
});

describe('a lease that lapsed in the middle of a call', () => {
  /** In the past for both: the lease was over before anyone came. */
  const lapsed = () => claimed({ nextStepAt: secondsFromNow(-60) });

  it('is left to its owner for a moment, whose word still counts, and then passes on', async () => {
    const held = await lapsed();
    const attemptId = await begun(held);
    await change(held, { leaseUntil: secondsFromNow(-30) });
    expect(await claim(held.id)).toMatchObject({ kind: 'early', fence: 7, waitMs: LEFT_FOR_MS });
    expect(await task(held)).toMatchObject({ fence: 7, lostSteps: 0, attemptId });
    expect(await claim(held.id)).toEqual({ kind: 'not_claimable' });

    const { leaseUntil, nextStepAt } = await task(held);
    expect(leaseUntil).toEqual(nextStepAt);
    const over = secondsFromNow(-0.1);
    await change(held, { leaseUntil: over, nextStepAt: over });
    expect(await claim(held.id)).toMatchObject({ kind: 'claimed', task: { fence: 8, lostSteps: 1 } });
  });

  it('is left to its owner again after that has renewed it', async () => {
    const held = await lapsed();
    await begun(held);
    await change(held, { leaseUntil: secondsFromNow(-30) });
    expect(await claim(held.id)).toMatchObject({ kind: 'early' });
    expect(await rows.database.renewTaskLease(held, 20_000)).toBe(true);
    await change(held, { nextStepAt: secondsFromNow(-9), leaseUntil: secondsFromNow(-1) });
    expect(await claim(held.id)).toMatchObject({ kind: 'early', fence: 7 });
  });

  it('passes on at once where no call is open', async () => {
    const held = await claimed({ attemptId: 'att', attemptState: 'accepted', leaseUntil: secondsFromNow(-1) });
    await change(held, { nextStepAt: secondsFromNow(-60) });
    expect(await claim(held.id)).toMatchObject({ kind: 'claimed', task: { fence: 8 } });
  });
});
