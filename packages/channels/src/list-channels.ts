import { type FaultCode, isJsonObject, type Json, type JsonObject, type Nano } from '@mediagate/contracts';
import type { ChannelAttempts, OpenBreakers, SettingStep } from '@mediagate/database';
import type { FieldFault, PartReader } from '@mediagate/settings';
import { type OverriddenSource, openOverridden, sourcesInForce } from './apply-overrides';
import { inEffect, readStored } from './change-settings';
import type { Channels } from './channels';
import { type ListedRetirement, listRetirements } from './list-retirements';
import { foldSteps } from './setting-schedule';

/** One channel as an operator sees it. */
export interface ListedChannel {
  id: string;
  /** Null: neither the file nor an operator has it any more. */
  protocol: string | null;
  /** It serves test keys alone. */
  isTest: boolean;
  models: string[];
  retirements: ListedRetirement[];
  /** The state that counts now. `removed`: neither the file nor an operator has it any more. */
  state: 'enabled' | 'draining' | 'disabled' | 'removed';
  weight: number | null;
  priority: number | null;
  maxConcurrency: number | null;
  /** The file's values; null: the file does not have the channel. */
  file: { state: string; weight: number } | null;
  /** The values that operators have set over the file, by the file's names of the fields. */
  override: { fields: JsonObject; latest: Pick<SettingStep, 'setBy' | 'effectiveAt' | 'reason'> } | null;
  /** The values that are set for later, in the order of their moments. */
  scheduled: SettingStep[];
  /** Every field that the file or an operator has set, as it counts now. */
  settings: JsonObject;
  /** Why it takes no tasks, whatever its state: what operators have set does not fit the file any more. */
  faults: readonly FieldFault[];
  /** How many processes pass it over now because it keeps failing, since when and why; and single models of it likewise. */
  breaker: { openIn: number; since: Date | null; fault: FaultCode | null; models: Omit<OpenBreakers, 'channelId'>[] };
  /** Vendor's names of its models that the vendor's own list did not have when it was last compared. */
  unlisted: string[];
  openJobs: number;
  /** How long the oldest of them has been under way; null: there is none. */
  oldestJobMs: number | null;
  /** Its attempts in the time asked for. */
  recent: Omit<ChannelAttempts, 'channelId'>;
}

export interface ChannelSearch {
  /** How far back attempts count. */
  sinceMs: number;
  /** Limits the list to this channel. */
  channelId?: string | undefined;
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
  lastSucceededAt: null,
  succeededSince: 0,
  faults: {} satisfies Partial<Record<FaultCode, number>>,
  details: {},
  chargedNano: 0n satisfies Nano,
  costNano: 0n satisfies Nano,
  costUnknown: 0,
  failed: 0,
  failedAccounts: 0,
  firstFailedAt: null,
  failedNano: 0n satisfies Nano,
};

/** Every channel of the file and of operators, and those that neither has any more while they have jobs or attempts. By id. */
export async function listChannels(
  channels: Pick<Channels, 'database' | 'inFile' | 'reader'>,
  { sinceMs, channelId }: ChannelSearch,
): Promise<ListedChannel[]> {
  const { database, reader } = channels;
  const inFile = channels.inFile();
  const [stored, breakers, unlisted, jobs, attempts] = await Promise.all([
    readStored(database),
    database.listOpenBreakers(),
    database.listUnlisted().then(byChannel),
    database.countOpenJobs().then(byChannel),
    database.sumChannelAttempts({ sinceMs, limit: MAX_SUMMED_ATTEMPTS, channelId }).then(byChannel),
  ]);
  const steps = stored.steps.filter(({ section }) => section === 'channels');
  const overrides = foldSteps(inEffect(steps));
  const sources = sourcesInForce(inFile, overrides);
  const set = new Map(steps.map(({ name }) => [name, steps.filter((step) => step.name === name)]));
  const ids = new Set([sources, set, jobs, attempts].flatMap((each) => [...each.keys()]));
  const wanted = channelId === undefined ? [...ids].sort() : [channelId].filter((id) => ids.has(id));
  return wanted.map((id) => {
    return {
      id,
      ...readOverridden(sources.get(id), { set: overrides.channels.get(id), written: inFile.get(id) }, reader),
      ...readSet(set.get(id) ?? []),
      file: readFile(inFile.get(id)),
      breaker: breakerOf(breakers.filter(({ channelId }) => channelId === id)),
      unlisted: unlisted.get(id)?.unlisted ?? [],
      openJobs: jobs.get(id)?.jobs ?? 0,
      oldestJobMs: jobs.get(id)?.oldestMs ?? null,
      recent: withoutId(attempts.get(id)) ?? NONE,
    };
  });
}

function breakerOf(open: readonly OpenBreakers[]): ListedChannel['breaker'] {
  const whole = open.find(({ model }) => model === null);
  const models = open.filter(({ model }) => model !== null);
  return { openIn: whole?.processes ?? 0, since: whole?.since ?? null, fault: whole?.fault ?? null, models };
}

const REMOVED = {
  protocol: null,
  isTest: false,
  models: [],
  retirements: [],
  state: 'removed',
  weight: null,
  priority: null,
  maxConcurrency: null,
  settings: {},
  faults: [],
} as const satisfies Partial<ListedChannel>;

/** Reads a channel with the defaults of the file's schema. */
function readOverridden(source: JsonObject | undefined, part: Omit<OverriddenSource, 'source'>, reader: PartReader) {
  if (source === undefined) return { ...REMOVED, models: [], retirements: [] };
  const { protocol, models, priority, max_concurrency: maxConcurrency, state, weight, id: _, ...others } = source;
  const opened = openOverridden({ source, ...part }, { reader });
  return {
    protocol: String(protocol),
    isTest: source['test'] === true,
    models: isJsonObject(models) ? Object.keys(models) : [],
    retirements: listRetirements(source),
    state: String(state ?? 'enabled') as ListedChannel['state'],
    weight: Number(weight ?? 1),
    priority: Number(priority ?? 1),
    maxConcurrency: maxConcurrency === undefined ? null : Number(maxConcurrency),
    settings: withoutAbsent({ protocol, models, priority, max_concurrency: maxConcurrency, state, weight, ...others }),
    faults: opened.kind === 'faulty' ? opened.faults : [],
  };
}

function withoutAbsent(fields: Record<string, Json | undefined>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject;
}

function readSet(steps: readonly SettingStep[]): Pick<ListedChannel, 'override' | 'scheduled'> {
  const counting = inEffect(steps);
  const [fields = {}] = foldSteps(counting).channels.values();
  const latest = counting.at(-1);
  const scheduled = steps.filter(({ effectiveInMs }) => effectiveInMs > 0);
  return { override: latest === undefined ? null : { fields, latest }, scheduled };
}

function readFile(source: JsonObject | undefined): ListedChannel['file'] {
  return source === undefined
    ? null
    : { state: String(source['state'] ?? 'enabled'), weight: Number(source['weight'] ?? 1) };
}

function byChannel<Row extends { channelId: string }>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.channelId, row]));
}

function withoutId<Row extends { channelId: string }>(row: Row | undefined): Omit<Row, 'channelId'> | undefined {
  if (row === undefined) return undefined;
  const { channelId: _, ...rest } = row;
  return rest;
}
