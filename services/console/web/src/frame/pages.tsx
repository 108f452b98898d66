import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Route, Routes } from 'react-router';
import { type Session, sessionQuery } from '../api/session.ts';
import { Failure } from '../parts/failure.tsx';
import { NotFound } from './not-found.tsx';
import { PageBoundary } from './page-boundary.tsx';
import { pagesFor } from './page-table.ts';
import { Waiting } from './waiting.tsx';

/** Whoever is not signed in needs none of it. */
const Shell = lazy(() => import('./shell.tsx'));

/** The page of the address: of who is signed in inside the frame, else the way in. */
export function Pages() {
  const { data: session, error, refetch } = useQuery(sessionQuery);
  if (error) return <Failure error={error} retry={refetch} />;
  if (session === undefined) return <Waiting />;
  if (session === null) return <PageRoutes session={null} />;
  return (
    <Suspense fallback={<Waiting />}>
      <Shell session={session}>
        <PageRoutes session={session} />
      </Shell>
    </Suspense>
  );
}

function PageRoutes({ session }: { session: Session | null }) {
  const pages = pagesFor(session?.user ?? null);
  return (
    <PageBoundary>
      <Suspense fallback={<Waiting />}>
        <Routes>
          {pages.map(({ path, Component }) => (
            <Route key={path} path={path} element={<Component />} />
          ))}
          <Route path="*" element={<NotFound />} />
        </Routes>
      </Suspense>
    </PageBoundary>
  );
}
