import { audit, topUp } from '@mediagate/billing';
import { type Database, openDatabase } from '@mediagate/database';
import { createAccount, createKey } from '@mediagate/identity';
import { createTestDatabase, type TestDatabase } from '@mediagate/testkit';
import { flood, type Place, type Scale, throttled } from '../src/simulation/scenarios';

const SMALL: Scale = { replicas: 4, perSecond: 8, slots: 16, outageMs: 12_000, watchedMs: 15_000, phaseMs: 15_000 };
const ACCOUNTS = 10;

let home: TestDatabase;
let database: Database;
let place: Place;

beforeEach(async () => {
  home = await createTestDatabase();
  database = openDatabase({ url: home.databaseUrl, poolSize: 1, statementTimeoutMs: 5000, applicationName: 'test' });
  place = { databaseUrl: home.databaseUrl, accounts: await Promise.all(Array.from({ length: ACCOUNTS }, openAccount)) };
});

afterEach(async () => {
  await database.close();
  await home.drop();
});

async function openAccount() {
  const { id } = await createAccount(database, { name: 'simulated', webhookSecret: 'unused' });
  await topUp(database, { accountId: id, amountNano: 10n ** 12n });
  return { id, key: await createKey(database, 'pepper', { accountId: id }) };
}

it('beside a flood every other account gets its share, soon, and the books balance', async () => {
  const { besideP99Ms, jain } = await flood(place, SMALL);
  expect(jain).toBeGreaterThan(0.98);
  // A call takes 4 s, and somebody else's has to end first.
  expect(besideP99Ms).toBeLessThanOrEqual(6000);
  expect(await audit(database)).toEqual([]);
}, 60_000);

it('a vendor that throttled is asked seldom meanwhile, and as much as it takes soon after', async () => {
  const { calls, recoveryMs } = await throttled(place, SMALL);
  expect(calls).toBeLessThanOrEqual(16);
  expect(recoveryMs).toBeLessThan(15_000);
}, 60_000);
