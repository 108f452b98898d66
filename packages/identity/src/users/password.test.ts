import { hashPassword, matchesPassword, passwordFault } from './password';

const PASSWORD = 'correct horse battery';
const KIM = { email: 'kim.lee@example.com', name: 'Kim Lee' };

it('is kept with its parameters and a salt of its own, and matches in whatever form a keyboard writes it', async () => {
  const stored = await hashPassword('Å correct horse');
  expect(stored).toMatch(/^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
  expect(await hashPassword('Å correct horse')).not.toBe(stored);
  expect(await matchesPassword('A\u030A correct horse', stored)).toBe(true);
  expect(await matchesPassword('A correct horse', stored)).toBe(false);
  expect(await matchesPassword(PASSWORD, null)).toBe(false);
});

it.each([
  ['short-pass', 'password_too_short'],
  ['😀'.repeat(11), 'password_too_short'],
  ['x'.repeat(257), 'password_too_long'],
  ['kim.lee@example.com', 'password_guessable'],
  ['KIM.LEE@example.com!', 'password_guessable'],
  ['kim.leekim.lee', 'password_guessable'],
  ['Kim Lee Kim Lee', 'password_guessable'],
  ['aaaaaaaaaaaaaa', 'password_guessable'],
  [PASSWORD, undefined],
  ['kim.lee likes long walks', undefined],
])('%s: %s', (password, fault) => {
  expect(passwordFault(password, KIM)).toBe(fault);
});
