import { heldBytesWithin } from './load-media';

const MIB = 1024 * 1024;

const GIB = 1024 * MIB;

it.each([
  ['a container of 1 GiB', GIB, 8 * GIB, 256 * MIB],
  ['a container of 2 GiB', 2 * GIB, 8 * GIB, 384 * MIB],
  ['a container without a limit that the system knows', 0, 8 * GIB, 384 * MIB],
  ['a container without a limit', 2 ** 64, 8 * GIB, 384 * MIB],
  ['a machine of 1 GiB', 0, GIB, 256 * MIB],
])('files of tasks take a quarter of the memory at most, and 384 MiB: %s', (_name, container, machine, held) => {
  expect(heldBytesWithin(container, machine)).toBe(held);
});
