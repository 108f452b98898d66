import {
  exactSeconds,
  exactSecondsOrNull,
  type FaultCode,
  type JsonObject,
  type Nano,
  nanoToNumber,
  timeOrderedId,
} from '@mediagate/contracts';
import type { ChannelAttempts, Database, ListedOverride } from '@mediagate/database';
import { describeRetirement, type ListedRetirement, listRetirements } from './list-retirements';

/** One channel as an operator sees it. */
export interface ListedChannel {
  id: string;
  /** Null: the file has it no more. */
  protocol: string | null;
  /** It serves test keys alone. */
  isTest: boolean;
  models: string[];
  retirements: ListedRetirement[];
  /** What it does now. `removed`: the file has it no more. */
  state: 'enabled' | 'draining' | 'disabled' | 'removed';
  weight: number | null;
  priority: number | null;
  maxConcurrency: number | null;
  /** What the file says; null: nothing. */
  file: { state: string; weight: number } | null;
  override: Omit<ListedOverride, 'channelId'> | null;
  /** Processes that pass it over just now because it keeps failing, and since when. */
  breaker: { openIn: number; since: Date | null };
  openJobs: number;
  /** Of the time asked for. */
  recent: Omit<ChannelAttempts, 'channelId'>;
}

export interface ListChannelsOptions {
  database: Database;
  /** The channels of the file as they are written there, by id. */
  sources: ReadonlyMap<string, JsonObject>;
  /** How far back attempts count. */
  sinceMs: number;
}

/** Attempts that one list looks at; beyond them the older are left out. */
const MAX_SUMMED_ATTEMPTS = 200_000;

const NONE: ListedChannel['recent'] = {
  attempts: 0,
  succeeded: 0,
  refused: 0,
  unknown: 0,
  medianMs: null,
  p95Ms: null,
  faults: {} satisfies Partial<Record<FaultCode, number>>,
  chargedNano: 0n satisfies Nano,
  costNano: 0n satisfies Nano,
  costUnknown: 0,
};

/** Every channel of the file, and those that it has no more while they have jobs, attempts or an override. By id. */
export async function listChannels({ database, sources, sinceMs }: ListChannelsOptions): Promise<ListedChannel[]> {
  const fromId = `att_${timeOrderedId(Date.now() - sinceMs)}`;
  const [overrides, breakers, jobs, attempts] = await Promise.all([
    database.listChannelOverrides().then(byChannel),
    database.listOpenBreakers().then(byChannel),
    database.countOpenJobs().then(byChannel),
    database.sumChannelAttempts(fromId, MAX_SUMMED_ATTEMPTS).then(byChannel),
  ]);
  const ids = new Set([sources, overrides, jobs, attempts].flatMap((each) => [...each.keys()]));
  return [...ids].sort().map((id) => {
    const written = readWritten(sources.get(id));
    const override = withoutId(overrides.get(id));
    const breaker = breakers.get(id);
    return {
      id,
      ...written,
      state: stateOf(written.file, override),
      weight: override?.weight ?? written.file?.weight ?? null,
      override: override ?? null,
      breaker: { openIn: breaker?.processes ?? 0, since: breaker?.since ?? null },
      openJobs: jobs.get(id)?.jobs ?? 0,
      recent: withoutId(attempts.get(id)) ?? NONE,
    };
  });
}

/** The file's word stands where it has closed the channel: an override only closes further. */
function stateOf(file: ListedChannel['file'], override: { state: string | null } | undefined): ListedChannel['state'] {
  if (file === null) return 'removed';
  const state = file.state === 'enabled' ? (override?.state ?? file.state) : file.state;
  return state as ListedChannel['state'];
}

const NOT_IN_FILE = {
  protocol: null,
  isTest: false,
  models: [],
  retirements: [],
  priority: null,
  maxConcurrency: null,
  file: null,
};

/** With the defaults of the file's schema. */
function readWritten(source: JsonObject | undefined) {
  if (source === undefined) return NOT_IN_FILE;
  const { protocol, models, priority, max_concurrency: maxConcurrency, state, weight } = source;
  return {
    protocol: String(protocol),
    isTest: source['test'] === true,
    models: Object.keys(models as JsonObject),
    retirements: listRetirements(source),
    priority: Number(priority ?? 1),
    maxConcurrency: maxConcurrency === undefined ? null : Number(maxConcurrency),
    file: { state: String(state ?? 'enabled'), weight: Number(weight ?? 1) },
  };
}

function byChannel<Row extends { channelId: string }>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.channelId, row]));
}

function withoutId<Row extends { channelId: string }>(row: Row | undefined): Omit<Row, 'channelId'> | undefined {
  if (row === undefined) return undefined;
  const { channelId: _, ...rest } = row;
  return rest;
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
    override: override && {
      state: override.state,
      weight: override.weight,
      set_by: override.setBy,
      set_at: exactSeconds(override.setAt),
      reason: override.reason,
    },
    breaker: { open_in: breaker.openIn, since: exactSecondsOrNull(breaker.since) },
    open_jobs: channel.openJobs,
    recent: {
      attempts: recent.attempts,
      succeeded: recent.succeeded,
      refused: recent.refused,
      unknown: recent.unknown,
      median_ms: roundedOrNull(recent.medianMs),
      p95_ms: roundedOrNull(recent.p95Ms),
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
