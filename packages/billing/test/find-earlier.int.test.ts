import { message } from '@mediagate/contracts';
import { forAllTests } from '@mediagate/testkit';
import { createEarlierFinder, createSubmitter } from '../src';
import { fundedKey, openBooks, submission } from './books';

const books = forAllTests(() => openBooks(3));

it('tells repetitions, other requests and unused keys apart, for each API key by itself', async () => {
  const findEarlier = createEarlierFinder(books.database);
  const [payer, other] = [await fundedKey(books.database, 100n), await fundedKey(books.database, 100n)];
  const idempotency = { key: 'k', requestHash: Buffer.from('one') };
  const warnings = [message('ignored_unknown', { field: 'colour' })];
  const first = submission(payer, 1n, { idempotency, warnings });
  await createSubmitter(books.database)(first);
  const found = await Promise.all([
    findEarlier({ keyId: payer.keyId, ...idempotency }),
    findEarlier({ keyId: payer.keyId, key: 'k', requestHash: Buffer.from('two') }),
    findEarlier({ keyId: payer.keyId, key: 'unused', requestHash: Buffer.from('one') }),
    findEarlier({ keyId: other.keyId, ...idempotency }),
  ]);
  const replayed = { kind: 'replayed', taskId: first.taskId, warnings };
  expect(found).toEqual([replayed, { kind: 'conflict' }, undefined, undefined]);
});

it('reads warnings that earlier releases kept as texts', async () => {
  const payer = await fundedKey(books.database, 100n);
  const idempotency = { key: 'k', requestHash: Buffer.from('one') };
  const first = submission(payer, 1n, { idempotency });
  await createSubmitter(books.database)(first);
  const kept = ['colour was ignored', '{"key":"of a later release","params":{}}'];
  await books.database.task.update({ where: { id: first.taskId }, data: { warnings: kept } });
  expect(await createEarlierFinder(books.database)({ keyId: payer.keyId, ...idempotency })).toMatchObject({
    warnings: kept.map((text) => message('foreign', { text })),
  });
});

it('forgets a key when its time is over', async () => {
  const payer = await fundedKey(books.database, 100n);
  const idempotency = { key: 'old', requestHash: Buffer.from('one') };
  await createSubmitter(books.database)(submission(payer, 1n, { idempotency }));
  await books.database.idempotencyKey.updateMany({ data: { expiresAt: new Date(Date.now() - 1_000) } });
  await expect(createEarlierFinder(books.database)({ keyId: payer.keyId, ...idempotency })).resolves.toBeUndefined();
});
