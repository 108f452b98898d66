import type { NextFunction, Request, Response } from 'express';
import { refuse } from '../http/refuse';

/** The most that the board's own page offers. */
const MAX_JOBS_PER_PAGE = 100;
const JOBS_PER_PAGE = 'jobsPerPage';
/** The least and the most of each number that the board takes, times in milliseconds. */
const RANGES: Readonly<Record<string, readonly [min: number, max: number]>> = {
  page: [1, 1_000_000],
  [JOBS_PER_PAGE]: [1, 1_000_000],
  depth: [0, 100],
  maxChildren: [0, 1000],
  from: [0, 10_000_000_000_000],
  to: [0, 10_000_000_000_000],
};

/**
 * The board reads as many jobs at once as it is asked for, each of some kilobytes in memory: 50,000 of them took 370 MB. So it is asked
 * for a hundred at most, and for no number that Redis would refuse or count from the end.
 */
export function boundPages(request: Request, response: Response, next: NextFunction): void {
  const { pathname, searchParams: query } = new URL(request.url, 'http://board');
  for (const [name, [min, max]] of Object.entries(RANGES)) {
    if (query.getAll(name).every((text) => /^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max))
      continue;
    const message = `${name} must be a whole number from ${min} to ${max}.`;
    refuse(response, { status: 400, reason: 'invalid_request', message });
    return;
  }
  if (Number(query.get(JOBS_PER_PAGE)) > MAX_JOBS_PER_PAGE) {
    query.set(JOBS_PER_PAGE, String(MAX_JOBS_PER_PAGE));
    request.url = `${pathname}?${query}`;
  }
  next();
}
