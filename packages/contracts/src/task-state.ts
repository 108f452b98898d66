/** `submitted` accepted and reserved; `pending` claimed by a worker or queued upstream; `processing` the upstream works. */
export const TASK_STATUSES = ['submitted', 'pending', 'processing', 'completed', 'failed'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

export function isTerminal(status: TaskStatus): boolean {
  return status === 'completed' || status === 'failed';
}
