import { createConnectionPool } from './connection-pool';
import type { StreamConnection } from './stream-connection';

interface Opened extends StreamConnection {
  number: number;
}

function pool({ maxConnections = 4, idleMs = 1_000 } = {}) {
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
  const made = createConnectionPool(open, { maxConnections, maxWaiting: 10, maxWaitMs: 60_000, idleMs });
  const take = () =>
    new Promise<StreamConnection | undefined>((resolve) =>
      made.take({ use: resolve, refuse: () => resolve(undefined) }),
    );
  return { giveBack: (connection: StreamConnection) => made.giveBack(connection), take, opened };
}

afterEach(() => jest.restoreAllMocks());

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
