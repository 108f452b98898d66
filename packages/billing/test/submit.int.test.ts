import { message } from '@mediagate/contracts';
import { type Database, DatabaseBusyError } from '@mediagate/database';
import { changeKey, createKey, endKey, findKey, type NewKey } from '@mediagate/identity';
import { claimTask } from '@mediagate/tasks';
import { forAllTests } from '@mediagate/testkit';
import {
  audit,
  createFinisher,
  createSubmitter,
  findShortage,
  readKeyBalance,
  type Submission,
  type SubmitOutcome,
  taskError,
} from '../src';
import { fundedKey, openBooks, type Payer, PEPPER, rowCounts, standing, submission } from './books';

const books = forAllTests(openBooks);
afterEach(async () => {
  expect(await audit(books.database)).toEqual([]);
});

const count = (outcomes: SubmitOutcome[], kind: SubmitOutcome['kind']) =>
  outcomes.filter((outcome) => outcome.kind === kind).length;

type Submit = ReturnType<typeof createSubmitter>;

/** A caller whose account has too many submissions under way sends its own again, under the same task id. */
function untilDecided(submit: Submit): Submit {
  return async (item) => {
    try {
      return await submit(item);
    } catch (error) {
      if (!(error instanceof DatabaseBusyError)) throw error;
      return untilDecided(submit)(item);
    }
  };
}

const TEST = { actor: 'cli:test' };
const WARNINGS = [message('ignored_unknown', { field: 'foo' })];

describe('submitting', () => {
  it('writes task, reservation, ledger entry and debit of account and key together', async () => {
    const payer = await fundedKey(books.database, 100n, { quotaNano: 60n });
    const item = submission(payer, 40n, { warnings: WARNINGS, webhook: 'https://example.com/hook' });
    expect(await createSubmitter(books.database)(item)).toEqual({ kind: 'accepted' });

    expect(await standing(books.database, payer.accountId)).toEqual({ toppedUp: 100n, held: 40n, settled: 0n });
    const { database } = books;
    expect(await database.apiKey.findUniqueOrThrow({ where: { id: payer.keyId } })).toMatchObject({ heldNano: 40n });
    expect(await database.task.findUniqueOrThrow({ where: { id: item.taskId } })).toMatchObject({
      status: 'submitted',
      progress: 0,
      reservedNano: 40n,
      webhook: 'https://example.com/hook',
      warnings: WARNINGS.map((warning) => JSON.stringify(warning)),
      input: { prompt: 'a lighthouse' },
      rates: { image_output: '30000000000' },
    });
    expect(await database.reservation.findUniqueOrThrow({ where: { taskId: item.taskId } })).toMatchObject({
      amountNano: 40n,
      state: 'held',
    });
    expect(await database.ledgerEntry.findMany({ where: { taskId: item.taskId } })).toMatchObject([
      { kind: 'hold', amountNano: 40n, keyId: payer.keyId },
    ]);
  });

  it('refuses for money what costs more than any balance can be, and others of its batch are booked', async () => {
    const payer = await fundedKey(books.database, 100n);
    const beyond = 2n ** 63n;
    const submit = createSubmitter(books.database);
    const outcomes = await Promise.all([beyond, 40n].map((amount) => submit(submission(payer, amount))));
    expect(outcomes).toMatchObject([
      { kind: 'insufficient', of: 'account', availableNano: 100n },
      { kind: 'accepted' },
    ]);
    expect(await findShortage(books.database, payer.keyId, beyond)).toMatchObject({ of: 'account' });
  });

  it('leases to its submitter a task that runs there, and leaves it alone until its deadline', async () => {
    const payer = await fundedKey(books.database, 100n);
    const item = submission(payer, 40n, { runsHere: { leaseMs: 15_000 }, deadlineMs: 60_000 });
    expect(await createSubmitter(books.database)(item)).toEqual({ kind: 'accepted' });
    const task = await books.database.task.findUniqueOrThrow({ where: { id: item.taskId } });
    expect(task).toMatchObject({ status: 'processing', fence: 0, startedAt: task.createdAt, runBySubmitter: true });
    expect((task.leaseUntil?.getTime() ?? 0) - task.createdAt.getTime()).toBe(15_000);
    expect(task.nextStepAt).toEqual(task.deadlineAt);
    expect(task.deadlineAt.getTime() - task.createdAt.getTime()).toBe(60_000);
  });

  it('writes the claim and the intent with a speech that an API of 0.1.0 has handed to a worker', async () => {
    const payer = await fundedKey(books.database, 100n);
    const item = submission(payer, 40n, { family: 'tts' });
    const begun = { leaseMs: 15_000, attemptId: `att_${item.taskId}`, channelId: 'main', protocol: 'p' };
    const submitTasks: Database['submitTasks'] = (items, fields, options) => {
      const ofFormer = fields.map((each) => JSON.stringify({ ...JSON.parse(each), begun, leaseMs: begun.leaseMs }));
      return books.database.submitTasks(items, ofFormer, options);
    };
    const former: Database = Object.create(books.database, { submitTasks: { value: submitTasks } });
    expect(await createSubmitter(former)(item)).toEqual({ kind: 'accepted' });
    expect(await claimTask(books.database, item.taskId, 15_000)).not.toMatchObject({ kind: 'claimed' });
    const task = await books.database.task.findUniqueOrThrow({ where: { id: item.taskId } });
    const attempt = { attemptId: begun.attemptId, attemptState: 'starting', attemptsMade: 1, channelId: 'main' };
    expect(task).toMatchObject({ status: 'pending', fence: 1, startedAt: task.createdAt, ...attempt });
    const written = { taskId: item.taskId, number: 1, channelId: 'main', protocol: 'p', state: 'starting' };
    expect(await books.database.taskAttempt.findMany({ where: { id: begun.attemptId } })).toMatchObject([written]);
  });

  it('accepts exactly what the balance pays for when several processes submit in batches at once', async () => {
    const payer = await fundedKey(books.database, 1000n);
    const others = [1, 2, 3].map(() => books.another());
    const submitters = [books.database, ...others].map(createSubmitter).map(untilDecided);
    const outcomes = await Promise.all(
      Array.from(
        { length: 400 },
        (_, index) => submitters[index % 4]?.(submission(payer, 10n)) as Promise<SubmitOutcome>,
      ),
    );
    expect(count(outcomes, 'accepted')).toBe(100);
    expect(count(outcomes, 'insufficient')).toBe(300);
    expect(await standing(books.database, payer.accountId)).toEqual({ toppedUp: 1000n, held: 1000n, settled: 0n });
  });

  it('refuses by the key quota as exactly as by the balance, and says which', async () => {
    const payer = await fundedKey(books.database, 1000n, { quotaNano: 35n });
    const submit = createSubmitter(books.database);
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => submit(submission(payer, 10n))));
    expect(count(outcomes, 'accepted')).toBe(3);
    expect(outcomes).toContainEqual({ kind: 'insufficient', of: 'key', availableNano: 5n, heldNano: 30n });
    expect(await submit(submission({ ...payer, keyId: payer.keyId }, 2000n))).toEqual({
      kind: 'insufficient',
      of: 'account',
      availableNano: 970n,
      heldNano: 30n,
    });
  });

  it('lets a small task pass where a larger one in the same batch cannot', async () => {
    const payer = await fundedKey(books.database, 100n);
    const submit = createSubmitter(books.database);
    const [first, large, small] = await Promise.all([60n, 50n, 40n].map((amount) => submit(submission(payer, amount))));
    expect(first).toEqual({ kind: 'accepted' });
    // Decided in one round with the small one, on what the first had left.
    expect(large).toEqual({ kind: 'insufficient', of: 'account', availableNano: 40n, heldNano: 60n });
    expect(small).toEqual({ kind: 'accepted' });
  });

  it('never lets one account suffer for another in the same batch', async () => {
    const rich = await fundedKey(books.database, 1000n);
    const broke = await fundedKey(books.database, 0n);
    const submit = createSubmitter(books.database);
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, index) => submit(submission(index % 2 ? rich : broke, 10n))),
    );
    expect(outcomes.filter((_, index) => index % 2 === 1).every((outcome) => outcome.kind === 'accepted')).toBe(true);
    expect(outcomes.filter((_, index) => index % 2 === 0).every((outcome) => outcome.kind === 'insufficient')).toBe(
      true,
    );
  });

  it('accepts all others when one submission of the batch is unacceptable to the database', async () => {
    const payer = await fundedKey(books.database, 1000n);
    const submit = createSubmitter(books.database);
    const results = await Promise.allSettled([
      submit(submission(payer, 10n)),
      submit(submission(payer, 10n, { input: { prompt: 'zero byte \u0000' } })),
      submit(submission(payer, 10n)),
    ]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await standing(books.database, payer.accountId)).toMatchObject({ held: 20n });
  });

  it('knows a key that was revoked, or belongs elsewhere, no more', async () => {
    const payer = await fundedKey(books.database, 100n);
    const other = await fundedKey(books.database, 100n);
    const submit = createSubmitter(books.database);
    expect(await submit(submission({ accountId: payer.accountId, keyId: other.keyId }, 1n))).toEqual({
      kind: 'key_unknown',
    });
    await endKey(books.database, payer.keyId, TEST);
    expect(await submit(submission(payer, 1n))).toEqual({ kind: 'key_unknown' });
  });

  it('books a submission once when it is sent again after a broken connection', async () => {
    const payer = await fundedKey(books.database, 100n);
    const submit = createSubmitter(books.database);
    const item = submission(payer, 10n);
    expect(await submit(item)).toEqual({ kind: 'accepted' });
    expect(await submit(item)).toEqual({ kind: 'accepted' });
    expect(await standing(books.database, payer.accountId)).toMatchObject({ held: 10n });
  });
});

describe('idempotency keys', () => {
  const hash = (text: string) => Buffer.from(text.padEnd(32, '.'));

  it('keeps the hash of a request whose batch begins with one without a key', async () => {
    const payer = await fundedKey(books.database, 1000n);
    const submit = createSubmitter(books.database);
    const keyed = () => submission(payer, 10n, { idempotency: { key: 'second', requestHash: hash('body') } });
    // The first goes at once, the two behind it share a statement.
    await Promise.all([submission(payer, 10n), submission(payer, 10n), keyed()].map(submit));
    const stored = await books.database.idempotencyKey.findFirstOrThrow({ where: { keyId: payer.keyId } });
    expect(Buffer.from(stored.requestHash)).toEqual(hash('body'));
    expect(await submit(keyed())).toMatchObject({ kind: 'replayed' });
  });

  it('make one task of any number of equal submissions, however they are spread over processes', async () => {
    const payer = await fundedKey(books.database, 1000n);
    const other = books.another();
    const submitters = [createSubmitter(books.database), createSubmitter(other)];
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        submitters[index % 2]?.(
          submission(payer, 10n, { warnings: WARNINGS, idempotency: { key: 'same', requestHash: hash('body') } }),
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome?.kind === 'accepted')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome?.kind === 'replayed')).toHaveLength(49);
    expect(new Set(outcomes.flatMap((outcome) => (outcome?.kind === 'replayed' ? [outcome.taskId] : []))).size).toBe(1);
    expect(outcomes.find((outcome) => outcome?.kind === 'replayed')).toMatchObject({ warnings: WARNINGS });
    expect(await standing(books.database, payer.accountId)).toMatchObject({ held: 10n });
  });

  it('of one key and two bodies accept one body and call the other a conflict', async () => {
    const payer = await fundedKey(books.database, 1000n);
    const submit = createSubmitter(books.database);
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        submit(submission(payer, 10n, { idempotency: { key: 'two', requestHash: hash(index % 2 ? 'a' : 'b') } })),
      ),
    );
    expect(count(outcomes, 'accepted')).toBe(1);
    expect(count(outcomes, 'replayed')).toBe(49);
    expect(count(outcomes, 'conflict')).toBe(50);
  });

  it('are free again after their day', async () => {
    const payer = await fundedKey(books.database, 1000n);
    const submit = createSubmitter(books.database);
    const idempotency = { key: 'daily', requestHash: hash('body') };
    await submit(submission(payer, 10n, { idempotency }));
    await books.database.idempotencyKey.updateMany({ data: { expiresAt: new Date(0) } });
    const next = submission(payer, 10n, { idempotency });
    expect(await submit(next)).toEqual({ kind: 'accepted' });
    expect(await submit(submission(payer, 10n, { idempotency }))).toMatchObject({
      kind: 'replayed',
      taskId: next.taskId,
    });
  });

  it('of different keys of one account never meet', async () => {
    const payer = await fundedKey(books.database, 1000n);
    const { id: keyId } = await createKey(books.database, PEPPER, { accountId: payer.accountId });
    const submit = createSubmitter(books.database);
    const idempotency = { key: 'x', requestHash: hash('body') };
    expect(await submit(submission(payer, 10n, { idempotency }))).toEqual({ kind: 'accepted' });
    expect(await submit(submission({ ...payer, keyId }, 10n, { idempotency }))).toEqual({ kind: 'accepted' });
  });
});

describe('a key with max_concurrent, whose callers wait for the answer', () => {
  const SYNCHRONOUS = { family: 'text', kind: 'text', runsHere: { leaseMs: 15_000 }, waitsForSlot: true } as const;
  const text = (payer: Payer, more: Partial<Submission> = {}) => submission(payer, 10n, { ...SYNCHRONOUS, ...more });
  const end = ({ taskId, accountId }: Submission) =>
    createFinisher(books.database)({
      taskId,
      accountId,
      fence: 0,
      outcome: { kind: 'failed', error: taskError('upstream_error') },
    });

  it('has as many accepted as it may run, however many come at once, in several processes', async () => {
    const payer = await fundedKey(books.database, 1000n, { maxConcurrent: 3 });
    const other = books.another();
    const submitters = [books.database, other].map(createSubmitter);
    const before = await rowCounts(books.database);
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, index) => submitters[index % 2]?.(text(payer)) as Promise<SubmitOutcome>),
    );
    expect([count(outcomes, 'accepted'), count(outcomes, 'no_slot')]).toEqual([3, 57]);
    expect(await standing(books.database, payer.accountId)).toEqual({ toppedUp: 1000n, held: 30n, settled: 0n });
    const { tasks, reservations, entries } = before;
    expect(await rowCounts(books.database)).toMatchObject({
      tasks: tasks + 3,
      reservations: reservations + 3,
      entries: entries + 3,
    });
  });

  it('has another accepted when one has ended, and counts each family by itself', async () => {
    const payer = await fundedKey(books.database, 1000n, { maxConcurrent: 1 });
    const submit = createSubmitter(books.database);
    const first = text(payer);
    expect(await submit(first)).toEqual({ kind: 'accepted' });
    expect(await submit(text(payer))).toEqual({ kind: 'no_slot' });
    expect(await submit(text(payer, { family: 'tts' }))).toEqual({ kind: 'accepted' });
    expect(await submit(text(payer, { family: 'tts' }))).toEqual({ kind: 'no_slot' });
    await end(first);
    expect(await submit(text(payer))).toEqual({ kind: 'accepted' });
  });

  it('reports a repetition, too little money and a known task before it reports a limit', async () => {
    const payer = await fundedKey(books.database, 15n, { maxConcurrent: 1 });
    const submit = createSubmitter(books.database);
    const idempotency = { key: 'once', requestHash: Buffer.from('hash') };
    const first = text(payer, { idempotency });
    expect(await submit(first)).toEqual({ kind: 'accepted' });
    expect(await submit(first)).toEqual({ kind: 'accepted' });
    expect(await submit(text(payer, { idempotency }))).toMatchObject({ kind: 'replayed', taskId: first.taskId });
    expect(await submit(text(payer))).toMatchObject({ kind: 'insufficient', of: 'account' });
  });

  it('keeps no idempotency key for whom there was no slot', async () => {
    const payer = await fundedKey(books.database, 1000n, { maxConcurrent: 1 });
    const submit = createSubmitter(books.database);
    const idempotency = { key: 'again', requestHash: Buffer.from('hash') };
    const first = text(payer);
    await submit(first);
    expect(await submit(text(payer, { idempotency }))).toEqual({ kind: 'no_slot' });
    await end(first);
    expect(await submit(text(payer, { idempotency }))).toEqual({ kind: 'accepted' });
  });

  it('is not counted for what works on its own, nor for other keys of the account', async () => {
    const payer = await fundedKey(books.database, 1000n, { maxConcurrent: 1 });
    const { id: keyId } = await createKey(books.database, PEPPER, { accountId: payer.accountId });
    const submit = createSubmitter(books.database);
    for (let times = 0; times < 3; times += 1) {
      expect(await submit(submission(payer, 10n))).toEqual({ kind: 'accepted' });
      expect(await submit(text({ ...payer, keyId }))).toEqual({ kind: 'accepted' });
    }
  });
});

describe('keys that a key made', () => {
  const submitters = () => [createSubmitter(books.database), createSubmitter(books.database)] as const;

  async function madeBy({ accountId, keyId: makerId }: Payer, settings: Partial<NewKey>): Promise<Payer> {
    const { id: keyId } = await createKey(books.database, PEPPER, { accountId, makerId, ...settings });
    return { accountId, keyId };
  }

  it('spend no more of its quota together than there is, whoever books at the same time', async () => {
    const maker = await fundedKey(books.database, 10_000n, { quotaNano: 100n });
    const payers = [maker, await madeBy(maker, {}), await madeBy(maker, { quotaNano: 30n })];
    const [one, other] = submitters();
    const outcomes = await Promise.all(
      payers.flatMap((payer) =>
        Array.from({ length: 8 }, (_, index) => (index % 2 ? one : other)(submission(payer, 10n))),
      ),
    );
    expect(count(outcomes, 'accepted')).toBe(10);
    expect(await readKeyBalance(books.database, { id: maker.keyId, ownKeyId: null })).toMatchObject({ remainNano: 0n });
    for (const { keyId } of payers) {
      expect(await findShortage(books.database, keyId, 1n)).toMatchObject({ of: 'key', availableNano: 0n });
    }
  });

  it('have their own quota within it', async () => {
    const maker = await fundedKey(books.database, 10_000n, { quotaNano: 100n });
    const made = await madeBy(maker, { quotaNano: 30n });
    const [submit] = submitters();
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => submit(submission(made, 10n))));
    expect([count(outcomes, 'accepted'), count(outcomes, 'insufficient')]).toEqual([3, 2]);
    expect(await readKeyBalance(books.database, { id: maker.keyId, ownKeyId: null })).toMatchObject({
      remainNano: 70n,
      heldNano: 0n,
    });
    expect(await changeKey(books.database, { id: made.keyId, settings: { quotaNano: 29n } }, TEST)).toEqual({
      kind: 'quota_below_used',
    });
  });

  it('count against a quota of their maker that is set later, which cannot be below what they hold and have spent', async () => {
    const maker = await fundedKey(books.database, 1000n);
    const made = [await madeBy(maker, {}), await madeBy(maker, {})];
    const [submit] = submitters();
    for (const payer of [maker, ...made]) await submit(submission(payer, 10n));
    const limit = async (quotaNano: bigint) =>
      (await changeKey(books.database, { id: maker.keyId, settings: { quotaNano } }, TEST)).kind;
    expect([await limit(29n), await limit(30n)]).toEqual(['quota_below_used', 'changed']);
    for (const payer of [maker, ...made]) {
      expect(await submit(submission(payer, 1n))).toMatchObject({ kind: 'insufficient', of: 'key' });
    }
  });

  it.each([
    ['it is revoked', (id: string) => endKey(books.database, id, TEST)],
    ['it has expired', (id: string) => changeKey(books.database, { id, settings: { expiresAt: new Date(0) } }, TEST)],
  ])('book nothing once %s', async (_name, end) => {
    const maker = await fundedKey(books.database, 100n);
    const made = await madeBy(maker, {});
    await end(maker.keyId);
    const [submit] = submitters();
    expect(await submit(submission(made, 10n))).toEqual({ kind: 'key_unknown' });
  });

  it('run no more at once than it may, also once it is limited', async () => {
    const maker = await fundedKey(books.database, 100n);
    const made = [await madeBy(maker, {}), await madeBy(maker, { maxConcurrent: 9 })];
    await changeKey(books.database, { id: maker.keyId, settings: { maxConcurrent: 2 } }, TEST);
    const records = await Promise.all(made.map(({ keyId }) => findKey(books.database, keyId)));
    expect(records.map((record) => record?.maxConcurrent)).toEqual([2, 2]);
  });
});

describe('a key with max_concurrent, whose tasks nobody waits for', () => {
  const image = (payer: Payer, more: Partial<Submission> = {}) =>
    submission(payer, 10n, { family: 'image', queuesForSlot: true, ...more });
  const awaits = { kind: 'accepted', awaitsSlot: true };

  it('has all accepted, and those beyond the limit await a slot in their rows, however many come at once', async () => {
    const payer = await fundedKey(books.database, 1000n, { maxConcurrent: 3 });
    const submit = createSubmitter(books.database);
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => submit(image(payer))));
    expect(count(outcomes, 'accepted')).toBe(40);
    expect(outcomes.filter((outcome) => 'awaitsSlot' in outcome)).toHaveLength(37);
    const rows = await books.database.task.findMany({ where: { keyId: payer.keyId, awaitsKeySlot: true } });
    expect(rows).toHaveLength(37);
    for (const { nextStepAt, deadlineAt } of rows) expect(nextStepAt).toEqual(deadlineAt);
    expect(await standing(books.database, payer.accountId)).toMatchObject({ held: 400n });
  });

  it('counts each family by itself, and lets nobody pass a task that awaits a slot', async () => {
    const payer = await fundedKey(books.database, 1000n, { maxConcurrent: 1 });
    const submit = createSubmitter(books.database);
    const first = image(payer);
    expect(await submit(first)).toEqual({ kind: 'accepted' });
    expect(await submit(image(payer))).toEqual(awaits);
    expect(await submit(image(payer, { family: 'video' }))).toEqual({ kind: 'accepted' });
    const error = taskError('upstream_error');
    const { taskId, accountId } = first;
    const outcome = { kind: 'failed', error } as const;
    const { freed } = await createFinisher(books.database)({ taskId, accountId, fence: 'any', outcome });
    expect(freed).toEqual({ keyId: payer.keyId, family: 'image' });
    expect(await submit(image(payer))).toEqual(awaits);
  });

  it('has a repetition answered as before, and a key without a limit awaits nothing', async () => {
    const payer = await fundedKey(books.database, 1000n, { maxConcurrent: 1 });
    const submit = createSubmitter(books.database);
    await submit(image(payer));
    const idempotency = { key: 'once', requestHash: Buffer.from('hash') };
    const second = image(payer, { idempotency });
    expect(await submit(second)).toEqual(awaits);
    expect(await submit(image(payer, { idempotency }))).toMatchObject({ kind: 'replayed', taskId: second.taskId });
    const free = await fundedKey(books.database, 1000n);
    for (let times = 0; times < 3; times += 1) expect(await submit(image(free))).toEqual({ kind: 'accepted' });
  });
});
