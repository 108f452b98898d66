/**
 * Measures how far the clock of this process is ahead of the database's, in seconds; below zero: behind. Nothing is decided by it.
 *
 * @param readSeconds reads the database's clock.
 */
export async function measureClockAhead(readSeconds: () => Promise<number>): Promise<number> {
  const sentAt = Date.now();
  const seconds = await readSeconds();
  return (sentAt + Date.now()) / 2000 - seconds;
}
