import { createSealer } from './sealer';

const [CURRENT, FORMER] = ['c'.repeat(32), 'f'.repeat(32)];
const PLACE = 'users/usr_1/credential';

it('opens what it sealed, and seals the same text otherwise each time', () => {
  const sealer = createSealer([CURRENT]);
  const [first, second] = [sealer.seal('mg_key ä', PLACE), sealer.seal('mg_key ä', PLACE)];
  expect([sealer.open(first, PLACE), sealer.open(second, PLACE)]).toEqual(['mg_key ä', 'mg_key ä']);
  expect(first.equals(second)).toBe(false);
  expect(first.toString('latin1')).not.toContain('mg_key');
});

it('opens nothing in another place, under another secret, cut or changed', () => {
  const sealer = createSealer([CURRENT]);
  const sealed = sealer.seal('text', PLACE);
  expect(sealer.open(sealed, 'users/usr_2/credential')).toBeUndefined();
  expect(createSealer([FORMER]).open(sealed, PLACE)).toBeUndefined();
  for (let length = 0; length < sealed.length; length += 1) {
    expect(sealer.open(sealed.subarray(0, length), PLACE)).toBeUndefined();
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(length) ^ 1, length);
    expect(sealer.open(changed, PLACE)).toBeUndefined();
  }
});

it('opens what a former secret sealed, and seals under the current one alone', () => {
  const both = createSealer([CURRENT, FORMER]);
  expect(both.open(createSealer([FORMER]).seal('old', PLACE), PLACE)).toBe('old');
  expect(createSealer([CURRENT]).open(both.seal('new', PLACE), PLACE)).toBe('new');
});
