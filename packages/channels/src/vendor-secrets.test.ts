import { openVendorSealer, setSecret } from './vendor-secrets';

const KEY = '${' + 'secret:moved}';
const sealer = openVendorSealer({
  MEDIAGATE_SEALING_SECRET: 'a secret for tests that is long enough',
  MEDIAGATE_PREVIOUS_SEALING_SECRET: undefined,
});

it.each([
  ['of another path', 'https://vendors.example/former', 'awaited_elsewhere'],
  ['of the same address, slash or not', 'https://vendors.example/now/', 'changed'],
])('a key is set while jobs are under way at a base URL %s: %s → %s', async (_, baseUrl, kind) => {
  const row = { subject: 'moved', before: null, after: {} };
  const database = {
    listSecretDestinations: async () => [{ channelId: 'images', baseUrl }],
    setVendorSecret: async () => [row],
  };
  const sources = new Map([['images', { base_url: 'https://vendors.example/now', api_key: KEY }]]);
  const deps = { database: database as never, sealer };
  expect(await setSecret(deps, { name: 'moved', value: 'rotated', sources }, { actor: 'cli:test' })).toMatchObject({
    kind,
  });
});
