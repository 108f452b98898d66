import type { NextFunction, Request, Response } from 'express';

/** The most that the board's own page offers. */
const MAX_JOBS_PER_PAGE = 100;
const PARAMETER = 'jobsPerPage';

/** The board reads as many jobs at once as it is asked for, each of some kilobytes in memory: 50,000 of them took 370 MB. */
export function boundPages(request: Request, _response: Response, next: NextFunction): void {
  const { pathname, searchParams: query } = new URL(request.url, 'http://board');
  if (Number(query.get(PARAMETER)) > MAX_JOBS_PER_PAGE) {
    query.set(PARAMETER, String(MAX_JOBS_PER_PAGE));
    request.url = `${pathname}?${query}`;
  }
  next();
}
