import { OpenItems, type Place } from './open-items';

describe('open items', () => {
  it('are those that were added and not removed, in their order', () => {
    const items = new OpenItems<string>();
    const places = ['a', 'b', 'c', 'd'].map((item) => items.add(item));
    expect([...items]).toEqual(['a', 'b', 'c', 'd']);
    for (const index of [1, 3, 0]) expect(items.remove(places[index] as Place<string>)).toBe(true);
    expect([[...items], items.size]).toEqual([['c'], 1]);
    items.add('e');
    items.remove(places[2] as Place<string>);
    expect([[...items], items.size]).toEqual([['e'], 1]);
  });

  it('are removed once', () => {
    const items = new OpenItems<string>();
    const place = items.add('a');
    items.add('b');
    expect([items.remove(place), items.remove(place), items.size]).toEqual([true, false, 1]);
  });

  it('refer to nothing any more once they are removed', () => {
    const items = new OpenItems<string>();
    const [first, second, third] = ['a', 'b', 'c'].map((item) => items.add(item)) as [
      Place<string>,
      ...Place<string>[],
    ];
    for (const place of [second, first, third]) items.remove(place as Place<string>);
    const nothing = { item: undefined, before: undefined, after: undefined };
    expect([first, second, third]).toEqual([nothing, nothing, nothing]);
  });

  it('may be added and removed while somebody goes through them', () => {
    const items = new OpenItems<string>();
    const places = ['a', 'b', 'c'].map((item) => items.add(item));
    const seen: string[] = [];
    for (const item of items) {
      seen.push(item);
      items.remove(places[1] as Place<string>);
      items.add(`${item}${item}`);
    }
    expect(seen).toEqual(['a', 'c']);
  });
});
