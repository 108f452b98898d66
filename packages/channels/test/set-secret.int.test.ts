import type { Database } from '@mediagate/database';
import { forAllTests, openTestDatabase } from '@mediagate/testkit';
import { openVendorSealer, setSecret } from '../src';

const KEY = '${' + 'secret:moved}';
const [NOW, FORMER] = ['https://vendors.example/now', 'https://vendors.example/former'];
const sealer = openVendorSealer({
  MEDIAGATE_SEALING_SECRET: 'a secret for tests that is long enough',
  MEDIAGATE_PREVIOUS_SEALING_SECRET: undefined,
});

let database: Database;

const home = forAllTests(() => openTestDatabase(2));
beforeAll(async () => {
  ({ database } = home);
});

/** A job that is under way where the channel led once. */
async function begin(id: string, baseUrl: string): Promise<void> {
  const source = { id, base_url: baseUrl, api_key: KEY, models: {} };
  await database.rememberChannel({ id, destination: baseUrl, source, originByOperator: false });
  const attempt = { id: `att_${id}`, taskId: `task_${id}`, number: 1, channelId: id, protocol: 'p', state: 'accepted' };
  await database.taskAttempt.create({ data: { ...attempt, destination: baseUrl } });
}

const standing = async () => ({
  secrets: await database.vendorSecret.count(),
  version: (await database.readSettings())[0]?.version,
  noted: await database.auditLogEntry.count(),
});

it('a secret is not set where a job begins at another address between the look and the statement that sets it', async () => {
  await begin('images', `${NOW}/`);
  const before = await standing();
  let hasBegun = false;
  const racing = {
    findChange: database.findChange,
    async listSecretDestinations(name: string) {
      const found = await database.listSecretDestinations(name);
      if (!hasBegun) await begin('former', FORMER);
      hasBegun = true;
      return found;
    },
    setVendorSecret: database.setVendorSecret,
  };
  const sources = () => new Map([['images', { base_url: NOW, api_key: KEY }]]);
  const channels = { database: racing as Database, sealer, sources };
  const set = () => setSecret(channels, { name: 'moved', value: 'rotated' }, { actor: 'cli:test' });
  expect(await set()).toEqual({ kind: 'awaited_elsewhere', channels: ['former'] });
  expect(await standing()).toEqual(before);

  await database.taskAttempt.update({ where: { id: 'att_former' }, data: { state: 'succeeded' } });
  expect(await set()).toMatchObject({ kind: 'changed' });
  expect(await standing()).toMatchObject({ secrets: 1 });
});
