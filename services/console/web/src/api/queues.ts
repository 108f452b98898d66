import { dataQuery } from './data-query.ts';
import type { components } from './generated/api.ts';

export type Queues = components['schemas']['Queues'];

const REFRESH_MS = 5_000;

export const queuesQuery = dataQuery<Queues>(['queues'], '/admin/v1/queues', { refetchInterval: REFRESH_MS });
