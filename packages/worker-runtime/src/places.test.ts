import { createPlaces } from './places';

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
});
