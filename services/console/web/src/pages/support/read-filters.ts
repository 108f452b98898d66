import { type Filters, filtersIn, isTaskId, metadataFilter, type Searched } from '../../parts/task-search.ts';

/** Filters that are typed into the search field, beside those by metadata. */
export const TYPED = ['account_id', 'request_id', 'id', 'url', 'query'];
/** Filters that the API has under the same names. */
const NAMES = [...TYPED, 'status', 'family', 'model', 'created_after', 'created_before'];

export function filtersOf(words: URLSearchParams): Filters {
  return filtersIn(words, NAMES);
}

/**
 * Reads what a support case has: an id of ours, whole or in part, a result's address, `name=value`, words of what went wrong, else
 * a request's id, which callers may choose: one word with a digit.
 */
export function searchFor(typed: string): Searched {
  if (isTaskId(typed)) return { taskId: typed };
  if (/^acct_/.test(typed)) return { filters: { account_id: typed } };
  if (/^https?:\/\//.test(typed)) return { filters: { url: typed } };
  // The page shortens ids so: `task_…w6jthg6`.
  const [, part] = /^(?:task_)?…([0-9a-z]{1,26})$/.exec(typed) ?? [];
  if (part !== undefined) return { filters: { id: part } };
  if (/^task_/.test(typed)) return { filters: { id: typed } };
  const ofMetadata = metadataFilter(typed);
  if (ofMetadata !== undefined) return { filters: ofMetadata };
  return { filters: /\s/.test(typed) || !/\d/.test(typed) ? { query: typed } : { request_id: typed } };
}
