import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from './failure.tsx';
import { PageHead } from './page-head.tsx';
import { TableSkeleton } from './table.tsx';

interface LoadingPageProps {
  query: Pick<UseQueryResult, 'error' | 'refetch'>;
  title: string;
  crumb: ReactNode;
}

/** The page of an object whose record is not there yet, or cannot be had. */
export function LoadingPage({ query: { error, refetch }, title, crumb }: LoadingPageProps) {
  return (
    <>
      <PageHead title={title} crumb={crumb} />
      {error ? <Failure error={error} retry={refetch} /> : <TableSkeleton rows={8} />}
    </>
  );
}
