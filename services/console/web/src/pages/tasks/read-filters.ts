import type { Searched } from '../../parts/searched.ts';
import type { TaskFilters } from './queries.ts';

/** Filters that the API has under the same names. */
const NAMES = ['status', 'family', 'model', 'callback', 'created_after', 'created_before', 'idempotency_key'];
const METADATA = 'metadata.';

/** The filters in the address; whatever else stands there is ignored. */
export function filtersOf(words: URLSearchParams): TaskFilters {
  const known = [...words].filter(([name]) => NAMES.includes(name) || name.startsWith(METADATA));
  return Object.fromEntries(known);
}

/** The filters that were typed: metadata and the idempotency key. */
export function typedFilters(filters: TaskFilters): [string, string][] {
  return Object.entries(filters).filter(([name]) => name === 'idempotency_key' || name.startsWith(METADATA));
}

/** Reads what somebody typed: a task's id, `order=7` for metadata, else an idempotency key. */
export function searchFor(typed: string): Searched {
  if (/^task_[0-9a-z]{26}$/.test(typed)) return { taskId: typed };
  const [, name, value] = /^([^=\s]{1,64})=(.+)$/.exec(typed) ?? [];
  if (name !== undefined && value !== undefined) return { filters: { [METADATA + name]: value } };
  return { filters: { idempotency_key: typed } };
}
