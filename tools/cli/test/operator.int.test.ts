import { createOperatorFinder } from '@mediagate/identity';
import { forAllTests } from '@mediagate/testkit';
import { openWorld, PEPPER, USER } from './world';

const world = forAllTests(openWorld);

it('issues a token that lets its operator in until it is revoked, and notes both', async () => {
  const made = await world.json('operator', 'create', '--role', 'support', '--name', 'Support desk');
  expect(made).toEqual({
    id: expect.any(String),
    token: expect.stringMatching(/^mgo_/),
    name: 'Support desk',
    role: 'support',
  });
  const operator = { id: made.id, name: 'Support desk', role: 'support' };
  expect(await createOperatorFinder(world.database, [PEPPER])(made.token)).toEqual(operator);
  expect(await world.json('operator', 'list')).toEqual([
    { ...operator, created: expect.any(Number), last_used_at: expect.any(Number), revoked_at: null },
  ]);
  expect(await world.json('operator', 'revoke', made.id)).toEqual({ id: made.id, revoked: true });
  expect(await createOperatorFinder(world.database, [PEPPER])(made.token)).toBeUndefined();
  expect(await world.run('operator', 'revoke', made.id)).toMatchObject({ code: 1, out: '' });
  const actor = `cli:${USER}`;
  expect(await world.notes(made.id)).toEqual([
    { actor, action: 'operator.create', detail: { before: null, after: operator } },
    { actor, action: 'operator.revoke', detail: { before: operator, after: { ...operator, revoked: true } } },
  ]);
});

it('knows the roles there are', async () => {
  expect(await world.run('operator', 'create', '--role', 'king')).toMatchObject({ code: 2, out: '' });
});
