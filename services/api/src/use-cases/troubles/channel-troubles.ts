import type { ListedChannel } from '@mediagate/channels';
import type { FaultCode, TroubleCause } from '@mediagate/contracts';
import type { Trouble } from './trouble';

/** From so many attempts on, their failures say something. */
const TELLING_ATTEMPTS = 5;
/** As the alert on a vendor's faults. */
const SICK_SHARE = 0.2;

/** After so many successes without a failure a channel works again, whatever failed before. */
const CONVINCING_SUCCESSES = 20;
/** A job is slow that takes longer than this, and so many times as long as nearly all that succeeded in the last hour. */
const SLOW_MS = 30_000;
const SLOW_TIMES = 3;
/** Where none succeeded. */
const SLOW_UNKNOWN_MS = 600_000;
/** How the detail of an attempt begins whose vendor was done, and whose answer or files are no result. */
const NO_RESULT = /^(?:no usable output|a success that cannot be read): /;

const CAUSE_OF_FAULT: Readonly<Partial<Record<FaultCode, TroubleCause>>> = {
  operator: 'our_key',
  rate_limited: 'our_limit',
  not_accepted: 'their_outage',
  upstream_fault: 'their_outage',
  generation_failed: 'their_outage',
  outcome_unknown: 'answers_lost',
};

/** A channel that is closed, passed over or often fails; else one that is full. Those of test keys fail as their callers wish. */
export function channelTroubles(channels: readonly ListedChannel[]): Trouble[] {
  return channels
    .filter(({ isTest }) => !isTest)
    .flatMap((channel) =>
      [sick(channel) ?? slow(channel) ?? full(channel), ...ending(channel)].filter((found) => found !== undefined),
    );
}

function sick(channel: ListedChannel): Trouble | undefined {
  const { id, state, breaker, recent, faults } = channel;
  const isClosed = isSteered(state) || faults.length > 0;
  const isOpen = breaker.openIn > 0 || breaker.models.length > 0;
  const failsOften =
    recent.attempts >= TELLING_ATTEMPTS &&
    recent.failed > 0 &&
    recent.failed >= recent.attempts * SICK_SHARE &&
    recent.succeededSince < CONVINCING_SUCCESSES;
  if (!isClosed && !isOpen && !failsOften) return undefined;
  const cause = causeOf(channel);
  return {
    kind: 'channel',
    urgency: URGENCY[cause] ?? 'warning',
    subject: id,
    since: sinceOf(channel, cause),
    cause,
    detail: detailOf(channel, cause),
    touched: recent.failed,
    of: recent.attempts,
    accounts: recent.failedAccounts,
    costNano: recent.failedNano,
  };
}

/** Closed, by an operator or the file. One that neither has any more only finishes its jobs. */
function isSteered(state: ListedChannel['state']): boolean {
  return state === 'draining' || state === 'disabled';
}

const URGENCY: Readonly<Partial<Record<TroubleCause, Trouble['urgency']>>> = {
  our_key: 'critical',
  closed_by_operator: 'info',
};

function causeOf({ state, breaker, recent, faults }: ListedChannel): TroubleCause {
  if (faults.length > 0) return 'our_settings';
  if (isSteered(state)) return 'closed_by_operator';
  if (breaker.openIn === 0 && breaker.models.length > 0) return 'name_gone';
  const [fault] = [breaker.fault, ...commonestFirst(recent.faults)].filter((each) => each && CAUSE_OF_FAULT[each]);
  if (!fault) return 'not_known';
  return NO_RESULT.test(recent.details[fault] ?? '') ? 'their_files' : (CAUSE_OF_FAULT[fault] ?? 'not_known');
}

function commonestFirst(faults: ListedChannel['recent']['faults']): FaultCode[] {
  const counted = Object.entries(faults) as [FaultCode, number][];
  return counted.toSorted(([, one], [, other]) => other - one).map(([fault]) => fault);
}

/** Attempts that only often fail are known as far back as they are counted. */
function sinceOf({ override, breaker, recent }: ListedChannel, cause: TroubleCause): Date | null {
  if (cause === 'our_settings') return null;
  if (cause === 'closed_by_operator') return override === null ? null : new Date(override.latest.effectiveAt);
  return breaker.since ?? breaker.models[0]?.since ?? recent.firstFailedAt;
}

function detailOf({ breaker, faults, override, recent }: ListedChannel, cause: TroubleCause): string | null {
  if (cause === 'our_settings') return faults.map(({ field, message }) => `${field}: ${message}`).join('; ');
  if (cause === 'closed_by_operator') return override?.latest.reason ?? null;
  if (cause === 'name_gone') return breaker.models.map(({ model }) => model).join(', ');
  const counts = commonestFirst(recent.faults).map((fault) => {
    const counted = `${fault}: ${recent.faults[fault]}`;
    const detail = recent.details[fault];
    return detail ? `${counted} (${detail})` : counted;
  });
  return counts.length === 0 ? breaker.fault : counts.join(', ');
}

/** Its vendor takes the jobs, and does not get done with them. */
function slow({ id, openJobs, oldestJobMs, recent }: ListedChannel): Trouble | undefined {
  const usual = recent.p95Ms;
  const limitMs = usual === null ? SLOW_UNKNOWN_MS : Math.max(SLOW_MS, usual * SLOW_TIMES);
  if (oldestJobMs === null || oldestJobMs <= limitMs) return undefined;
  const took = usual === null ? 'none was done in the last hour' : `95 % took at most ${seconds(usual)}`;
  return {
    kind: 'channel',
    urgency: 'warning',
    subject: id,
    since: null,
    cause: 'their_delay',
    detail: `the oldest job takes ${seconds(oldestJobMs)}; ${took}`,
    touched: openJobs,
    of: null,
    accounts: null,
    costNano: null,
  };
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;

function full({ id, openJobs, maxConcurrency }: ListedChannel): Trouble | undefined {
  if (maxConcurrency === null || openJobs < maxConcurrency) return undefined;
  const figures = { touched: openJobs, of: maxConcurrency, accounts: null, costNano: null, since: null, detail: null };
  return { kind: 'channel_full', urgency: 'info', subject: id, cause: 'all_slots_taken', ...figures };
}

/** Models that the vendor ends within 60 days, or has ended. */
function ending({ id, retirements }: ListedChannel): Trouble[] {
  return retirements
    .filter(({ stage }) => stage !== 'served')
    .map(({ model, servedUntil, replacedBy, stage }) => ({
      kind: 'model_ending',
      urgency: stage === 'ended' ? 'warning' : 'info',
      subject: id,
      since: null,
      cause: 'vendor_ends_model',
      detail: `${replacedBy === undefined ? model : `${model} → ${replacedBy}`}, ${servedUntil}`,
      touched: 0,
      of: null,
      accounts: null,
      costNano: null,
    }));
}
