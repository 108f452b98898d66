import { forEachTest, openTestDatabase, runSql } from '@mediagate/testkit';
import type { NamesDeps } from '../src/compare-names';
import { compareNames } from '../src/compare-names';
import { testChannel } from './test-channel';

const home = forEachTest(() => openTestDatabase(2));
const { signal } = new AbortController();

type Channel = ReturnType<NamesDeps['channels']>[number];

function channel(id: string, names: readonly string[], more: Partial<Channel> = {}): Channel {
  return testChannel(id, { models: new Map(names.map((name, index) => [`model-${index}`, name])), ...more });
}

/** Compares with a list; null: the vendor has none, or it cannot be read. Returns the channels that were asked about. */
async function compare(channels: readonly Channel[], list: readonly string[] | null): Promise<string[]> {
  const asked: string[] = [];
  const see = async ({ id, models }: Channel) => {
    asked.push(id);
    return list === null ? {} : { models: [...models.values()].map((name) => ({ name, known: list.includes(name) })) };
  };
  await compareNames({ database: home.database, channels: () => channels, see }, signal);
  return asked;
}

const aDayPasses = () =>
  runSql(home.database, "update channel_names set looked_at = looked_at - interval '25 hours'", []);
const unlisted = async () =>
  Object.fromEntries((await home.database.listUnlisted()).map((row) => [row.channelId, row.unlisted]));

it('names are compared once a day, and again when they change; those that are asked for no more are not missed', async () => {
  const before = channel('a', ['living', 'dead', 'dying']);
  expect(await compare([before, before], ['living'])).toEqual(['a']);
  expect(await unlisted()).toEqual({ a: ['dead', 'dying'] });
  expect(await compare([before], ['living', 'dead'])).toEqual([]);
  const after = channel('a', ['living', 'dying']);
  expect(await compare([after], null)).toEqual(['a']);
  expect(await unlisted()).toEqual({ a: ['dying'] });
  await aDayPasses();
  expect(await compare([after], ['living', 'dying'])).toEqual(['a']);
  expect(await unlisted()).toEqual({});
});

it('a name that takes the place of a missing one is not missed since the other was', async () => {
  await compare([channel('a', ['dead'])], ['living']);
  await runSql(home.database, "update channel_names set unlisted_since = now() - interval '9 days'", []);
  await compare([channel('a', ['other'])], ['living']);
  const [row] = await runSql<{ hours: number }>(
    home.database,
    'select extract(epoch from now() - unlisted_since)::float8 / 3600 as hours from channel_names',
    [],
  );
  expect(row?.hours).toBeLessThan(24);
});

it('a list that is not there, or cannot be read, takes no name away and gives none back', async () => {
  const some = channel('a', ['dead']);
  expect(await compare([some], null)).toEqual(['a']);
  expect(await unlisted()).toEqual({});
  await aDayPasses();
  await compare([some], []);
  await aDayPasses();
  await compare([some], null);
  expect(await unlisted()).toEqual({ a: ['dead'] });
});

it('nobody is asked about a channel of tests or without its key; one that nobody looks at for days is not told of', async () => {
  const others = [channel('test', ['dead'], { isTest: true }), channel('keyless', ['dead'], { apiKey: '' })];
  expect(await compare([...others, channel('a', ['dead'])], [])).toEqual(['a']);
  for (let day = 0; day < 3; day += 1) await aDayPasses();
  expect(await unlisted()).toEqual({});
});
