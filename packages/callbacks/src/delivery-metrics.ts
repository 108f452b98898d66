import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** How an attempt can end. */
const OUTCOMES = ['delivered', 'rejected', 'dropped', 'exhausted', 'retry'] as const;

export interface DeliveryMetrics {
  claimed(overdueMs: number): void;
  attempted(outcome: (typeof OUTCOMES)[number], durationMs: number): void;
}

export function createDeliveryMetrics(registry: Registry, countWaiting: () => number): DeliveryMetrics {
  const registers = [registry];
  const attempts = new Counter({
    name: 'mediagate_webhook_attempts_total',
    help: 'Callback requests made, by what followed from them.',
    labelNames: ['outcome'],
    registers,
  });
  // An alert compares with what was before, so that there has to be something.
  for (const outcome of OUTCOMES) attempts.inc({ outcome }, 0);
  const duration = new Histogram({
    name: 'mediagate_webhook_attempt_duration_seconds',
    help: 'From connecting to the status line, or to giving up.',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers,
  });
  const lag = new Histogram({
    name: 'mediagate_webhook_due_lag_seconds',
    help: 'From the moment a callback was due to its claim by a process.',
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600],
    registers,
  });
  new Gauge({
    name: 'mediagate_webhook_waiting',
    help: 'Callbacks that wait in this process because their host or account has its share in flight.',
    registers,
    collect() {
      this.set(countWaiting());
    },
  });
  return {
    claimed: (overdueMs) => lag.observe(overdueMs / 1000),
    attempted(outcome, durationMs) {
      attempts.inc({ outcome });
      duration.observe(durationMs / 1000);
    },
  };
}
