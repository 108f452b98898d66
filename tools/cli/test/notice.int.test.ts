import { changeSettings, OPERATORS, watchNotices } from '@mediagate/notices';
import { forAllTests } from '@mediagate/testkit';
import { fundedKey, openWorld, USER } from './world';

const world = forAllTests(openWorld);

describe('notice', () => {
  it('adds a target, tests it, shows what came of it and removes it, each in the audit log', async () => {
    const added = await world.json('notice', 'add', 'webhook', 'https://example.com/hook', '--kinds', 'low_balance');
    expect(added).toMatchObject({ id: expect.stringMatching(/^target_/), secret: expect.stringMatching(/^whsec_/) });
    expect(await world.run('notice', 'test', added.id, '--reason', 'a try')).toMatchObject({ code: 0 });
    expect(await world.run('notice', 'test', added.id)).toMatchObject({ code: 1 });
    const { data: targets } = await world.json('notice', 'targets');
    expect(targets).toMatchObject([
      { id: added.id, medium: 'webhook', kinds: ['low_balance'], last_message: { state: 'pending' } },
    ]);
    const shown = (await world.run('notice', 'targets')).out;
    expect(shown).toContain('https://example.com/…');
    expect(shown).not.toContain('/hook');
    expect(await world.json('notice', 'change', added.id, '--kinds', 'all')).toMatchObject({
      kinds: [],
      language: 'en',
    });
    expect(await world.run('notice', 'change', 'target_none')).toMatchObject({ code: 1 });
    expect(await world.run('notice', 'remove', added.id)).toMatchObject({ code: 0 });
    expect(await world.run('notice', 'remove', added.id)).toMatchObject({ code: 1 });
    const noted = await world.database.auditLogEntry.findMany({ where: { subject: added.id }, orderBy: { id: 'asc' } });
    expect(noted.map(({ actor, action }) => `${actor} ${action}`)).toEqual(
      ['add', 'test', 'update', 'remove'].map((verb) => `cli:${USER} notice_target.${verb}`),
    );
  });

  it.each([
    [['email', 'nobody'], 2],
    [['webhook', 'ftp://example.com'], 2],
    [['email', 'a@example.com', '--language', 'xx'], 2],
    [['fax', '123'], 2],
    [['email', 'a@example.com', '--kinds', 'weather'], 2],
  ])('refuses %j', async (words, code) => {
    expect((await world.run('notice', 'add', ...words)).code).toBe(code);
  });

  it('shows when operators are told', async () => {
    expect((await world.run('notice', 'settings')).out).toMatch(/key_quota_percents\s+80, 95\s+default/);
  });

  it('lists what is told, and goes on behind a notice', async () => {
    await changeSettings(
      world.database,
      { owner: OPERATORS, change: { lowBalanceNano: 10n ** 17n } },
      { actor: 'cli:test' },
    );
    const [{ accountId }] = [await fundedKey(world.database), await fundedKey(world.database)];
    await watchNotices(world.database);
    const newest = await world.run('notice', 'list', '--state', 'standing', '--limit', '1', '--json');
    const { data: notices, next_cursor: next } = JSON.parse(newest.out);
    expect(newest.err).toContain(`--before ${next} goes on`);
    expect(notices).toHaveLength(1);
    const older = await world.json('notice', 'list', '--kind', 'low_balance', '--before', next);
    expect(older.data.map(({ subject }: { subject: string }) => subject)).toContain(accountId);
    expect((await world.run('notice', 'list', '--account', accountId)).out).toMatch(
      /^notice_.* standing .* The balance of the account .* below 100000000\.$/m,
    );
  });
});
