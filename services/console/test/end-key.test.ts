import { endingOf } from '../web/src/pages/keys/end-key';

it.each([
  ['holders revoke a key of their own by its deletion', 'revoke', undefined, 'DELETE', '/v1/keys/key_1'],
  ['operators revoke by the action', 'revoke', 'account_1', 'POST', '/admin/v1/keys/key_1/revoke'],
  ['operators give it another secret', 'rotate', 'account_1', 'POST', '/admin/v1/keys/key_1/rotate'],
] as const)('%s', (_, action, accountId, method, path) => {
  expect(endingOf('key_1', { action, accountId })).toEqual({ method, path });
});

it('no key is deleted that was to have another secret', () => {
  expect(endingOf('key_1', { action: 'rotate', accountId: undefined }).method).toBe('POST');
});
