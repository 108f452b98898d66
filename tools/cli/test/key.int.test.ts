import { findKey, hashSecret, parseApiKey } from '@mediagate/identity';
import { forAllTests } from '@mediagate/testkit';
import { openWorld, PEPPER } from './world';

let account: string;
const world = forAllTests(openWorld);
beforeAll(async () => {
  account = (await world.json('account', 'create', '--name', 'Owner')).id;
});

const record = async (id: string) => await findKey(world.database, id);

async function opens(key: string): Promise<boolean> {
  const parts = parseApiKey(key);
  if (parts === undefined) throw new Error('not a key');
  const found = await record(parts.id);
  return found?.revokedAt === undefined && found?.secretHash.equals(hashSecret(PEPPER, parts.secret)) === true;
}

describe('key create', () => {
  it('issues a key that opens the API, unlimited by default', async () => {
    const issued = await world.json('key', 'create', '--account', account);
    expect(issued).toMatchObject({ key: expect.any(String), account_id: account, quota: null, families: [] });
    expect(await opens(issued.key)).toBe(true);
    expect(await record(issued.id)).toMatchObject({
      quotaNano: undefined,
      families: [],
      models: [],
      maxConcurrent: undefined,
    });
  });

  it('shows the secret once: neither the list nor the audit log has it', async () => {
    const { out } = await world.run('key', 'create', '--account', account);
    const key = out.split('\n')[0] ?? '';
    const { id, secret } = parseApiKey(key) ?? {};
    expect(out).toContain('only time');
    const seen = [
      JSON.stringify(await world.json('key', 'list')),
      (await world.run('key', 'list')).out,
      JSON.stringify(await world.notes(id ?? '')),
    ];
    for (const text of seen) expect(text).not.toContain(secret);
    expect(await world.notes(id ?? '')).toMatchObject([
      { action: 'key.create', detail: { before: null, after: { accountId: account } } },
    ]);
  });

  it('refuses a model that neither the catalogue nor the configuration has', async () => {
    const before = await world.database.apiKey.count();
    const { code, err } = await world.run('key', 'create', '--account', account, '--models', 'imagegen-9');
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("'--models <list>'") });
    expect(await world.database.apiKey.count()).toBe(before);
  });

  it.each([
    [[], '--account <id>'],
    [['--quota', 'much'], "'--quota <amount>'"],
    [['--families', 'image,paintings'], "'--families <list>'"],
    [['--submit-per-minute', '0'], "'--submit-per-minute <count>'"],
    [['--expires-at', '2001-01-31'], "'--expires-at <time>'"],
    [['--colour', 'red'], "'--colour'"],
  ])('does not understand %j, makes no key, and names %s', async (words, named) => {
    const before = await world.database.apiKey.count();
    const owner = words.length === 0 ? [] : ['--account', account];
    const { code, out, err } = await world.run('key', 'create', ...owner, ...words);
    expect({ code, out, err }).toEqual({ code: 2, out: '', err: expect.stringContaining(named) });
    expect(await world.database.apiKey.count()).toBe(before);
  });
});

describe('key list', () => {
  it('says that there is none', async () => {
    expect(await world.run('key', 'list', '--account', 'acct_nobody')).toEqual({ code: 0, out: 'none\n', err: '' });
  });
});

describe('key revoke', () => {
  it('refuses a key that is not there, and does not understand what cannot be one', async () => {
    expect(await world.run('key', 'revoke', 'aaaaaaaaaaaa')).toMatchObject({
      code: 1,
      err: expect.stringContaining('aaaaaaaaaaaa: There is no such API key'),
    });
    expect(await world.run('key', 'revoke', 'mg_short')).toMatchObject({
      code: 2,
      err: expect.stringContaining("'id'"),
    });
  });
});
