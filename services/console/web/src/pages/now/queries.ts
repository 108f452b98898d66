import { dataQuery } from '../../api/data-query.ts';
import type { Answers } from '../../api/gateway.ts';
import type { components } from '../../api/generated/api.ts';
import type { Process } from './process.ts';

export type Attempt = components['schemas']['QuarantinedAttempt'];
export type Notice = components['schemas']['Notice'];
export type Audit = Answers['adminListAudits']['data'][number];

const REFRESH_MS = 15_000;
/** A larger number is shown as so many and more. */
export const MOST_COUNTED = 100;

/** Attempts whose outcome nobody knows, and nobody has resolved. */
export const unknownQuery = dataQuery<Attempt[]>(['quarantine', 'now'], '/admin/v1/attempts', {
  query: { limit: MOST_COUNTED },
  refetchInterval: REFRESH_MS,
});

/** The standing notices. */
export const noticesQuery = dataQuery<Notice[]>(['notices', 'now'], '/admin/v1/notices', {
  query: { state: 'standing', limit: MOST_COUNTED },
  refetchInterval: REFRESH_MS,
});

const PROCESSES_REFRESH_MS = 10_000;

export const processesQuery = dataQuery<Process[]>(['processes'], '/processes', {
  refetchInterval: PROCESSES_REFRESH_MS,
});

/** The newest audit of the books, if there is one. */
export const auditQuery = dataQuery<Audit[]>(['audits', 'newest'], '/admin/v1/audits', {
  query: { limit: 1 },
  refetchInterval: REFRESH_MS,
});
