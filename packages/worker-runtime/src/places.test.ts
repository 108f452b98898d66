import { createPlaces, createWaitingPlaces } from './places';

describe('places', () => {
  it('leave others free when one key has its share', () => {
    const places = createPlaces({ total: 3, perKey: 2 });
    const [first] = [places.take('a'), places.take('a')];
    expect(places.take('a')).toBeUndefined();
    expect(places.take('b')).toBeDefined();
    expect(places.take('c')).toBeUndefined();
    first?.();
    expect(places.take('a')).toBeDefined();
  });

  it('count for each of the keys, and once where a key is named twice', () => {
    const places = createPlaces({ total: 10, perKey: 2 });
    const release = places.take('account', 'host', 'host');
    expect(places.take('other', 'host')).toBeDefined();
    expect(places.take('third', 'host')).toBeUndefined();
    release?.();
    expect(places.take('third', 'host')).toBeDefined();
  });
});

it('a small worker keeps places for the files of others, too', () => {
  const { files } = createWaitingPlaces(8);
  while (files.take('account', 'silent.example'));
  expect(files.take('other account', 'silent.example')).toBeUndefined();
  expect(files.take('other account', 'good.example')).toBeDefined();
});
