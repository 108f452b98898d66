import { audit, readAccountBalance } from '@mediagate/billing';
import { type Database, DatabaseUnavailableError } from '@mediagate/database';
import { runSql, withMethods } from '@mediagate/testkit';
import { openWorld, type World } from './world';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(async () => {
  expect(await audit(world.database)).toEqual([]);
  await world.close();
});

const TAKEN = 1_000n;
const jobOf = (database: Database, lapsedForMs: number) =>
  world.reconciler({ database, abandonedAfterMs: lapsedForMs }).lapseCredit;
const options = { headroom: 1, lockWaitMs: 1000 };

/** As a process left it when it was killed. */
async function taken(id: string): Promise<void> {
  const { accountId } = world;
  const { id: keyId } = await world.database.apiKey.findFirstOrThrow({ where: { accountId } });
  const wish = { id, accountId, keyId, opens: true, wantedNano: TAKEN };
  expect(await world.database.bookDrawn([wish], [], { ...options, lifeMs: 60_000 })).toMatchObject([
    { left_nano: TAKEN },
  ]);
}

async function heldAndLeft() {
  const { heldNano: held = 0n, remainNano: left = 0n } =
    (await readAccountBalance(world.database, world.accountId)) ?? {};
  return { held, left };
}

const lapse = (id: string) =>
  runSql(world.database, `update credit_tranches set expires_at = now() - interval '1 second' where id = $1`, [id]);

/** Resolves in a later millisecond of the clock that jobs go by. */
async function later(): Promise<void> {
  for (const now = performance.now(); performance.now() < now + 2; )
    await new Promise((resolve) => setImmediate(resolve));
}

describe('lapse-credit', () => {
  it('gives back what a dead process has taken, once in two instances at once, and leaves what is renewed', async () => {
    const before = await heldAndLeft();
    for (const id of ['dead', 'alive']) await taken(id);
    await lapse('dead');
    const results = await Promise.all([world.database, world.other].map((database) => jobOf(database, 0).run()));
    expect(results.reduce((sum, { done }) => sum + done, 0)).toBe(1);
    expect(await heldAndLeft()).toEqual({ held: before.held + TAKEN, left: before.left - TAKEN });
  });

  it('waits while the database answers throughout, so that who is alive renews first', async () => {
    await taken('dead');
    await lapse('dead');
    let isAway = true;
    const flaky = withMethods(world.database, {
      findLapsedTranches: (limit) =>
        isAway
          ? Promise.reject(new DatabaseUnavailableError(new Error('away')))
          : world.database.findLapsedTranches(limit),
    });
    const job = jobOf(flaky, 1);
    await expect(job.run()).rejects.toThrow(DatabaseUnavailableError);
    isAway = false;
    expect(await job.run()).toMatchObject({ done: 0 });
    await later();
    expect(await job.run()).toMatchObject({ done: 1 });
  });
});
