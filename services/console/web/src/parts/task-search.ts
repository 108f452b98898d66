export type Filters = Readonly<Record<string, string>>;
/** A typed search is for one task, or narrows the list by filters of these names. */
export type Searched = { taskId: string } | { filters: Filters };

const METADATA = 'metadata.';

/** The filters of these names in the address, and those by metadata; whatever else stands there is ignored. */
export function filtersIn(words: URLSearchParams, names: readonly string[]): Filters {
  return Object.fromEntries([...words].filter(([name]) => names.includes(name) || name.startsWith(METADATA)));
}

/** A search and the account that it is within stay beside each other, whichever is typed first. */
const ACCOUNT = 'account_id';

/** The changes of the address by a search: it takes the place of the one before. @param typed names of filters that are typed */
export function replaceSearch(words: URLSearchParams, typed: readonly string[], filters: Filters): Filters {
  if (ACCOUNT in filters) return filters;
  const former = Object.keys(filtersIn(words, typed)).filter((name) => name !== ACCOUNT);
  return { ...Object.fromEntries(former.map((name) => [name, ''])), ...filters };
}

/** The name of what a filter by metadata looks at; undefined: it is another filter. */
export function metadataName(filter: string): string | undefined {
  return filter.startsWith(METADATA) ? filter.slice(METADATA.length) : undefined;
}

/** The filter of `order=7`, which is one by metadata; undefined: other words. */
export function metadataFilter(typed: string): Filters | undefined {
  const [, name, value] = /^([^=\s]{1,64})=(.+)$/.exec(typed) ?? [];
  return name === undefined || value === undefined ? undefined : { [METADATA + name]: value };
}

export function isTaskId(typed: string): boolean {
  return /^task_[0-9a-z]{26}$/.test(typed);
}
