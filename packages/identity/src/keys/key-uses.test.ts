import { KeyUses } from './key-uses';

it('writes a use once, and again only where the statement failed', async () => {
  const written: string[][] = [];
  let isAway = true;
  const uses = new KeyUses({
    async noteKeyUses(noted) {
      if (isAway) throw new Error('the database is away');
      written.push(noted.map(({ keyId }) => keyId));
      return [];
    },
  });
  uses.note('key_a');
  await expect(uses.write()).rejects.toThrow('away');
  isAway = false;
  uses.note('key_b');
  await uses.write();
  await uses.write();
  expect(written).toEqual([['key_a', 'key_b']]);
});
