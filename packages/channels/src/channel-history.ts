import { timeOrderedId } from '@mediagate/contracts';
import type { ChannelFigures, Database } from '@mediagate/database';
import { readStored, stepsOf } from './change-settings';
import type { Channels } from './channels';

/** Parts of the time that is asked for, each of the same length. */
const PARTS = 48;
/** Rows of all channels that are looked at in each part, and attempts of the one channel that count: they bound a history's cost. */
const SCAN_ROWS = 10_000;
const PART_ROWS = 1_000;
const MINUTE_MS = 60_000;

export interface ChannelHistory {
  fromMs: number;
  partMs: number;
  /** The parts in which an attempt began. */
  parts: readonly (ChannelFigures & { part: number })[];
  models: readonly (ChannelFigures & { model: string })[];
}

export interface HistoryRequest {
  channelId: string;
  /** How far back. */
  minutes: number;
  /** Limits the history to this model; undefined: every model. */
  model: string | undefined;
}

/**
 * Reads how a channel's attempts ended, and how long they took, over the time and by model. Undefined: neither the file nor an
 * operator knows the channel, and nothing is remembered of it.
 */
export async function readChannelHistory(
  channels: Pick<Channels, 'database' | 'inFile'>,
  request: HistoryRequest,
  nowMs: number = Date.now(),
): Promise<ChannelHistory | undefined> {
  const history = await readHistory(channels.database, request, nowMs);
  return history.parts.length > 0 || (await isKnown(channels, request.channelId)) ? history : undefined;
}

async function isKnown({ database, inFile }: Pick<Channels, 'database' | 'inFile'>, id: string): Promise<boolean> {
  if (inFile().has(id)) return true;
  if (stepsOf(await readStored(database), 'channels', id).length > 0) return true;
  return (await database.channelDefinition.findUnique({ where: { id }, select: { id: true } })) !== null;
}

async function readHistory(
  database: Database,
  { channelId, minutes, model }: HistoryRequest,
  nowMs: number,
): Promise<ChannelHistory> {
  const partMs = (minutes * MINUTE_MS) / PARTS;
  const fromMs = nowMs - PARTS * partMs;
  const bounds = Array.from({ length: PARTS + 1 }, (_, part) => `att_${timeOrderedId(fromMs + part * partMs)}`);
  const rows = await database.readChannelHistory({
    channelId,
    bounds,
    scanRows: SCAN_ROWS,
    partRows: PART_ROWS,
    model: model ?? null,
  });
  return {
    fromMs,
    partMs,
    parts: rows.filter((row): row is ChannelFigures & { part: number } => row.part !== null),
    models: rows.filter((row): row is ChannelFigures & { model: string } => row.model !== null),
  };
}

/** As operators see it. Times in Unix seconds. */
export function describeHistory({ fromMs, partMs, parts, models }: ChannelHistory) {
  return {
    from: fromMs / 1000,
    part_seconds: partMs / 1000,
    parts: parts.map((figures) => ({
      from: (fromMs + figures.part * partMs) / 1000,
      ...describeFigures(figures),
    })),
    models: models.map((figures) => ({ model: figures.model, ...describeFigures(figures) })),
  };
}

function describeFigures(figures: ChannelFigures) {
  const { attempts, succeeded, refused, unknown, medianMs, p95Ms, faults, isSampled } = figures;
  const rounded = (ms: number | null) => (ms === null ? null : Math.round(ms));
  return {
    attempts,
    succeeded,
    refused,
    unknown,
    median_ms: rounded(medianMs),
    p95_ms: rounded(p95Ms),
    faults,
    sampled: isSampled,
  };
}
