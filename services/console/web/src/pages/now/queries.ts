import { queryOptions } from '@tanstack/react-query';
import { type Answers, ask } from '../../api/gateway.ts';
import type { components } from '../../api/generated/api.ts';

export type Attempt = components['schemas']['QuarantinedAttempt'];
export type Notice = components['schemas']['Notice'];
export type Audit = Answers['adminListAudits']['data'][number];

const REFRESH_MS = 15_000;
/** A larger number is shown as so many and more. */
export const MOST_COUNTED = 100;

/** Attempts whose outcome nobody knows, and nobody has resolved. */
export const unknownQuery = queryOptions({
  queryKey: ['quarantine', 'now'],
  queryFn: async ({ signal }) =>
    (await ask<{ data: Attempt[] }>('/admin/v1/attempts', { query: { limit: MOST_COUNTED }, signal })).data,
  refetchInterval: REFRESH_MS,
});

/** The standing notices of accounts and keys: channels and books have rows of their own. */
export const noticesQuery = queryOptions({
  queryKey: ['notices', 'now'],
  queryFn: async ({ signal }) => {
    const query = { state: 'standing', limit: MOST_COUNTED };
    const { data } = await ask<{ data: Notice[] }>('/admin/v1/notices', { query, signal });
    return data.filter(({ account_id: account }) => account !== null);
  },
  refetchInterval: REFRESH_MS,
});

/** The newest audit of the books. */
export const auditQuery = queryOptions({
  queryKey: ['audits', 'newest'],
  queryFn: async ({ signal }) =>
    (await ask<Answers['adminListAudits']>('/admin/v1/audits', { query: { limit: 1 }, signal })).data[0] ?? null,
  refetchInterval: REFRESH_MS,
});
