import { createSecretMatcher, hashSecret, newApiKey } from './api-key';

const PEPPERS = ['', 'pepper', 'x'.repeat(63), 'x'.repeat(64), 'x'.repeat(65), 'ä€😀'.repeat(40)];

it.each(PEPPERS)('a secret matches its own hash under the pepper "%s", and no other', (pepper) => {
  const matches = createSecretMatcher(pepper);
  const secrets = Array.from({ length: 50 }, () => newApiKey().secret);
  const hashes = secrets.map((secret) => hashSecret(pepper, secret));
  for (const [index, secret] of secrets.entries()) {
    expect(hashes.map((hash) => matches(secret, hash))).toEqual(secrets.map((_, other) => other === index));
    expect(matches(secret, hashSecret(`${pepper}.`, secret))).toBe(false);
    expect(matches(secret, Buffer.alloc(32))).toBe(false);
  }
});

it('what is not as long as a secret matches nothing, not even its own hash', () => {
  const matches = createSecretMatcher('pepper');
  for (const text of ['', 'a', 'a'.repeat(63), 'a'.repeat(65)])
    expect(matches(text, hashSecret('pepper', text))).toBe(false);
});
