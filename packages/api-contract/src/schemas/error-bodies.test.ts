import { ERROR_TABLE } from '@mediagate/contracts';
import { ERROR_MEANINGS } from './error-bodies';

it('the reference says when an answer has each status that errors have', () => {
  const statuses = new Set(Object.values(ERROR_TABLE).map(({ httpStatus }) => String(httpStatus)));
  expect(Object.keys(ERROR_MEANINGS)).toEqual([...statuses].sort());
});
