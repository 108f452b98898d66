import { type Database, openDatabase } from '@mediagate/database';
import type { Channel } from '@mediagate/settings';
import { createTestDatabase, runSql, type TestDatabase } from '@mediagate/testkit';
import { followOverrides, type TextShare } from '../src';

let home: TestDatabase;
let database: Database;
beforeAll(async () => {
  home = await createTestDatabase();
  database = openDatabase({ url: home.databaseUrl, poolSize: 2, statementTimeoutMs: 60_000, applicationName: 'test' });
});
afterAll(async () => {
  await database.close();
  await home.drop();
});

/** A process that has looked once; each `know` is another look. */
async function start(channel: Partial<Channel>) {
  const shares: TextShare[] = [];
  const followed = {
    channels: { openBreakers: () => [] },
    laid: () => ({ channels: [channel], channelSources: new Map() }),
    override: () => undefined,
  };
  const closes: (() => void)[] = [];
  const scope = {
    logger: { info: jest.fn(), warn: jest.fn() },
    defer: (_: string, close: () => void) => closes.push(close),
  };
  let nowMs = 0;
  const texts = { protocols: new Set(['chat']), learn: (share: TextShare) => shares.push(share) };
  const overrides = await followOverrides(scope as never, {
    database,
    followed: followed as never,
    texts,
    everyMs: 60_000,
    now: () => nowMs,
  });
  const look = async () => {
    nowMs += 60_000;
    await overrides.know();
    return shares.at(-1);
  };
  return { look, stop: () => closes.forEach((close) => void close()) };
}

it('processes that send texts to channels with a limit divide it between them, until one has gone', async () => {
  const limited = { protocol: 'chat', maxConcurrency: 5 };
  const processes = [await start(limited), await start(limited), await start({ protocol: 'chat' })];
  const [one, other] = processes;
  expect([await one?.look(), await other?.look()]).toEqual([
    { processes: 2, place: 0 },
    { processes: 2, place: 1 },
  ]);
  expect(await database.listOpenBreakers()).toEqual([]);
  expect(await database.watchChannels(0)).toEqual([{ raised: 0 }]);
  await runSql(database, "update open_breakers set seen_at = now() - interval '6 seconds'");
  expect(await other?.look()).toEqual({ processes: 1, place: 0 });
  for (const { stop } of processes) stop();
});
