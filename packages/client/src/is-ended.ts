import type { EndedTask, TaskRecord } from './types.ts';

export function isEnded(task: TaskRecord): task is EndedTask {
  return task.status === 'completed' || task.status === 'failed';
}
