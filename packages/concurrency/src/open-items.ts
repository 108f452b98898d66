/** Where an item stands among the others. */
export interface Place<Item> {
  /** Undefined: it was removed. */
  item: Item | undefined;
  before: Place<Item> | undefined;
  after: Place<Item> | undefined;
}

/**
 * What is open now, in the order in which it came: thousands a second that stay for some milliseconds each.
 *
 * Not a `Set` or `Map`: after some hundred additions and removals the engine gives these a new table and forgets the old one, which still
 * names all that was open at that moment. Once such a table is among the old objects, all of that is kept, with everything it refers to, until the
 * whole heap is collected; a tenth of all that texts made was. A place that is removed refers to nothing.
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

  /** In front of all others. */
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

  /** Those that are open when it begins, but for what is removed before its turn. */
  *[Symbol.iterator](): Iterator<Item> {
    const places: Place<Item>[] = [];
    for (let place = this.#first; place !== undefined; place = place.after) places.push(place);
    for (const { item } of places) if (item !== undefined) yield item;
  }
}
