import type { Searched } from '../../parts/searched.ts';

/** Filters that the API has under the same names; together with `metadata.<name>`. */
const NAMES = [
  'account_id',
  'request_id',
  'id',
  'url',
  'query',
  'status',
  'family',
  'model',
  'created_after',
  'created_before',
];
/** Filters that are typed into the search field. */
const TYPED = ['account_id', 'request_id', 'id', 'url', 'query'];
const METADATA = 'metadata.';

export type Filters = Readonly<Record<string, string>>;

/** The filters in the address; whatever else stands there is ignored. */
export function filtersOf(words: URLSearchParams): Filters {
  return Object.fromEntries([...words].filter(([name]) => NAMES.includes(name) || name.startsWith(METADATA)));
}

export function typedFilters(filters: Filters): [string, string][] {
  return Object.entries(filters).filter(([name]) => TYPED.includes(name) || name.startsWith(METADATA));
}

/**
 * Reads what a support case has: an id of ours, whole or in part, a result's address, `name=value`, words of what went wrong, else
 * a request's id, which callers may choose: one word with a digit.
 */
export function searchFor(typed: string): Searched {
  if (/^task_[0-9a-z]{26}$/.test(typed)) return { taskId: typed };
  if (/^acct_/.test(typed)) return { filters: { account_id: typed } };
  if (/^https?:\/\//.test(typed)) return { filters: { url: typed } };
  // The page shortens ids so: `task_…w6jthg6`.
  const [, part] = /^(?:task_)?…([0-9a-z]{1,26})$/.exec(typed) ?? [];
  if (part !== undefined) return { filters: { id: part } };
  if (/^task_/.test(typed)) return { filters: { id: typed } };
  const [, name, value] = /^([^=\s]{1,64})=(.+)$/.exec(typed) ?? [];
  if (name !== undefined && value !== undefined) return { filters: { [METADATA + name]: value } };
  return { filters: /\s/.test(typed) || !/\d/.test(typed) ? { query: typed } : { request_id: typed } };
}
