import { exactSeconds, exactSecondsOrNull, nanoToNumber } from '@mediagate/contracts';
import type { SettingStep } from '@mediagate/database';
import type { ListedChannel } from './list-channels';
import { describeRetirement } from './list-retirements';

function describeOverride({ fields, latest }: NonNullable<ListedChannel['override']>) {
  return {
    state: fields['state'] ?? null,
    weight: fields['weight'] ?? null,
    fields,
    set_by: latest.setBy,
    set_at: exactSeconds(latest.effectiveAt),
    reason: latest.reason,
  };
}

function describeBreaker({ openIn, since, fault, models }: ListedChannel['breaker']) {
  const ofModels = models.map(({ model, processes, since: at, fault: met }) => ({
    model,
    open_in: processes,
    since: exactSeconds(at),
    fault: met,
  }));
  return { open_in: openIn, since: exactSecondsOrNull(since), fault, models: ofModels };
}

/** As operators see it. Amounts in currency units, times in Unix seconds. */
export function describeChannel(channel: ListedChannel) {
  const { override, breaker, recent } = channel;
  return {
    id: channel.id,
    protocol: channel.protocol,
    test: channel.isTest,
    models: channel.models,
    retirements: channel.retirements.map(describeRetirement),
    state: channel.state,
    weight: channel.weight,
    priority: channel.priority,
    max_concurrency: channel.maxConcurrency,
    file: channel.file,
    override: override && describeOverride(override),
    scheduled: channel.scheduled.map(describeScheduled),
    settings: channel.settings,
    faults: channel.faults.map(({ field, message }) => ({ field, message })),
    breaker: describeBreaker(breaker),
    unlisted: channel.unlisted,
    open_jobs: channel.openJobs,
    recent: {
      attempts: recent.attempts,
      succeeded: recent.succeeded,
      refused: recent.refused,
      unknown: recent.unknown,
      median_ms: roundedOrNull(recent.medianMs),
      p95_ms: roundedOrNull(recent.p95Ms),
      last_succeeded_at: exactSecondsOrNull(recent.lastSucceededAt),
      faults: recent.faults,
      charged: nanoToNumber(recent.chargedNano),
      spend: nanoToNumber(recent.costNano),
      cost_unknown: recent.costUnknown,
      margin: recent.costUnknown > 0 ? null : nanoToNumber(recent.chargedNano - recent.costNano),
    },
  };
}

function roundedOrNull(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms);
}

/** A field that is set for later, as operators see it. */
export function describeScheduled({ field, value, effectiveAt, setBy, reason }: SettingStep) {
  return { field, value, effective_at: exactSeconds(effectiveAt), set_by: setBy, reason };
}
