import { type CallMetrics, createCallMetrics, type KnownLabels } from '@mediagate/channels';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export interface WorkerMetrics {
  steps: Counter<'family' | 'outcome'>;
  stepSeconds: Histogram<'family' | 'outcome'>;
  /** Tasks that this process works on now. */
  inFlight: Gauge<'family'>;
  calls: CallMetrics;
}

const STEP_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300];

export function createWorkerMetrics(register: Registry, labels: KnownLabels): WorkerMetrics {
  const registers = [register];
  return {
    steps: new Counter({
      name: 'mediagate_task_steps_total',
      help: 'Steps of tasks, by outcome',
      registers,
      labelNames: ['family', 'outcome'],
    }),
    stepSeconds: new Histogram({
      name: 'mediagate_task_step_seconds',
      help: 'Duration of a step',
      registers,
      buckets: STEP_SECONDS,
      labelNames: ['family', 'outcome'],
    }),
    inFlight: new Gauge({
      name: 'mediagate_tasks_in_flight',
      help: 'Tasks that this process is working on',
      registers,
      labelNames: ['family'],
    }),
    calls: createCallMetrics(register, labels),
  };
}
