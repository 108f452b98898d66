import { newTaskId, type TaskId } from '@mediagate/contracts';
import { forAllTests } from '@mediagate/testkit';
import { type ClaimOutcome, claimTask } from '../src';
import { ENDED, insertKey, insertTask, openRowsOfKey, readTask, secondsFromNow } from './rows';

const LEASE_MS = 20_000;
const NOT_CLAIMABLE = { kind: 'not_claimable' };

const rows = forAllTests(openRowsOfKey);

const claim = (id: TaskId) => claimTask(rows.database, id, LEASE_MS);
const claimElsewhere = (id: TaskId) => claimTask(rows.other, id, LEASE_MS);

const count = (outcomes: ClaimOutcome[], kind: ClaimOutcome['kind']) =>
  outcomes.filter((outcome) => outcome.kind === kind).length;

describe('a claim', () => {
  it('brings a lease, the next fence and all that a worker needs', async () => {
    const id = await insertTask(rows.database, rows.keyId);
    const outcome = await claim(id);
    expect(outcome).toMatchObject({
      kind: 'claimed',
      task: {
        id,
        fence: 1,
        status: 'pending',
        failedSteps: 0,
        lostSteps: 0,
        attemptsMade: 0,
        triedChannels: [],
        barredChannels: [],
        attempt: undefined,
        input: { prompt: 'a lighthouse' },
        rates: { second: 9_007_199_254_740_993n },
      },
    });
    const msToDeadline = outcome.kind === 'claimed' ? outcome.task.msToDeadline : 0;
    expect(msToDeadline).toBeGreaterThan(590_000);
    expect(msToDeadline).toBeLessThanOrEqual(600_000);
    const { leaseUntil, startedAt } = await readTask(rows.database, id);
    expect(Number(leaseUntil) - Number(startedAt)).toBe(LEASE_MS);
  });

  it('says where an open attempt is to be asked about, and looks no attempt up that has ended', async () => {
    const at = { protocol: 'p', channelId: 'a-channel', destination: 'there', number: 1, state: 'accepted' };
    const claimedWith = async (attemptId: string, attemptState: string | null) => {
      const id = await insertTask(rows.database, rows.keyId, { attemptId, attemptState, channelId: 'a-channel' });
      await rows.database.taskAttempt.create({ data: { ...at, id: attemptId, taskId: id } });
      const row = await rows.database.claimTask(id, LEASE_MS);
      return row?.destination;
    };
    expect(await claimedWith('att_open', 'accepted')).toBe('there');
    expect(await claimedWith('att_ended', null)).toBeNull();
  });

  it('is given to exactly one of many who ask at once, in one process or in several', async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, () => insertTask(rows.database, rows.keyId)));
    const outcomes = await Promise.all(
      ids.flatMap((id) => [claim(id), claimElsewhere(id), claim(id), claimElsewhere(id)]),
    );
    expect(count(outcomes, 'claimed')).toBe(10);
    expect(count(outcomes, 'not_claimable')).toBe(30);
    for (const id of ids) expect(await readTask(rows.database, id)).toMatchObject({ fence: 1 });
  });

  it.each([
    ['leased to another worker', () => ({ leaseUntil: secondsFromNow(600) })],
    ['put off for long', () => ({ nextStepAt: secondsFromNow(120) })],
    ['past its deadline', () => ({ deadlineAt: secondsFromNow(-1) })],
    ['over', () => ENDED],
  ])('is refused on a task that is %s', async (_, more) => {
    const id = await insertTask(rows.database, rows.keyId, more());
    expect(await claim(id)).toEqual(NOT_CLAIMABLE);
    expect(await readTask(rows.database, id)).toMatchObject({ fence: 0 });
  });

  it('is refused on a task that does not exist', async () => {
    expect(await claim(newTaskId())).toEqual(NOT_CLAIMABLE);
  });

  it('that is asked for before its time says how long to wait', async () => {
    const id = await insertTask(rows.database, rows.keyId, { nextStepAt: secondsFromNow(20) });
    const outcome = await claim(id);
    expect(outcome).toMatchObject({ kind: 'early', fence: 0 });
    expect(outcome).toEqual({ ...outcome, waitMs: expect.closeTo(20_000, -4) });
    expect(await readTask(rows.database, id)).toMatchObject({ fence: 0 });
  });

  it('says of each of many that come together which came too early, and which is over', async () => {
    const soon = { nextStepAt: secondsFromNow(20) };
    const early = await Promise.all(Array.from({ length: 20 }, () => insertTask(rows.database, rows.keyId, soon)));
    const [due, ended] = [
      await insertTask(rows.database, rows.keyId),
      await insertTask(rows.database, rows.keyId, ENDED),
    ];
    const outcomes = await Promise.all([...early, due, ended].map(claim));
    expect(outcomes.map(({ kind }) => kind)).toEqual([...early.map(() => 'early'), 'claimed', 'not_claimable']);
  });

  it('comes a little early, because the queue goes by another clock', async () => {
    const id = await insertTask(rows.database, rows.keyId, { nextStepAt: secondsFromNow(0.2) });
    expect(await claim(id)).toMatchObject({ kind: 'claimed' });
  });

  it('passes to the next worker with a new fence once the lease has run out', async () => {
    const more = { fence: 3, status: 'processing', leaseUntil: secondsFromNow(-0.1) };
    const id = await insertTask(rows.database, rows.keyId, more);
    expect(await claim(id)).toMatchObject({ kind: 'claimed', task: { fence: 4, status: 'processing' } });
  });

  it('counts the steps that ended with their worker, and those alone', async () => {
    const lapsed = await insertTask(rows.database, rows.keyId, { lostSteps: 2, leaseUntil: secondsFromNow(-0.1) });
    const concluded = await insertTask(rows.database, rows.keyId, { lostSteps: 2, failedSteps: 1 });
    expect(await claim(lapsed)).toMatchObject({ task: { lostSteps: 3 } });
    expect(await claim(concluded)).toMatchObject({ task: { lostSteps: 2 } });
  });

  it('shows the attempt that another worker left under way, and none that was given up', async () => {
    const attempt = { attemptId: 'att_1', channelId: 'c', upstreamOperation: { id: 'job' }, fence: 1 };
    const underWay = await insertTask(rows.database, rows.keyId, { ...attempt, attemptState: 'accepted' });
    const givenUp = await insertTask(rows.database, rows.keyId, { ...attempt, attemptState: null });
    expect(await claim(underWay)).toMatchObject({
      task: { attempt: { id: 'att_1', state: 'accepted', channelId: 'c', operation: { id: 'job' } } },
    });
    expect(await claim(givenUp)).toMatchObject({ task: { attempt: undefined } });
  });
});

describe('the tasks of a key with a limit', () => {
  it('are never claimed beyond it, by however many workers at once', async () => {
    const limited = await insertKey(rows.database, 3);
    const ids = await Promise.all(Array.from({ length: 20 }, () => insertTask(rows.database, limited)));
    const outcomes = await Promise.all(ids.map((id, index) => (index % 2 ? claim(id) : claimElsewhere(id))));
    expect(count(outcomes, 'claimed')).toBe(3);
    expect(count(outcomes, 'not_claimable')).toBe(17);
    const awaiting = { keyId: limited, status: 'submitted', awaitsKeySlot: true };
    expect(await rows.database.task.count({ where: awaiting })).toBe(17);
  });

  it('that found no slot free are claimed by no job, until they are handed one', async () => {
    const limited = await insertKey(rows.database, 1);
    const [first, second] = [await insertTask(rows.database, limited), await insertTask(rows.database, limited)];
    expect(await claim(first)).toMatchObject({ kind: 'claimed' });
    expect(await claim(second)).toEqual(NOT_CLAIMABLE);
    const { nextStepAt, deadlineAt, fence } = await readTask(rows.database, second);
    expect([nextStepAt, fence]).toEqual([deadlineAt, 0]);

    await rows.database.task.update({ where: { id: first }, data: ENDED });
    // The last moment before its deadline is its next step.
    await rows.database.task.update({ where: { id: second }, data: { nextStepAt: new Date() } });
    expect(await claim(second)).toEqual(NOT_CLAIMABLE);
    const of = { keyId: limited, family: 'video' } as const;
    expect(await rows.database.handOverKeySlots(of)).toMatchObject([{ id: second, fence: 0 }]);
    expect(await claim(second)).toMatchObject({ kind: 'claimed', task: { fence: 1, status: 'pending' } });
    expect(await readTask(rows.database, second)).toMatchObject({ awaitsKeySlot: false });
  });

  it('that run already are claimed for their next step whatever the limit says', async () => {
    const limited = await insertKey(rows.database, 1);
    const ids = await Promise.all([1, 2].map(() => insertTask(rows.database, limited, { status: 'processing' })));
    expect(count(await Promise.all(ids.map(claim)), 'claimed')).toBe(2);
  });

  it('are counted family by family', async () => {
    const limited = await insertKey(rows.database, 1);
    const [video, image] = [
      await insertTask(rows.database, limited),
      await insertTask(rows.database, limited, { family: 'image' }),
    ];
    expect(count([await claim(video), await claim(image)], 'claimed')).toBe(2);
  });
});
