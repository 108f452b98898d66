import { type Filters, filtersIn, isTaskId, metadataFilter, type Searched } from '../../parts/task-search.ts';

/** Filters that are typed into the search field, beside those by metadata. */
export const TYPED = ['idempotency_key'];
/** Filters that the API has under the same names. */
const NAMES = ['status', 'family', 'model', 'callback', 'created_after', 'created_before', ...TYPED];

export function filtersOf(words: URLSearchParams): Filters {
  return filtersIn(words, NAMES);
}

/** Reads what somebody typed: a task's id, `order=7` for metadata, else an idempotency key. */
export function searchFor(typed: string): Searched {
  if (isTaskId(typed)) return { taskId: typed };
  return { filters: metadataFilter(typed) ?? { idempotency_key: typed } };
}
