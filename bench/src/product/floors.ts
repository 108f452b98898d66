import { readWalBytes } from '../machine/wal';
import type { Contender } from '../measure/interleave';
import type { Stage } from '../stage';
import type { Books } from './books';

/**
 * Bytes of write-ahead log that one unit of the product takes, by a slice of it alone and warm: floors write as many. At least one.
 */
export async function walBytesOfUnit(stage: Stage, books: Books, product: Contender): Promise<number> {
  await product.slice(stage.pace.warmUpMs);
  const before = await readWalBytes(books.url);
  const { count } = await product.slice(stage.pace.sliceMs);
  return Math.max(1, Math.round(((await readWalBytes(books.url)) - before) / count));
}
