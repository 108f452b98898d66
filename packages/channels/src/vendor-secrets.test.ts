import { openerOf, openVendorSealer, readSigningSecret, setSecret } from './vendor-secrets';

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
  const channels = { database: database as never, sealer, sources: () => sources };
  expect(await setSecret(channels, { name: 'moved', value: 'rotated' }, { actor: 'cli:test' })).toMatchObject({
    kind,
  });
});

const sources = new Map([['images', { base_url: 'https://vendors.example/now', api_key: KEY }]]);
const set = (database: object) =>
  setSecret(
    { database: database as never, sealer, sources: () => sources },
    { name: 'moved', value: 'rotated' },
    { actor: 'cli:test' },
  );

it('a job that begins elsewhere while a key is being set is found by the statement that sets it', async () => {
  const awaited = [{ channelId: 'images', baseUrl: 'https://vendors.example/now/' }];
  const setVendorSecret = jest.fn(async ({ baseUrls }: { baseUrls: string[] }) => {
    expect(baseUrls).toEqual(['https://vendors.example/now/']);
    awaited.push({ channelId: 'former', baseUrl: 'https://vendors.example/former' });
    return [];
  });
  const database = { listSecretDestinations: async () => [...awaited], setVendorSecret };
  expect(await set(database)).toEqual({ kind: 'awaited_elsewhere', channels: ['former'] });
  expect(setVendorSecret).toHaveBeenCalledTimes(1);
});

it('a key is not tried to be set for ever', async () => {
  const setVendorSecret = jest.fn(async () => []);
  await expect(set({ listSecretDestinations: async () => [], setVendorSecret })).rejects.toThrow('lost a race');
  expect(setVendorSecret).toHaveBeenCalledTimes(5);
});

it('what results are signed by is opened for no channel, and a vendor’s key is none to sign by', async () => {
  const sealed = (name: string) => sealer?.seal('a value', `vendor_secrets/${name}`) ?? Buffer.alloc(0);
  const secrets = ['signing.key', 'vendor'].map((name) => ({ name, sealed: sealed(name) }));
  const stored = secrets.map((secret) => ({ name: secret.name, sealed: secret.sealed.toString('base64') }));
  const ofChannels = openerOf(stored as never, sealer);
  expect([ofChannels('signing.key'), ofChannels('vendor')]).toEqual([undefined, 'a value']);
  const findUnique = async ({ where }: { where: { name: string } }) =>
    secrets.find((secret) => secret.name === where.name) ?? null;
  const database = { vendorSecret: { findUnique } } as never;
  const read = (name: string) => readSigningSecret({ database, sealer }, name);
  expect([await read('signing.key'), await read('vendor'), await read('signing.other')]).toEqual([
    'a value',
    undefined,
    undefined,
  ]);
});
