import type { Database } from '@mediagate/database';
import { changeKey, createKey, endKey, findKey, issueKey, MAX_KEYS_OF_ACCOUNT } from '@mediagate/identity';
import { forAllTests, until } from '@mediagate/testkit';
import { audit, createFinisher, createSubmitter, type Submission, type SubmitOutcome, taskError, topUp } from '../src';
import { fundedKey, holdRow, openBooks, PEPPER, standing, submission } from './books';

/** Enough for a race that is lost one time in ten to show. */
const ROUNDS = 120;

let processes: Database[];
const books = forAllTests(openBooks);
beforeAll(async () => {
  processes = [1, 2, 3].map(() => books.another());
});
afterEach(async () => {
  expect(await audit(books.database)).toEqual([]);
});

describe('at the edge of the balance, over several processes,', () => {
  it('twins with one idempotency key are one acceptance and replays, never a refusal', async () => {
    const submitters = processes.map(createSubmitter);
    const kinds = new Map<string, number>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const broke = await fundedKey(books.database, 10n);
      const idempotency = { key: `round ${round}`, requestHash: Buffer.from('body') };
      const outcomes = await Promise.all(submitters.map((submit) => submit(submission(broke, 10n, { idempotency }))));
      for (const { kind } of outcomes) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    expect(Object.fromEntries(kinds)).toEqual({ accepted: ROUNDS, replayed: ROUNDS * 2 });
  });

  it.each([10n, 1000n])(
    'a submission that is sent again while the first is in flight is accepted, once (balance %s)',
    async (balance) => {
      const submitters = processes.map(createSubmitter);
      const outcomes: SubmitOutcome[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const payer = await fundedKey(books.database, balance);
        const item = submission(payer, 10n);
        outcomes.push(...(await Promise.all(submitters.map((submit) => submit(item)))));
        expect(await standing(books.database, payer.accountId)).toMatchObject({ held: 10n });
      }
      expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['accepted']));
    },
  );

  it('what top-ups and refunds bring in is seen by the submissions that need it', async () => {
    const payer = await fundedKey(books.database, 10n);
    const submitters = processes.map(createSubmitter);
    const finish = createFinisher(books.database);
    const errors: unknown[] = [];
    let accepted = 0;
    const spend = async (index: number) => {
      for (let turn = 0; turn < 80; turn += 1) {
        const item = submission(payer, 10n);
        const outcome = await submitters[index % 3]?.(item).catch((error) => void errors.push(error));
        if (outcome?.kind !== 'accepted') continue;
        accepted += 1;
        await finish({
          taskId: item.taskId,
          accountId: payer.accountId,
          fence: 'any',
          outcome: { kind: 'failed', error: refusal },
        });
      }
    };
    const fund = async () => {
      for (let turn = 0; turn < 80; turn += 1)
        await topUp(books.database, { accountId: payer.accountId, amountNano: 10n });
    };
    await Promise.all([fund(), ...Array.from({ length: 9 }, (_, index) => spend(index))]);
    expect(errors).toEqual([]);
    expect(accepted).toBeGreaterThan(80);
    expect(await standing(books.database, payer.accountId)).toEqual({ toppedUp: 810n, held: 0n, settled: 0n });
  });
});

const refusal = taskError('upstream_error');

it('an account whose row is held, however many of its submissions wait for it, has nobody else refused', async () => {
  const [stuck, other] = [await fundedKey(books.database, 100n), await fundedKey(books.database, 100n)];
  const [held, briefly] = [
    await holdRow(books.database, 'accounts', stuck.accountId),
    await holdRow(books.database, 'accounts', other.accountId),
  ];
  const submit = createSubmitter(books.database);
  const alone = () => books.database.tally('lone_submissions');
  const all = Promise.allSettled(Array.from({ length: 12 }, () => submit(submission(stuck, 1n))));
  await until(() => alone().waiting >= 4);
  const others = Promise.all([submit(submission(other, 1n)), submit(submission(other, 1n))]);
  // Both were turned away by the batch, and wait for the row by themselves; or they are refused.
  await Promise.race([others, until(() => alone().waiting >= 5)]);
  await briefly.letGo();
  const outcomes = await others.finally(() => held.letGo());
  expect(outcomes.map(({ kind }) => kind)).toEqual(['accepted', 'accepted']);
  await all;
});

it('an account whose row is held by somebody delays nobody else', async () => {
  const stuck = await fundedKey(books.database, 1000n);
  const free = await fundedKey(books.database, 1000n);
  const submit = createSubmitter(processes[0] as Database);
  await submit(submission(free, 1n));
  const row = await holdRow(books.database, 'accounts', stuck.accountId);
  const waiting = Array.from({ length: 3 }, () => submit(submission(stuck, 1n)));
  // Only submissions of others end before the row is let go.
  const others = await Promise.all(Array.from({ length: 20 }, () => submit(submission(free, 1n))));
  expect(others.every(({ kind }) => kind === 'accepted')).toBe(true);
  expect(await standing(books.database, stuck.accountId)).toMatchObject({ held: 0n });
  await row.letGo();
  expect(await Promise.all(waiting)).toEqual([{ kind: 'accepted' }, { kind: 'accepted' }, { kind: 'accepted' }]);
});

describe('of several that go on with one task in the same instant', () => {
  it('one is accepted, and the others book nothing, in one batch as over several processes', async () => {
    const submitters = processes.map(createSubmitter);
    for (let round = 0; round < 20; round += 1) {
      const payer = await fundedKey(books.database, 100n);
      const parent = submission(payer, 10n);
      await createSubmitter(books.database)(parent);
      const goOn = () => submission(payer, 10n, { parentTaskId: parent.taskId, continuesParent: true });
      const rush = submitters.flatMap((submit) => [submit(goOn()), submit(goOn())]);
      const kinds = (await Promise.all(rush)).map(({ kind }) => kind);
      expect(kinds.toSorted()).toEqual(['accepted', ...Array(5).fill('continued')]);
      expect(await standing(books.database, payer.accountId)).toMatchObject({ held: 20n });
    }
  });

  it('another is accepted once the first has failed, and none once the parent has ended', async () => {
    const payer = await fundedKey(books.database, 100n);
    const [submit, finish] = [createSubmitter(books.database), createFinisher(books.database)];
    const parent = submission(payer, 10n);
    await submit(parent);
    const goOn = () => submission(payer, 10n, { parentTaskId: parent.taskId, continuesParent: true });
    const fail = (taskId: Submission['taskId']) =>
      finish({
        taskId,
        accountId: payer.accountId,
        fence: 'any',
        outcome: { kind: 'failed', error: taskError('upstream_error') },
      });
    const first = goOn();
    expect([await submit(first), await submit(goOn())]).toEqual([{ kind: 'accepted' }, { kind: 'continued' }]);
    await fail(first.taskId);
    const second = goOn();
    expect(await submit(second)).toEqual({ kind: 'accepted' });
    await fail(second.taskId);
    await fail(parent.taskId);
    expect(await submit(goOn())).toEqual({ kind: 'continued' });
    expect(await standing(books.database, payer.accountId)).toMatchObject({ held: 0n });
  });

  it('the one that was answered is answered again under its idempotency key', async () => {
    const payer = await fundedKey(books.database, 100n);
    const submit = createSubmitter(books.database);
    const parent = submission(payer, 10n);
    await submit(parent);
    const idempotency = { key: 'one modal', requestHash: Buffer.from('body') };
    const goOn = () => submission(payer, 10n, { parentTaskId: parent.taskId, continuesParent: true, idempotency });
    const kinds = (await Promise.all([submit(goOn()), submit(goOn())])).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(['accepted', 'replayed']);
  });
});

describe('keys that are made and changed while others book', () => {
  const TEST = { actor: 'cli:test' };

  it('are never more than an account may have', async () => {
    const { accountId } = await fundedKey(books.database, 0n);
    await books.database.apiKey.createMany({
      data: Array.from({ length: MAX_KEYS_OF_ACCOUNT - 4 }, (_, index) => ({
        id: `race${String(index).padStart(8, '0')}`,
        accountId,
        secretHash: new Uint8Array(32),
        lastFour: '0000',
      })),
    });
    const rush = Array.from({ length: 24 }, (_, index) =>
      issueKey(processes[index % 3] as Database, PEPPER, { key: { accountId }, request: TEST }),
    );
    const kinds = (await Promise.all(rush)).map(({ kind }) => kind).toSorted();
    expect(kinds).toEqual([...Array(3).fill('changed'), ...Array(21).fill('unchanged')]);
    expect(await books.database.apiKey.count({ where: { accountId } })).toBe(MAX_KEYS_OF_ACCOUNT);
  });

  it('never lock anybody out, spend beyond their quota or run more than their maker', async () => {
    const { accountId, keyId: makerId } = await fundedKey(books.database, 1_000_000n, { canManage: true });
    const made = await Promise.all(
      Array.from({ length: 12 }, () => createKey(books.database, PEPPER, { accountId, makerId })),
    );
    const payers = [makerId, ...made.map(({ id }) => id)].map((keyId) => ({ accountId, keyId }));
    const submitters = processes.map(createSubmitter);
    const finish = createFinisher(books.database);
    const book = async (index: number) => {
      for (let turn = 0; turn < 40; turn += 1) {
        const items = payers.map((payer) => submission(payer, 10n));
        const outcomes = await Promise.all(items.map((item) => submitters[index % 3]?.(item)));
        const accepted = items.filter((_, at) => outcomes[at]?.kind === 'accepted');
        const outcome = { kind: 'failed', error: refusal } as const;
        await Promise.all(accepted.map(({ taskId }) => finish({ taskId, accountId, fence: 'any', outcome })));
      }
    };
    const narrow = async (index: number) => {
      for (let turn = 0; turn < 40; turn += 1) {
        const settings = { maxConcurrent: 60 - turn, quotaNano: BigInt(((turn * 7 + index) % 13) * 10) };
        await changeKey(processes[index % 3] as Database, { id: makerId, settings }, TEST);
      }
    };
    const make = async () => {
      for (let turn = 0; turn < 20; turn += 1) {
        const { id } = await createKey(books.database, PEPPER, { accountId, makerId });
        if (turn % 2) await endKey(books.database, id, TEST);
      }
    };
    await Promise.all([book(0), book(1), book(2), narrow(0), narrow(1), narrow(2), make()]);
    const keys = await books.database.apiKey.findMany({ where: { makerId } });
    const limit = (await findKey(books.database, makerId))?.maxConcurrent as number;
    const beyond = keys.filter(({ maxConcurrent }) => maxConcurrent === null || maxConcurrent > limit);
    expect([keys.length, beyond]).toEqual([32, []]);
  });
});
