import { parseRoleMap, rightsOfClaim } from './role-map';

const MAP = parseRoleMap(['admins=operator:admin', 'cn=studio,o=x=account:acct_1:owner']);

it('says what a value of the claim stands for, the first of the map that is there', () => {
  expect(rightsOfClaim(MAP, 'admins')).toEqual({ kind: 'operator', role: 'admin' });
  const both = ['cn=studio,o=x', 'admins'];
  expect(rightsOfClaim(MAP, both)).toEqual({ kind: 'operator', role: 'admin' });
  expect(rightsOfClaim(MAP, ['cn=studio,o=x'])).toEqual({ kind: 'account', role: 'owner', accountId: 'acct_1' });
  // An object names the values, as Zitadel's roles do.
  expect(rightsOfClaim(MAP, { admins: { 1: 'org.example' } })).toEqual({ kind: 'operator', role: 'admin' });
  for (const claim of [undefined, null, [], 'Admins', 'admins,readers', 'x admins', [['admins']], { x: 'admins' }])
    expect(rightsOfClaim(MAP, claim)).toBeUndefined();
});

it.each(['admins', '=operator:admin', 'a=operator:owner', 'a=account:owner', 'a=operator:admin:x', 'a=king:admin'])(
  'refuses what is no mapping: %s',
  (entry) => {
    expect(() => parseRoleMap([entry])).toThrow(entry);
  },
);
