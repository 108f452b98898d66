import { NANO_PER_UNIT, type TaskId } from '@mediagate/contracts';
import { forAllTests } from '@mediagate/testkit';
import fc from 'fast-check';
import { audit, createFinisher, createSubmitter } from '../src';
import { fundedKey, openBooks, standing, submission } from './books';

const books = forAllTests(openBooks);

async function chargedTask(chargedNano: bigint): Promise<{ taskId: TaskId; accountId: string }> {
  const payer = await fundedKey(books.database, 10n * NANO_PER_UNIT);
  const { taskId, ...rest } = submission(payer, 1000n);
  await createSubmitter(books.database)({ taskId, ...rest });
  await createFinisher(books.database)({
    taskId,
    accountId: payer.accountId,
    fence: 'any',
    outcome: { kind: 'completed', costNano: chargedNano, result: {} },
  });
  return { taskId, accountId: payer.accountId };
}

/** Refunds that come at one time; some under one idempotency key. */
const refunds = fc.array(
  fc.record({
    amountNano: fc.option(fc.bigInt({ min: -10n, max: 1100n }), { nil: undefined }),
    key: fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }),
  }),
  { minLength: 1, maxLength: 12 },
);

it('gives a task’s charge back once and never more than it was, however many ask at once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.bigInt({ min: 0n, max: 1000n }), refunds, async (chargedNano, asked) => {
      const { taskId, accountId } = await chargedTask(chargedNano);
      const before = await standing(books.database, accountId);
      const outcomes = await Promise.all(
        asked.map(({ amountNano, key }) =>
          books.database.refundTask(
            { taskId, amountNano, note: 'test' },
            {
              actor: 'test',
              ...(key === undefined
                ? {}
                : { idempotency: { key: `${taskId} ${key}`, requestHash: Buffer.from(String(amountNano)) } }),
            },
          ),
        ),
      );
      const given = outcomes.filter((outcome) => outcome.kind === 'changed' && !outcome.replayed);
      const entries = await books.database.ledgerEntry.findMany({ where: { taskId, kind: 'adjust' } });
      const possible = asked.some(({ amountNano = chargedNano }) => amountNano >= 1n && amountNano <= chargedNano);
      expect([given.length, entries.length]).toEqual(possible ? [1, 1] : [0, 0]);
      const refunded = entries[0]?.amountNano ?? 0n;
      expect(refunded).toBeLessThanOrEqual(chargedNano);
      const after = await standing(books.database, accountId);
      expect(after).toEqual({ ...before, toppedUp: before.toppedUp + refunded });
    }),
    { numRuns: 60, seed: 7 },
  );
  expect(await audit(books.database)).toEqual([]);
});
