import type { FinishedTask } from '@mediagate/billing';
import { NANO_PER_UNIT, type Nano } from '@mediagate/contracts';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { KnownLabels } from './known-labels';

/** From a quick text to the longest that a video may take. */
const TASK_SECONDS = [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1200, 1800, 3600];

/** Counts ends of tasks, and money by channel; to be called for each task that this process ends. Tests are left out. */
export function createEndMetrics(register: Registry, labels: KnownLabels): (ended: FinishedTask) => void {
  const countMoney = createMoney(register, labels);
  const registers = [register];
  const durations = new Histogram({
    name: 'mediagate_task_duration_seconds',
    help: 'Time from the submission of a task to its end.',
    labelNames: ['family', 'model', 'status'],
    buckets: TASK_SECONDS,
    registers,
  });
  const failures = new Counter({
    name: 'mediagate_task_failures_total',
    help: 'Tasks that failed and were refunded, by reason.',
    labelNames: ['family', 'reason'],
    registers,
  });
  const overruns = new Counter({
    name: 'mediagate_overruns_total',
    help: 'Tasks that used more than was reserved: the platform pays the rest.',
    labelNames: ['model'],
    registers,
  });

  // An alert compares with an earlier value, so there has to be one.
  for (const model of labels.models) overruns.inc({ model }, 0);

  return (ended) => {
    if (ended.isTest) return;
    const { family, seconds, reason } = ended;
    const model = labels.model(ended.model);
    durations.observe({ family, model, status: reason === undefined ? 'completed' : 'failed' }, seconds);
    if (reason !== undefined) failures.inc({ family, reason });
    if (ended.overrunNano > 0n) overruns.inc({ model });
    countMoney(ended);
  };
}

/** A task that no vendor was asked for has no channel, and moves no money of one. */
function createMoney(register: Registry, labels: KnownLabels) {
  const counter = (name: string, help: string) =>
    new Counter({ name, help, labelNames: ['channel'], registers: [register] });
  const charged = counter('mediagate_charged_units_total', 'What accounts paid for tasks, in currency units.');
  const cost = counter('mediagate_vendor_cost_units_total', 'What vendors charge for tasks, as far as that is known.');
  const unknown = counter('mediagate_vendor_cost_unknown_total', 'Ended tasks whose cost at the vendor is not known.');
  return ({ channelId, chargedNano, costNano }: FinishedTask) => {
    if (channelId === undefined) return;
    const channel = labels.channel(channelId);
    charged.inc({ channel }, toUnits(chargedNano));
    if (costNano === undefined) unknown.inc({ channel });
    else cost.inc({ channel }, toUnits(costNano));
  };
}

function toUnits(nano: Nano): number {
  return Number(nano) / Number(NANO_PER_UNIT);
}
