import { type KnownLabels, SLOTS_IN_USE } from '@mediagate/channels';
import type { Nano } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import { Gauge, type Registry } from 'prom-client';
import { type Job, readOr } from '../job';

const EVERY_MS = 15_000;

export interface MeasureStandingOptions {
  metrics: Registry;
  labels: KnownLabels;
  lowBalanceNano: Nano;
}

/**
 * Measures what waits for an operator, and the slots of channels. The figures are NaN, or absent, until the first measurement and
 * after a failed one: a stale zero would claim that nothing waits.
 */
export function measureStanding(database: Database, { metrics, labels, lowBalanceNano }: MeasureStandingOptions): Job {
  const gauges = openGauges(metrics);
  const { slots, unlisted } = openChannelGauges(metrics);
  const forget = () => {
    for (const gauge of Object.values(gauges)) gauge.set(Number.NaN);
    slots.reset();
    unlisted.reset();
  };
  forget();

  async function measure(): Promise<void> {
    const [[standing], taken, missing] = await Promise.all([
      database.readStanding({ lowBalanceNano }),
      database.countTakenSlots(),
      database.listUnlisted(),
    ]);
    if (!standing) throw new Error('a sum without a row');
    for (const [name, gauge] of Object.entries(gauges)) gauge.set(standing[name as keyof typeof gauges]);
    slots.reset();
    // Several channels that the file has no more share a label.
    unlisted.reset();
    for (const { channelId, unlisted: names } of missing)
      unlisted.inc({ channel: labels.channel(channelId) }, names.length);
    for (const { channelId, jobs } of taken) slots.inc({ channel: labels.channel(channelId) }, jobs);
  }

  return {
    name: 'measure-standing',
    everyMs: EVERY_MS,
    async run() {
      await readOr(forget, measure());
      return { done: 0, more: false };
    },
  };
}

function openChannelGauges(metrics: Registry) {
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['channel'], registers: [metrics] });
  return {
    slots: gauge('mediagate_channel_slots_in_use', SLOTS_IN_USE),
    unlisted: gauge(
      'mediagate_channel_unlisted_names',
      "Names of models at the channel's vendor that the vendor's own list does not have, by the comparison of the last day; absent: none",
    ),
  };
}

function openGauges(metrics: Registry) {
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help: `${help}; NaN: not known`, registers: [metrics] });
  return {
    lowBalances: gauge(
      'mediagate_low_balance_accounts',
      'Active accounts that were topped up once and have less than LOW_BALANCE_UNITS',
    ),
    quarantined: gauge(
      'mediagate_quarantined_attempts',
      'Attempts of unknown outcome that no operator has resolved, of at most 10,000',
    ),
    dueDeliveries: gauge('mediagate_due_deliveries', 'Callbacks that are due and not leased, of at most 10,000'),
    oldestNoticeSeconds: gauge(
      'mediagate_notice_messages_oldest_seconds',
      'How long the oldest message of notices that is not sent has waited; 0: none waits',
    ),
    oldestDeliverySeconds: gauge(
      'mediagate_due_deliveries_oldest_seconds',
      'How long the oldest callback that is due and not leased has waited; 0: none waits',
    ),
  };
}
