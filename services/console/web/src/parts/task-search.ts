export type Filters = Readonly<Record<string, string>>;
/** A typed search is for one task, or narrows the list by filters of these names. */
export type Searched = { taskId: string } | { filters: Filters };

const METADATA = 'metadata.';

/** The filters of these names in the address, and those by metadata; whatever else stands there is ignored. */
export function filtersIn(words: URLSearchParams, names: readonly string[]): Filters {
  return Object.fromEntries([...words].filter(([name]) => names.includes(name) || name.startsWith(METADATA)));
}

/** The filter of `order=7`, which is one by metadata; undefined: other words. */
export function metadataFilter(typed: string): Filters | undefined {
  const [, name, value] = /^([^=\s]{1,64})=(.+)$/.exec(typed) ?? [];
  return name === undefined || value === undefined ? undefined : { [METADATA + name]: value };
}

export function isTaskId(typed: string): boolean {
  return /^task_[0-9a-z]{26}$/.test(typed);
}
