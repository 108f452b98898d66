import type { Database } from '@mediagate/database';
import { forAllTests, openTestDatabase } from '@mediagate/testkit';

let database: Database;

const home = forAllTests(() => openTestDatabase(1));
beforeAll(async () => {
  ({ database } = home);
});

it('a remembered channel keeps the models of before, and is written again once it has changed, or a day later', async () => {
  const channel = { id: 'images', destination: 'there', originByOperator: false };
  const row = () => database.channelDestination.findFirstOrThrow({ where: { channelId: channel.id } });
  const remember = async (models: Record<string, string>, originByOperator = false) => {
    await database.rememberChannel({ ...channel, source: { id: channel.id, models }, originByOperator });
    return row();
  };
  await remember({ old: 'first', kept: 'second' });
  const fewer = await remember({ kept: 'second', new: 'third' });
  expect(fewer.source).toEqual({ id: channel.id, models: { old: 'first', kept: 'second', new: 'third' } });

  const setWritten = async (hoursAgo: number) => {
    const data = { updatedAt: new Date(Date.now() - hoursAgo * 3_600_000) };
    await database.channelDestination.updateMany({ data });
    await database.channelDefinition.updateMany({ data });
    return data;
  };
  const today = await setWritten(23);
  expect(await remember({ kept: 'second', new: 'third' })).toMatchObject(today);
  expect(await database.channelDefinition.findMany()).toMatchObject([today]);
  expect(await remember({ kept: 'second' }, true)).not.toMatchObject(today);
  const yesterday = await setWritten(25);
  expect(await remember({ kept: 'second' }, true)).not.toMatchObject(yesterday);
});
