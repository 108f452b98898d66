/** Each is a line of some 60 characters. */
const MAX_LINES = 10_000;

/** Lines whose last attempt was slow. Beyond so many the one is forgotten that was slow the longest ago: it has the chance of a new one. */
export class SlowLines {
  readonly #lines = new Set<string>();

  has(line: string): boolean {
    return this.#lines.has(line);
  }

  note(line: string, isSlow: boolean): void {
    this.#lines.delete(line);
    if (!isSlow) return;
    this.#lines.add(line);
    if (this.#lines.size <= MAX_LINES) return;
    const [longestAgo] = this.#lines;
    if (longestAgo !== undefined) this.#lines.delete(longestAgo);
  }
}
