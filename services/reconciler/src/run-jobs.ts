import type { Scope } from '@mediagate/host';
import { Counter } from 'prom-client';
import { type Job, RunningJob } from './job';

/** Repeats each job until the process drains. One whose end fails keeps no other from ending. */
export function runJobs(scope: Scope, jobs: readonly Job[]): void {
  const rows = new Counter({
    name: 'mediagate_job_rows_total',
    help: 'Rows a job of the reconciler changed',
    registers: [scope.metrics],
    labelNames: ['job'],
  });
  for (const job of jobs) {
    const { name } = job;
    const running = new RunningJob(job, { logger: scope.logger, onRun: (count) => rows.inc({ job: name }, count) });
    scope.addLivenessCheck(name, () => running.isAlive());
    scope.onDrain(name, () => running.stop());
  }
}
