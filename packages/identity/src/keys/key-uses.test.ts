import { KeyUses } from './key-uses';

const nothing = () => Promise.resolve([]);

it('writes a use only once the hash of the key is renewed', async () => {
  const done: string[] = [];
  let isLocked = true;
  const uses = new KeyUses({
    async renewKeyHash({ id }) {
      if (isLocked) throw new Error('the row is locked');
      done.push(`renewed ${id}`);
      return [];
    },
    async noteKeyUses([use]) {
      done.push(`used ${use?.keyId}`);
      return [];
    },
  });
  uses.note('key_a', { id: 'key_a', from: Buffer.of(1), to: Buffer.of(2) });
  await expect(uses.write()).rejects.toThrow('locked');
  isLocked = false;
  await uses.write();
  await uses.write();
  expect(done).toEqual(['renewed key_a', 'used key_a']);
});

it('writes the uses of other keys where one hash cannot be renewed, and keeps a renewal that comes meanwhile', async () => {
  const done: string[] = [];
  const [first, second] = [1, 2].map((to) => ({ id: 'key_a', from: Buffer.of(0), to: Buffer.of(to) }));
  const uses: KeyUses = new KeyUses({
    async renewKeyHash({ id, to }) {
      if (id === 'key_b') throw new Error('the row is locked');
      if (to[0] === 1) uses.note('key_a', second);
      done.push(`renewed ${id} ${to[0]}`);
      return [];
    },
    async noteKeyUses(noted) {
      done.push(...noted.map(({ keyId }) => `used ${keyId}`));
      return [];
    },
  });
  uses.note('key_a', first);
  uses.note('key_b', { id: 'key_b', from: Buffer.of(0), to: Buffer.of(1) });
  uses.note('key_c');
  await expect(uses.write()).rejects.toThrow('locked');
  expect(done).toEqual(['renewed key_a 1', 'used key_c']);
  await expect(uses.write()).rejects.toThrow('locked');
  expect(done.slice(2)).toEqual(['renewed key_a 2', 'used key_a']);
});

it('writes a use once, and again only where the statement failed', async () => {
  const written: string[][] = [];
  let isAway = true;
  const uses = new KeyUses({
    renewKeyHash: nothing,
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

it('writes a use that comes while another of the key is written the next time', async () => {
  const now = jest.spyOn(Date, 'now');
  const written: number[] = [];
  const uses = new KeyUses({
    renewKeyHash: nothing,
    async noteKeyUses(noted) {
      written.push(...noted.map(({ usedAt }) => usedAt.getTime()));
      if (written.length === 1) {
        now.mockReturnValue(2);
        uses.note('key_a');
      }
      return [];
    },
  });
  now.mockReturnValue(1);
  uses.note('key_a');
  await uses.write();
  await uses.write();
  now.mockRestore();
  expect(written).toEqual([1, 2]);
});
