import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { ask } from './gateway.ts';

interface CursorPage<Row> {
  data: Row[];
  next_cursor: string | null;
  has_more: boolean;
}

export interface CursorList<Row> {
  /** Undefined: none has come yet. */
  rows: readonly Row[] | undefined;
  hasMore: boolean;
  error: Error | null;
  retry(): unknown;
  /** The end came into view. */
  onEnd(): void;
}

const PAGE_ROWS = 100;

/** A list of the API's, page by page as its end comes into view. Pages are fetched again once they are `staleTime` ms old. */
export function useCursorList<Row>(
  key: readonly unknown[],
  path: string,
  query: Readonly<Record<string, string>> = {},
  options: { staleTime?: number } = {},
): CursorList<Row> {
  const { data, error, isError, isFetching, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: [...key, query],
    queryFn: ({ pageParam, signal }) =>
      ask<CursorPage<Row>>(path, { query: { ...query, limit: PAGE_ROWS, cursor: pageParam }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor, has_more }) => (has_more ? next_cursor : undefined),
    ...options,
  });
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data), [data]);
  const onEnd = useCallback(() => {
    // A failed page is asked for again by its reader alone.
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  return { rows, hasMore: hasNextPage, error, retry: fetchNextPage, onEnd };
}
