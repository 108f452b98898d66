import { heldBytesWithin } from './load-media';

const MIB = 1024 * 1024;

it.each([
  ['a container of 1 GiB', 1024 * MIB, 256 * MIB],
  ['a container of 2 GiB', 2048 * MIB, 384 * MIB],
  ['no limit that the system knows', 0, 384 * MIB],
  ['no limit', 2 ** 64, 384 * MIB],
])('files of tasks take a quarter of the memory at most, and 384 MiB: %s', (_name, memory, held) => {
  expect(heldBytesWithin(memory)).toBe(held);
});
