/** How many of something each key has. A key that has none is forgotten, so the memory used is that of the keys in use. */
export class CountByKey {
  readonly #counts = new Map<string, number>();
  #total = 0;

  /** Over all keys. */
  get total(): number {
    return this.#total;
  }

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(...keys: readonly string[]): void {
    for (const key of keys) this.#counts.set(key, this.of(key) + 1);
    this.#total += keys.length;
  }

  /** Each key must have been added as often as it is removed. */
  remove(...keys: readonly string[]): void {
    for (const key of keys) {
      const left = this.of(key) - 1;
      if (left > 0) this.#counts.set(key, left);
      else this.#counts.delete(key);
    }
    this.#total -= keys.length;
  }

  clear(): void {
    this.#counts.clear();
    this.#total = 0;
  }
}
