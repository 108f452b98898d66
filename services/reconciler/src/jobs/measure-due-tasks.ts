import { FAMILIES, WORKER_FAMILIES } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import { Gauge, type Registry } from 'prom-client';
import { type Job, readOr } from '../job';

const EVERY_MS = 15_000;

/**
 * Measures the backlog of each family: a backlog breaks no invariant, so the audit does not report it. The figures are NaN
 * until the first measurement and after a failed one: a stale zero would claim that nothing waits.
 */
export function measureDueTasks(database: Database, metrics: Registry): Job {
  const oldest = new Gauge({
    name: 'mediagate_due_tasks_oldest_seconds',
    help: 'How long the oldest task that is due and not leased has waited; 0: none waits; NaN: not known',
    labelNames: ['family'],
    registers: [metrics],
  });
  const waiting = new Gauge({
    name: 'mediagate_due_tasks',
    help: 'Tasks that are due and not leased; waiting to begin and under way are each counted up to 10,000; NaN: not known',
    labelNames: ['family'],
    registers: [metrics],
  });
  function setAll(value: number): void {
    for (const family of FAMILIES) {
      oldest.set({ family }, value);
      waiting.set({ family }, value);
    }
  }
  const forget = () => setAll(Number.NaN);
  forget();
  return {
    name: 'measure-due-tasks',
    everyMs: EVERY_MS,
    async run() {
      const backlogs = await readOr(forget, database.readDueBacklogs(WORKER_FAMILIES));
      setAll(0);
      for (const { family, tasks, oldestSeconds } of backlogs) {
        oldest.set({ family }, oldestSeconds);
        waiting.set({ family }, tasks);
      }
      return { done: 0, more: false };
    },
  };
}
