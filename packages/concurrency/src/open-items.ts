/** Where an item stands among the others. */
export interface Place<Item> {
  /** Undefined: it was removed. */
  item: Item | undefined;
  before: Place<Item> | undefined;
  after: Place<Item> | undefined;
}

/**
 * The items that are open now, in the order in which they came: thousands a second, each for some milliseconds.
 *
 * Not a `Set` or `Map`: after some hundred additions and removals the engine gives these a new table and forgets the old one, which still
 * names all items that were open at that moment. Once such a table is among the old objects, it keeps these items, and everything they
 * refer to, until the whole heap is collected: that happened to a tenth of all that texts allocated. A removed place refers to nothing.
 */
export class OpenItems<Item> implements Iterable<Item> {
  #first: Place<Item> | undefined;
  #last: Place<Item> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(item: Item): Place<Item> {
    const place = { item, before: this.#last, after: undefined };
    if (this.#last === undefined) this.#first = place;
    else this.#last.after = place;
    this.#last = place;
    this.#size += 1;
    return place;
  }

  get first(): Item | undefined {
    return this.#first?.item;
  }

  /** Adds an item in front of all others. */
  addFirst(item: Item): Place<Item> {
    const place = { item, before: undefined, after: this.#first };
    if (this.#first === undefined) this.#last = place;
    else this.#first.before = place;
    this.#first = place;
    this.#size += 1;
    return place;
  }

  /** False: it was removed before. */
  remove(place: Place<Item>): boolean {
    if (place.item === undefined) return false;
    const { before, after } = place;
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    place.item = undefined;
    place.before = undefined;
    place.after = undefined;
    this.#size -= 1;
    return true;
  }

  /** Yields the items that are open when it begins, except those removed before their turn. */
  *[Symbol.iterator](): Iterator<Item> {
    const places: Place<Item>[] = [];
    for (let place = this.#first; place !== undefined; place = place.after) places.push(place);
    for (const { item } of places) if (item !== undefined) yield item;
  }
}
