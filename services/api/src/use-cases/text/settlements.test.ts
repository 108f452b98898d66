import { EventEmitter, once } from 'node:events';
import type { FinishOutcome, FinishRequest, Submission, SubmitOutcome } from '@mediagate/billing';
import { newTaskId } from '@mediagate/contracts';
import { DatabaseUnavailableError } from '@mediagate/database';
import { createLogger } from '@mediagate/host';
import { Registry } from 'prom-client';
import type { SettledTask } from './open-texts';
import { Settlements } from './settlements';

const logger = createLogger({ service: 'api', level: 'silent' });
const submit = async (): Promise<SubmitOutcome> => ({ kind: 'accepted' });
const UNWATCHED = { settled: () => undefined, stop: () => undefined, endNow: jest.fn() };
const WON: FinishOutcome = { won: true, overrunNano: 0n };

function open(finish: (end: FinishRequest) => Promise<FinishOutcome>, found = { status: 'failed', fence: 0 }) {
  const metrics = new Registry();
  const errors: string[] = [];
  const heard = { ...logger, error: (event: string) => void errors.push(event) };
  const settlements = new Settlements({ finish, submit, readTask: async () => found, logger: heard, metrics });
  const count = async (name: string) => (await metrics.getSingleMetric(name)?.get())?.values[0]?.value ?? 0;
  return { settlements, count, errors };
}

function settle(settlements: Settlements, text: SettledTask): void {
  begin(settlements, text.taskId).end(text);
}

function begin(settlements: Settlements, taskId = newTaskId()) {
  const settlement = settlements.open(taskId);
  settlement.booked(UNWATCHED);
  return settlement;
}

const ids = (settlements: Settlements) => settlements.inFlight().map(({ taskId }) => taskId);

function end(): SettledTask {
  return {
    taskId: newTaskId(),
    accountId: 'acc',
    model: 'text-2.5-flash',
    outcome: { kind: 'completed', costNano: 1n },
  };
}

describe('settlements', () => {
  it('under way are waited for by their account alone, until each is written', async () => {
    const writes: (() => void)[] = [];
    const { settlements } = open(
      () => new Promise((resolve) => writes.push(() => resolve(WON)) === 2 && begun.emit('both')),
    );
    const begun = new EventEmitter();
    const heard: string[] = [];
    const decideFor = (account: string) =>
      settlements.onceSettled(account, {
        decide: async () => heard.push(account),
        lacksMoney: () => true,
      });
    begin(settlements);
    await decideFor('acc');
    expect(heard).toEqual(['acc']);
    for (const each of [end(), end()]) settle(settlements, each);
    await decideFor('another');
    const settled = decideFor('acc');
    await once(begun, 'both');
    for (const write of writes) {
      heard.push('write');
      write();
    }
    await settled;
    expect(heard).toEqual(['acc', 'another', 'acc', 'write', 'write', 'acc']);
  });

  it('that are written while a decision is made without the money that they free have it made once more', async () => {
    const { settlements } = open(async () => WON);
    const decisions: string[] = [];
    const decideFor = (account: string) =>
      settlements.onceSettled(account, {
        async decide() {
          decisions.push(account);
          if (decisions.length > 2) return;
          settle(settlements, end());
          await settlements.drain(5000);
        },
        lacksMoney: () => true,
      });
    await decideFor('another');
    expect(decisions).toEqual(['another']);
    await decideFor('acc');
    expect(decisions).toEqual(['another', 'acc', 'acc']);
  });

  it('that cannot be written are waited for no longer than the limit', async () => {
    const { settlements } = open(() => new Promise(() => undefined));
    settle(settlements, end());
    const decide = jest.fn(async () => undefined);
    await settlements.onceSettled('acc', { decide, lacksMoney: () => true }, 50);
    expect(decide).toHaveBeenCalledTimes(1);
    expect(ids(settlements)).toHaveLength(1);
  });

  it('are written together, each once, under the fence of a task that nobody claimed', async () => {
    const turns = new Map<string, number>();
    let turn = 0;
    const { settlements } = open(async ({ taskId, fence }) => {
      expect(fence).toBe(0);
      turns.set(taskId, turn);
      setImmediate(() => {
        turn += 1;
      });
      return WON;
    });
    const ends = Array.from({ length: 50 }, end);
    for (const each of ends) settle(settlements, each);
    await settlements.drain(5000);
    expect([...turns.keys()]).toEqual(ends.map(({ taskId }) => taskId));
    expect(new Set(turns.values()).size).toBe(1);
  });

  it('are crowded by more than a thousand in flight, and not by bookings that wait for a slot', () => {
    const { settlements } = open(async () => WON);
    for (let count = 0; count < 2000; count += 1) settlements.open(newTaskId());
    for (let count = 0; count < 1000; count += 1) begin(settlements);
    expect(settlements.crowded).toBe(false);
    begin(settlements);
    expect(settlements.crowded).toBe(true);
  });

  it('have leases from the booking, or the doubt of one, until they are written', async () => {
    const written = new EventEmitter();
    const asked = once(written, 'asked');
    const { settlements } = open(async () => {
      const finished = once(written, 'finished');
      written.emit('asked');
      await finished;
      return WON;
    });
    const [waits, runs, doubtful] = [newTaskId(), newTaskId(), end()];
    const waiting = settlements.open(waits);
    begin(settlements, runs);
    settlements.open(doubtful.taskId).end(doubtful);
    expect(ids(settlements)).toEqual([runs, doubtful.taskId]);
    waiting.end(undefined);
    await asked;
    written.emit('finished');
    await new Promise((resolve) => setImmediate(resolve));
    expect(ids(settlements)).toEqual([runs]);
  });

  it('report that a slot came free once, when they are written, and only of what was booked', async () => {
    const { settlements } = open(async () => WON);
    const freed: string[] = [];
    const [refused, text] = [settlements.open(newTaskId()), end()];
    const running = settlements.open(text.taskId);
    running.booked({ ...UNWATCHED, settled: () => freed.push('booked') });
    refused.end(undefined);
    running.end(text);
    expect(freed).toEqual([]);
    await settlements.drain(5000);
    expect(freed).toEqual(['booked']);
  });

  it('are written again and again while the database is away', async () => {
    let tries = 0;
    const { settlements, count } = open(async () => {
      tries += 1;
      if (tries < 3) throw new DatabaseUnavailableError(new Error('away'));
      return WON;
    });
    settle(settlements, end());
    await settlements.drain(10_000);
    expect(tries).toBe(3);
    expect(await count('mediagate_text_settlements_lost_total')).toBe(0);
  });

  it('are known to the renewals of their leases until they are written, in place of what was used so far', async () => {
    const { settlements } = open(async () => WON);
    const [soFar, last] = [end(), end()];
    const settlement = settlements.open(soFar.taskId);
    settlement.booked({ ...UNWATCHED, endNow: () => soFar });
    expect(settlements.inFlight().map((text) => text.endNow())).toEqual([soFar]);
    settlement.end(last);
    expect(settlements.inFlight().map((text) => text.endNow())).toEqual([last]);
    await settlements.drain(5000);
  });

  it('of a fault that does not pass are counted, and hold nobody up', async () => {
    const { settlements, count } = open(async () => {
      throw new Error('a bug');
    });
    settle(settlements, end());
    await settlements.drain(10_000);
    expect(await count('mediagate_text_settlements_lost_total')).toBe(1);
  });

  it.each([
    ['by somebody else, with a refund, are counted as lost', { status: 'failed', fence: 0 }, 1],
    [
      'by who took the text over, on what was known to be used, are counted as lost',
      { status: 'completed', fence: 1 },
      1,
    ],
    ['by an earlier try are no loss', { status: 'completed', fence: 0 }, 0],
  ])('written already %s', async (_what, found, losses) => {
    const { settlements, count } = open(async () => ({ won: false, overrunNano: 0n }), found);
    settle(settlements, end());
    await settlements.drain(5000);
    expect(await count('mediagate_text_settlements_lost_total')).toBe(losses);
  });

  it('written already by an earlier try are no loss either where the database is away as that is asked', async () => {
    const metrics = new Registry();
    const finish = async () => ({ won: false, overrunNano: 0n });
    const readTask = jest
      .fn(async () => ({ status: 'completed', fence: 0 }))
      .mockRejectedValueOnce(new DatabaseUnavailableError(new Error('away')));
    const settlements = new Settlements({ finish, submit, readTask, logger, metrics });
    settle(settlements, end());
    await settlements.drain(10_000);
    expect(readTask).toHaveBeenCalledTimes(2);
    expect((await metrics.getSingleMetric('mediagate_text_settlements_lost_total')?.get())?.values[0]?.value).toBe(0);
  });

  it.each([
    ['of a failed text that the database lost are no loss and are not booked anew', 'failed', 'accepted', [0, 0]],
    ['of a completed text that the database lost book it anew', 'completed', 'accepted', [0, 1]],
    ['of a text whose key came again since are lost, and charge nobody a second time', 'completed', 'replayed', [1, 1]],
  ] as const)('%s', async (_what, outcome, kind, [losses, bookings]) => {
    const metrics = new Registry();
    const booked = jest.fn(async () => ({ kind, taskId: newTaskId(), warnings: [] }) as SubmitOutcome);
    const finish = async () => ({ won: booked.mock.calls.length > 0, overrunNano: 0n });
    const settlements = new Settlements({ finish, submit: booked, readTask: async () => undefined, logger, metrics });
    const submission = { runsHere: { leaseMs: 1 }, idempotency: { key: 'once' } } as unknown as Submission;
    const failed = { kind: 'failed', error: {} } as SettledTask['outcome'];
    settle(settlements, { ...end(), submission, ...(outcome === 'failed' && { outcome: failed }) });
    await settlements.drain(10_000);
    expect(booked).toHaveBeenCalledTimes(bookings);
    expect((await metrics.getSingleMetric('mediagate_text_settlements_lost_total')?.get())?.values[0]?.value).toBe(
      losses,
    );
  });

  it('are waited for from before the booking, and no longer than asked', async () => {
    const { settlements } = open(async () => WON);
    const text = end();
    const settlement = settlements.open(text.taskId);
    const startedAt = performance.now();
    await settlements.drain(50);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(45);
    const drained = settlements.drain(3_600_000);
    settlement.booked(UNWATCHED);
    expect(ids(settlements)).toEqual([text.taskId]);
    settlement.end(text);
    await drained;
    expect(settlements.inFlight()).toEqual([]);
  });

  it('beyond the reservation raise an alarm', async () => {
    const { settlements, errors } = open(async () => ({ won: true, overrunNano: 7n }));
    settle(settlements, end());
    await settlements.drain(5000);
    expect(errors).toEqual(['task.overrun']);
  });
});
