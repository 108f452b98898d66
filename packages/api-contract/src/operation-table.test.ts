import { loadCatalogue } from '@mediagate/catalog';
import { listOperations } from './index';

const { entries } = loadCatalogue();
const operations = listOperations(entries, { legacyPrefix: 'mj' });

it('no two operations have one id, or one method and path', () => {
  const ids = operations.map(({ id }) => id);
  const places = operations.map(({ method, path }) => `${method} ${path}`);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([]);
});

it('no path stands behind a pattern that takes its requests', () => {
  const patterns = operations.map(
    ({ path }) => new RegExp(`^${path.replace(/:\w+$/, '').replace(/\{\w+\}/g, '[^/]+')}$`),
  );
  const swallowed = operations.filter(({ path }, index) =>
    patterns
      .slice(0, index)
      .some((pattern, earlier) => !path.includes('{') && operations[earlier]?.path !== path && pattern.test(path)),
  );
  expect(swallowed.map(({ path }) => path)).toEqual([]);
});

it('every operation of the catalogue is offered, by its own paths or by a route', () => {
  const offered = new Set(operations.map(({ operation }) => operation));
  const missing = entries.filter(({ operation }) => !offered.has(operation)).map(({ operation }) => operation);
  // Offered by the older interface alone, whose bodies say what they are.
  expect(missing).toEqual(['imgtool.shorten']);
});

it('the prefix of the older interface is a word that no other path begins with', () => {
  for (const legacyPrefix of ['mj', 'draw-2', 'X']) {
    expect(listOperations(entries, { legacyPrefix }).map(({ path }) => path)).toContain(
      `/${legacyPrefix}/submit/imagine`,
    );
  }
  for (const legacyPrefix of ['', 'v1', 'Models', 'gemini', 'a/b', ':id', '-a', 'x'.repeat(33)]) {
    expect(() => listOperations(entries, { legacyPrefix })).toThrow('IMGTOOL_LEGACY_PREFIX must be');
  }
});
