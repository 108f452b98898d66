/** The idempotency key of all tries of one change: another body has another, and so has what comes after an answer. */
export class RepeatKey {
  #body = '';
  #key = '';

  for(...body: readonly unknown[]): string {
    const text = JSON.stringify(body);
    if (text !== this.#body) this.#key = crypto.randomUUID();
    this.#body = text;
    return this.#key;
  }

  /** The change was made: the same body is another one now. */
  answered(): void {
    this.#body = '';
  }
}
