import type { Database } from '@mediagate/database';
import { createKeyFinder, newApiKey } from '@mediagate/identity';
import { forAllTests } from '@mediagate/testkit';
import { fundedKey, openBooks } from './books';

const books = forAllTests(() => openBooks(3));

/** The database, counting what it is asked. */
function counted(): { database: Pick<Database, 'findKeys'>; statements(): number } {
  let statements = 0;
  const findKeys: Database['findKeys'] = (ids) => {
    statements += 1;
    return books.database.findKeys(ids);
  };
  return { database: { findKeys }, statements: () => statements };
}

it('finds a thousand keys that are asked for at once in a few statements, each its own', async () => {
  const { database, statements } = counted();
  const findKey = createKeyFinder(database);
  const { keyId } = await fundedKey(books.database, 0n);
  const unknown = Array.from({ length: 1_000 }, () => newApiKey().id);
  const found = await Promise.all([...unknown, keyId].map(findKey));
  expect(found.map((key) => key?.id)).toEqual([...unknown.map(() => undefined), keyId]);
  expect(statements()).toBeLessThanOrEqual(5);
});

it('refuses what is too many to wait', async () => {
  const findKey = createKeyFinder(counted().database);
  const outcomes = await Promise.allSettled(Array.from({ length: 6_000 }, () => findKey('0'.repeat(12))));
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason);
  expect(refused).toHaveLength(1_000);
  expect(refused[0]).toMatchObject({ name: 'DatabaseBusyError' });
});
