/** A slice keeps the whole text it was cut from in memory; this one stands alone. */
export function ownCopy(text: string): string {
  return Buffer.from(text).toString();
}
