import { dataQuery } from '../../api/data-query.ts';
import type { components } from '../../api/generated/api.ts';
import type { Process } from './process.ts';

export type Trouble = components['schemas']['Trouble'];

const REFRESH_MS = 10_000;

/** The gateway's list of troubles, the worst first. */
export const troublesQuery = dataQuery<Trouble[]>(['troubles'], '/admin/v1/troubles', {
  refetchInterval: REFRESH_MS,
});

export const processesQuery = dataQuery<Process[]>(['processes'], '/processes', { refetchInterval: REFRESH_MS });
