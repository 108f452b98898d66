import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { whenSignedOut } from './request.ts';
import { sessionQuery } from './session.ts';

const RETRIES = 2;
const FRESH_MS = 5_000;

/** One cache for all pages. What a server refuses is refused again: only lost connections and its own faults are retried. */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        retry: (count, error) => count < RETRIES && isPassing(error),
      },
    },
  });
  whenSignedOut(() => client.setQueryData(sessionQuery.queryKey, null));
  return client;
}

function isPassing(error: Error): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}
