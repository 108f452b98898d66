import { findKey, hashSecret, parseApiKey } from '@mediagate/identity';
import { forAllTests } from '@mediagate/testkit';
import { openWorld, PEPPER, units } from './world';

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

  it('keeps every limit it is given', async () => {
    const issued = await world.json(
      'key',
      'create',
      '--account',
      account,
      '--name',
      'Batch',
      '--quota',
      '7.5',
      '--families',
      'image,video',
      '--families',
      'text',
      '--models',
      'imagegen-2.5-flare,imagefast-ext',
      '--submit-per-minute',
      '1',
      '--query-per-minute',
      '2147483647',
      '--max-concurrent',
      '4',
      '--expires-at',
      '2999-01-31',
      '--manage',
    );
    expect(issued).toMatchObject({ quota: 7.5, families: ['image', 'video', 'text'] });
    expect(await record(issued.id)).toMatchObject({
      accountId: account,
      name: 'Batch',
      quotaNano: units(15) / 2n,
      families: ['image', 'video', 'text'],
      // An alias is kept as the model that it stands for.
      models: ['imagegen-2.5-flare', 'imagefast-2.5-flash-image-preview'],
      submitPerMinute: 1,
      queryPerMinute: 2_147_483_647,
      maxConcurrent: 4,
      expiresAt: new Date('2999-01-31'),
      canManage: true,
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

  it('refuses an account that is not there', async () => {
    expect(await world.run('key', 'create', '--account', 'acct_nobody')).toEqual({
      code: 1,
      out: '',
      err: 'mediagate: Account not found.\n',
    });
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
  it('lists the keys of one account when asked', async () => {
    const other = (await world.json('account', 'create')).id;
    const { id, key } = await world.json('key', 'create', '--account', other, '--quota', '0.1', '--families', 'tts');
    expect((await world.json('key', 'list', '--account', other)).data).toEqual([
      {
        id,
        account_id: other,
        name: '',
        mode: 'live',
        last_four: key.slice(-4),
        quota: 0.1,
        quota_used: 0,
        quota_left: 0.1,
        families: ['tts'],
        models: [],
        submit_per_minute: 300,
        query_per_minute: 3000,
        max_concurrent: null,
        manage: false,
        scope: 'account',
        made_by: null,
        created: expect.any(Number),
        expires_at: null,
        last_used_at: null,
        revoked_at: null,
      },
    ]);
    expect((await world.json('key', 'list')).data.length).toBeGreaterThan(1);
  });

  it('lists one key, or those alone that were revoked or were not', async () => {
    const owner = ['--account', (await world.json('account', 'create')).id];
    const { id: ended } = await world.json('key', 'create', ...owner);
    const { id: open } = await world.json('key', 'create', ...owner);
    await world.json('key', 'revoke', ended, '--reason', 'leaked');
    const ids = async (...words: string[]) =>
      (await world.json('key', 'list', ...words)).data.map(({ id }: { id: string }) => id);
    expect(await ids(...owner)).toEqual([open, ended]);
    expect(await ids(...owner, '--revoked')).toEqual([ended]);
    expect(await ids(...owner, '--no-revoked')).toEqual([open]);
    expect(await ids('--id', open)).toEqual([open]);
    expect(await ids('--id', open, '--revoked')).toEqual([]);
    expect((await world.notes(ended)).at(-1)).toMatchObject({ action: 'key.revoke', detail: { reason: 'leaked' } });
  });

  it('says that there is none', async () => {
    expect(await world.run('key', 'list', '--account', 'acct_nobody')).toEqual({ code: 0, out: 'none\n', err: '' });
  });
});

describe('key revoke', () => {
  it('ends a key, once, also when it is named by the whole key', async () => {
    const { id, key } = await world.json('key', 'create', '--account', account);
    expect(await world.json('key', 'revoke', key)).toMatchObject({ id, revoked_at: expect.any(Number) });
    expect(await opens(key)).toBe(false);
    const again = await world.run('key', 'revoke', id);
    expect(again).toMatchObject({ code: 1, out: '' });
    expect((await world.notes(id)).map(({ action }) => action)).toEqual(['key.create', 'key.revoke']);
  });

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

describe('key update', () => {
  it('changes what is named and lifts what is none', async () => {
    const { id } = await world.json('key', 'create', '--account', account, '--quota', '2', '--max-concurrent', '3');
    const changed = await world.json('key', 'update', id, '--name', 'web', '--quota', 'none', '--families', 'image');
    expect(changed).toMatchObject({ id, name: 'web', quota: null, families: ['image'], max_concurrent: 3 });
    expect(await world.json('key', 'update', id, '--max-concurrent', 'none', '--submit-per-minute', '7')).toMatchObject(
      {
        name: 'web',
        max_concurrent: null,
        submit_per_minute: 7,
      },
    );
    expect(await world.json('key', 'update', id, '--scope', 'own')).toMatchObject({ scope: 'own' });
    const twice = ['--quota', '2', '--quota', 'none', '--quota', 'none'];
    expect(await world.json('key', 'update', id, ...twice)).toMatchObject({ quota: null });
    const ends = await world.json('key', 'update', id, '--manage', '--expires-at', '2999-01-31', '--reason', 'asked');
    expect(ends).toMatchObject({ manage: true, expires_at: Date.parse('2999-01-31') / 1000 });
    expect(await world.json('key', 'update', id, '--no-manage', '--expires-at', 'none')).toMatchObject({
      manage: false,
      expires_at: null,
    });
    expect(await world.run('key', 'update', 'aaaaaaaaaaaa', '--name', 'x')).toMatchObject({ code: 1 });
  });
});

describe('key rotate', () => {
  it('gives a new secret under the same id, and the old one opens nothing', async () => {
    const before = await world.json('key', 'create', '--account', account);
    const after = await world.json('key', 'rotate', before.id);
    expect(after).toMatchObject({ id: before.id, key: expect.any(String) });
    expect([await opens(before.key), await opens(after.key)]).toEqual([false, true]);
    expect((await world.notes(before.id)).at(-1)).toMatchObject({
      action: 'key.rotate',
      detail: { after: { lastFour: after.key.slice(-4) } },
    });
  });

  it('refuses a revoked key', async () => {
    const { id } = await world.json('key', 'create', '--account', account);
    await world.json('key', 'revoke', id);
    expect(await world.run('key', 'rotate', id)).toMatchObject({
      code: 1,
      out: '',
    });
  });
});
