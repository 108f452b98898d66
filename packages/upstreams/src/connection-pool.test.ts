import { NOBODY, type Owner } from '@mediagate/contracts';
import { ConnectionPool } from './connection-pool';
import type { StreamConnection } from './stream-connection';

interface Opened extends StreamConnection {
  number: number;
}

function pool({ maxConnections = 4, perOwner = 4, idleMs = 1_000 } = {}) {
  const opened: Opened[] = [];
  const open = () => {
    const connection: Opened & { destroyed: boolean } = {
      number: opened.length,
      destroyed: false,
      dispatch: () => {},
      async destroy() {
        connection.destroyed = true;
      },
    };
    opened.push(connection);
    return connection;
  };
  const made = new ConnectionPool(open, { maxConnections, perOwner, maxWaiting: 12, maxWaitMs: 60_000, idleMs });
  const take = (owner: Owner = NOBODY) =>
    new Promise<StreamConnection | undefined>((resolve) =>
      made.take({ owner, use: resolve, refuse: () => resolve(undefined) }),
    );
  /** The number of the connection that he gets, in a list that tells who came first. */
  const noted = async (name: string, owner: Owner) => void served.push([name, (await take(owner)) as Opened]);
  const served: [string, Opened][] = [];
  return { made, noted, served, giveBack: (connection: StreamConnection) => made.giveBack(connection), take, opened };
}

// A real timer of one who still waits at the end of a test would keep its process up.
beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance'] }));
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

it('gives a connection that was idle for too long by the clock to nobody, nor those that were idle for longer', async () => {
  const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
  const { take, giveBack, opened } = pool({ maxConnections: 2 });
  const both = [await take(), await take()];
  for (const connection of both) if (connection) giveBack(connection);
  clock.mockReturnValue(999);
  const again = await take();
  expect(again).toBe(opened[1]);
  if (again) giveBack(again);
  clock.mockReturnValue(2_000);
  expect(await take()).toBe(opened[2]);
  expect(opened.map(({ destroyed }) => destroyed)).toEqual([true, true, false]);
  expect(await take()).toBe(opened[3]);
});

describe('connections with a share of each owner', () => {
  const [ONE, OTHER, TEST] = [{ accountId: 'one' }, { accountId: 'other' }, { accountId: 'one', isTest: true }];
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('are there at once for another account while one holds its share and waits for more', async () => {
    const { noted, served } = pool({ perOwner: 2 });
    for (const name of ['first', 'second', 'third']) void noted(name, ONE);
    void noted('of another', OTHER);
    await settled();
    expect(served.map(([name]) => name)).toEqual(['first', 'second', 'of another']);
  });

  it('go to paid work before that of tests, and come back to whoever waited in his share', async () => {
    const { noted, served, giveBack } = pool({ perOwner: 2 });
    for (const owner of [ONE, ONE, OTHER, OTHER]) void noted('holds', owner);
    await settled();
    void noted('test', TEST);
    void noted('paid', ONE);
    for (const [, connection] of served.splice(0)) {
      giveBack(connection);
      await settled();
    }
    expect(served.map(([name]) => name)).toEqual(['paid', 'test']);
  });

  it('are refused to an account of which a quarter of all who may wait do, and to no other', async () => {
    const { take, noted, served } = pool({ perOwner: 2 });
    for (let count = 0; count < 5; count += 1) void noted('of one', ONE);
    expect(await take(ONE)).toBeUndefined();
    void noted('of another', OTHER);
    await settled();
    expect(served.map(([name]) => name)).toEqual(['of one', 'of one', 'of another']);
  });

  it('are not lost with one who leaves in his turn, or just after it has come', async () => {
    const { made, noted, served, take, giveBack } = pool({ maxConnections: 1 });
    const connection = await take(ONE);
    const waits = { owner: ONE, use: (given: StreamConnection) => giveBack(given), refuse: () => undefined };
    made.take(waits);
    void noted('last', ONE);
    if (connection) giveBack(connection);
    made.leave(waits);
    await settled();
    expect(served.map(([name]) => name)).toEqual(['last']);
    expect(made.isIdle()).toBe(false);
    for (const [, given] of served) giveBack(given);
    expect(made.isIdle()).toBe(true);
  });
});
