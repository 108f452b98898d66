import { acceptInvitation, createAccount } from '@mediagate/identity';
import { forAllTests } from '@mediagate/testkit';
import { openWorld, USER } from './world';

const PASSWORD = 'correct horse battery';

const world = forAllTests(openWorld);

it('makes a user who sets a password by the link, changes, disables and deletes them, and notes each', async () => {
  const made = await world.json('user', 'create', '--email', 'Kim@example.com', '--role', 'admin');
  expect(made).toMatchObject({ email: 'kim@example.com', name: 'Kim', kind: 'operator', role: 'admin', joined: false });
  const { url, token } = made.invitation;
  expect(url).toBe(`/invitation#${token}`);
  const accepted = { token, name: 'Kim', password: PASSWORD };
  expect(await acceptInvitation(world.database, accepted)).toBe('joined');
  expect(await acceptInvitation(world.database, accepted)).toBe('gone');
  expect((await world.json('user', 'list')).data[0]).toMatchObject({ id: made.id, joined: true });
  expect(await world.json('user', 'update', made.id, '--role', 'read')).toMatchObject({ role: 'read' });
  expect(await world.run('user', 'update', made.id, '--role', 'owner')).toMatchObject({ code: 2 });
  const disabled = await world.json('user', 'disable', 'kim@example.com', '--reason', 'left');
  expect(disabled.disabled_at).toEqual(expect.any(Number));
  expect(await world.run('user', 'invite', made.id)).toMatchObject({ code: 1, out: '' });
  expect(await world.json('user', 'enable', made.id)).toMatchObject({ disabled_at: null });
  expect(await world.json('user', 'reset-second-factor', made.id)).toMatchObject({ totp: false, joined: true });
  expect(await world.json('user', 'end-sessions', made.id)).toMatchObject({ id: made.id });
  expect(await world.json('user', 'show', 'kim@example.com')).toMatchObject({ id: made.id, role: 'read' });
  expect(await world.json('user', 'list', '--state', 'invited', '--email', 'kim')).toMatchObject({ data: [] });
  expect(await world.json('user', 'reset-password', made.id)).toMatchObject({ joined: false });
  expect(await world.json('user', 'delete', made.id)).toEqual({ id: made.id, deleted: true });
  const notes = await world.notes(made.id);
  expect(notes.map(({ action }) => action)).toEqual([
    'user.create',
    'user.join',
    'user.update',
    'user.disable',
    'user.enable',
    'user.totp_reset',
    'user.end_sessions',
    'user.reset',
    'user.delete',
  ]);
  expect(notes[3]).toMatchObject({ actor: `cli:${USER}`, detail: { reason: 'left' } });
  expect(JSON.stringify(notes)).not.toMatch(/scrypt|correct horse/);
});

it('makes users of an account with its roles alone, and prints links under the address of the console', async () => {
  const { id: account } = await createAccount(world.database, { name: 'Studio', webhookSecret: 'whsec_test' });
  const create = (...words: string[]) => world.run('user', 'create', '--email', 'alex@studio.example', ...words);
  expect(await create('--account', account, '--role', 'admin')).toMatchObject({ code: 2 });
  expect(await create('--account', 'acct_none', '--role', 'owner')).toMatchObject({ code: 1 });
  world.env['CONSOLE_PUBLIC_URL'] = 'https://console.example/';
  const made = await create('--account', account, '--role', 'owner');
  expect(made.out).toContain('https://console.example/invitation#');
  expect(await create('--account', account, '--role', 'owner')).toMatchObject({ code: 1 });
  const {
    data: [listed],
  } = await world.json('user', 'list', '--account', account);
  expect(listed).toMatchObject({ email: 'alex@studio.example', account_id: account, account_name: 'Studio' });
});
