import { newTally } from '@mediagate/concurrency';
import { DatabaseConflictError, DatabaseUnavailableError } from '@mediagate/database';
import { AccountBatchers, AccountTurns } from './account-batchers';

/** Accounts that one look finds. */
const MAX_FOUND = 64;
const HELD = new DatabaseConflictError(new Error('lock timeout'));

/** Batchers of items named `account:n`; `held` are the accounts whose rows are held. */
function openBatchers(held: Set<string>) {
  const tries: string[] = [];
  const looks: number[] = [];
  const batchers = new AccountBatchers<string, string>({
    tally: newTally(),
    findFree: async (accounts) => {
      looks.push(accounts.length);
      return accounts.filter((account) => !held.has(account)).slice(0, MAX_FOUND);
    },
    run: async (items) => {
      const [account = ''] = (items[0] ?? '').split(':');
      tries.push(account);
      await new Promise((resolve) => setImmediate(resolve));
      if (held.has(account)) throw HELD;
      if (items.some((item) => item.endsWith(':bad'))) throw new Error('refused');
      return items;
    },
  });
  return { tries, looks, add: (item: string) => batchers.add(item.split(':')[0] as string, item) };
}

describe('what waits for held rows of accounts', () => {
  it('goes before the others once its own row is free, however many wait', async () => {
    const accounts = Array.from({ length: 200 }, (_, index) => `held-${index}`);
    const { tries, add } = openBatchers(new Set(accounts));
    const waiting = Promise.allSettled(accounts.map((account) => add(`${account}:1`)));
    expect(await add('free:1')).toBe('free:1');
    expect(tries.indexOf('free')).toBeLessThan(4);
    expect(new Set((await waiting).map(({ status }) => status))).toEqual(new Set(['rejected']));
  });

  it('has one bound over all accounts, and is refused beyond it as by a database that is away', async () => {
    const held = new Set(Array.from({ length: 5000 }, (_, index) => `held-${index}`));
    const { add, looks } = openBatchers(held);
    const waiting = Promise.all([...held].map((account) => add(`${account}:1`)));
    await expect(add('free:1')).rejects.toBeInstanceOf(DatabaseUnavailableError);
    held.clear();
    expect(await waiting).toHaveLength(5000);
    // Each look names all that wait: one an account would name twelve million.
    expect(looks.length).toBeLessThanOrEqual(Math.ceil(5000 / MAX_FOUND) + 1);
    expect(await add('free:1')).toBe('free:1');
  });

  it('is decided one by one where the database refuses an item: the others of its account end', async () => {
    const { add } = openBatchers(new Set());
    const ends = await Promise.allSettled(['a:1', 'a:bad', 'a:2', 'a:3', 'b:1'].map(add));
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
  });

  it('is looked at anew once a row that was found free is held after all', async () => {
    const looksWhere = async (work: () => Promise<void>) => {
      const looks: (readonly string[])[] = [];
      const turns = new AccountTurns(async (accounts) => [...(looks[looks.push(accounts) - 1] ?? [])]);
      await Promise.allSettled([...'abcdefgh'].map((account) => turns.run(account, work)));
      return looks.length;
    };
    const free = await looksWhere(async () => undefined);
    expect(await looksWhere(() => Promise.reject(HELD))).toBeGreaterThan(free);
  });

  it('has both turns again where the last two ended at the same moment and one waited', async () => {
    const turns = new AccountTurns(async () => []);
    const ends: (() => void)[] = [];
    const begin = (account: string) => turns.run(account, () => new Promise<void>((resolve) => ends.push(resolve)));
    const settle = () => new Promise((resolve) => setImmediate(resolve));
    for (const [first = '', second = '', waiting = ''] of ['abc', 'def']) {
      const turn = [begin(first), begin(second)];
      await settle();
      expect(ends).toHaveLength(2);
      const last = turns.run(waiting, async () => undefined);
      for (const end of ends.splice(0)) end();
      await Promise.all([...turn, last]);
    }
  });
});
