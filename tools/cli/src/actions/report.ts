import {
  MARGIN_COLUMNS,
  type MarginColumn,
  type MarginReport,
  type Month,
  marginAsCsv,
  marginAsJson,
  monthIn,
  readMargin,
  sumsAsText,
} from '@mediagate/billing';
import { readSources, vendorsOf } from '@mediagate/channels';
import { exactSeconds } from '@mediagate/contracts';
import type { MarginGroup } from '@mediagate/database';
import { openConfiguration } from '../open-configuration';
import type { TimeInZone } from '../option-values';
import { Refusal } from '../refusal';
import { refuseRemoved } from '../refuse-removed';
import type { Answer, Session } from '../session';
import { textTable } from '../text-table';

export interface ReportOptions {
  from?: TimeInZone;
  to?: TimeInZone;
  month?: Month;
  timezone?: string;
  groupBy?: readonly MarginGroup[];
  units?: boolean;
  csv?: true;
}

const COLUMNS: Record<'usage' | 'margin', MarginColumn[]> = {
  usage: ['tasks', 'completed', 'failed', 'charged', 'refunded'],
  margin: MARGIN_COLUMNS,
};
const TOO_WIDE = {
  too_many_tasks: (limit: number) => `there are more than ${limit} tasks: ask for a shorter time, and add up`,
  too_many_groups: (limit: number) => `there are more than ${limit} groups: ask for a shorter time or fewer groups`,
};
const DEFAULT_MS = 30 * 86_400_000;

/** Reports usage, or what it earned. */
export async function report(
  session: Session,
  of: keyof typeof COLUMNS,
  { groupBy = ['day'], units = false, csv, ...when }: ReportOptions,
): Promise<Answer> {
  const { channelSources } = openConfiguration(session).settings;
  const database = await session.openDatabase();
  const vendors = await vendorsOf({ database, sources: () => readSources(database, channelSources) });
  const range = rangeOf(when);
  if (range.from >= range.to) throw new Refusal('--from must be before --to');
  const found = await readMargin(database, { ...range, timezone: when.timezone, groupBy, units, vendors }).catch(
    refuseRemoved,
  );
  if (found.kind !== 'report') throw new Refusal(TOO_WIDE[found.kind](found.limit));
  const columns: MarginColumn[] = units ? [...COLUMNS[of], 'units'] : COLUMNS[of];
  return {
    json: { from: exactSeconds(range.from), to: exactSeconds(range.to), ...marginAsJson(found) },
    text: csv ? marginAsCsv({ ...found, timezone: when.timezone }, columns).trimEnd() : toText(found, columns),
  };
}

function rangeOf({ from, to, month, timezone }: ReportOptions): { from: Date; to: Date } {
  if (month !== undefined) {
    const inZone = monthIn(month, timezone);
    return { from: inZone.from, to: inZone.to };
  }
  const end = to?.(timezone) ?? new Date();
  return { from: from?.(timezone) ?? new Date(end.getTime() - DEFAULT_MS), to: end };
}

function toText({ groupBy, rows, total }: MarginReport, columns: readonly MarginColumn[]): string {
  const lines = rows.map(({ values, ...sums }) => [
    ...values.map((value) => value ?? ''),
    ...sumsAsText(sums, columns),
  ]);
  const last = [...groupBy.map((_, index) => (index === 0 ? 'total' : '')), ...sumsAsText(total, columns)];
  const headings = [...groupBy, ...columns].map((name) => name.replace('_', ' ').toUpperCase());
  return textTable(headings, [...lines, last]);
}
