import { queryOptions, type UndefinedInitialDataOptions } from '@tanstack/react-query';
import { ask } from './gateway.ts';
import type { RequestOptions } from './request.ts';

interface DataQueryOptions<Data> extends Omit<UndefinedInitialDataOptions<Data>, 'queryKey' | 'queryFn'> {
  query?: NonNullable<RequestOptions['query']>;
}

/** A query for what the API answers as `data`. */
export function dataQuery<Data>(
  queryKey: readonly unknown[],
  path: string,
  { query, ...options }: DataQueryOptions<Data> = {},
) {
  return queryOptions<Data>({
    queryKey,
    queryFn: async ({ signal }) => (await ask<{ data: Data }>(path, { signal, ...(query && { query }) })).data,
    ...options,
  });
}
