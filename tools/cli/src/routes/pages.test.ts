import { listOperatorOperations } from '@mediagate/api/operators-router';
import type { Json, JsonObject } from '@mediagate/contracts';
import { askPages } from './pages';

const operation = listOperatorOperations().find(({ entry }) => entry === 'adminListDeliveries');

/** A route that has these pages; the place of one is its cursor. */
function routeOf(pages: readonly (readonly number[])[]) {
  const asked: Json[] = [];
  const ask = async (
    _entry: string,
    { cursor = '0', limit = null }: Readonly<Record<string, Json | undefined>> = {},
  ): Promise<JsonObject> => {
    asked.push(limit);
    const at = Number(cursor);
    const next = at + 1 < pages.length ? String(at + 1) : null;
    return { data: [...(pages[at] ?? [])], next_cursor: next, has_more: next !== null };
  };
  return { ask, asked };
}

it('goes on behind pages that are short or empty, until there are as many rows as are wanted', async () => {
  if (!operation) throw new Error('there is no list of deliveries');
  const { ask, asked } = routeOf([[1], [], [2, 3], [4]]);
  expect(await askPages({ ask }, operation, { limit: '3' })).toEqual({
    data: [1, 2, 3],
    next_cursor: '3',
    has_more: true,
  });
  expect(asked).toEqual([3, 2, 2]);
  expect(await askPages(routeOf([[1], [], [2]]), operation, {})).toEqual({
    data: [1, 2],
    next_cursor: null,
    has_more: false,
  });
});
