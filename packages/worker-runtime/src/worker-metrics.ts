import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export interface WorkerMetrics {
  steps: Counter<'family' | 'outcome'>;
  faults: Counter<'channel' | 'fault'>;
  stepSeconds: Histogram<'family' | 'outcome'>;
  /** Tasks that this process works on now. */
  inFlight: { inc(family: string): void; dec(family: string): void };
  overruns: Counter<'model'>;
}

const STEP_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300];

export function createWorkerMetrics(register: Registry): WorkerMetrics {
  const registers = [register];
  return {
    steps: new Counter({
      name: 'mediagate_task_steps_total',
      help: 'Steps of tasks, by outcome',
      registers,
      labelNames: ['family', 'outcome'],
    }),
    faults: new Counter({
      name: 'mediagate_upstream_faults_total',
      help: 'Faults of upstreams, by channel',
      registers,
      labelNames: ['channel', 'fault'],
    }),
    stepSeconds: new Histogram({
      name: 'mediagate_task_step_seconds',
      help: 'Duration of a step',
      registers,
      buckets: STEP_SECONDS,
      labelNames: ['family', 'outcome'],
    }),
    inFlight: createInFlight(registers),
    overruns: new Counter({
      name: 'mediagate_overruns_total',
      help: 'Tasks that used more than was reserved',
      registers,
      labelNames: ['model'],
    }),
  };
}

/** Reported under the present name, and for one release under the former one. */
function createInFlight(registers: Registry[]): WorkerMetrics['inFlight'] {
  const help = 'Tasks this process is working on';
  const gauges = ['mediagate_tasks_in_flight', 'mediagate_tasks_in_hand'].map(
    (name) => new Gauge({ name, help, registers, labelNames: ['family'] }),
  );
  return {
    inc: (family) => gauges.forEach((gauge) => void gauge.inc({ family })),
    dec: (family) => gauges.forEach((gauge) => void gauge.dec({ family })),
  };
}
