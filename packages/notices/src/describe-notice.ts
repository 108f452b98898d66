import { exactSeconds, exactSecondsOrNull, type Json, type JsonObject, nanoToNumber } from '@mediagate/contracts';
import type { ListedNotice, ReportedNotice } from '@mediagate/database';
import type { Language } from '@mediagate/languages';
import { sentenceOf } from './notice-text';

type Described = Omit<ReportedNotice, 'repeated'>;

/** The notice as lists and webhooks have it. */
export function describeNotice(notice: Described, language: Language): JsonObject {
  const { id, kind, state, subject, accountId, level, since, endedAt, figures } = notice;
  return {
    id,
    kind,
    state,
    subject,
    account_id: accountId,
    level,
    since: exactSeconds(since),
    ended_at: exactSecondsOrNull(endedAt),
    text: sentenceOf({ ...notice, repeated: false }, language),
    figures: figuresInUnits(figures),
  };
}

/** The same of a row. */
export function describeListedNotice(row: ListedNotice, language: Language): JsonObject {
  const { id, since, endedAt, reportedAt, ...same } = row;
  const state = endedAt === null ? 'standing' : 'resolved';
  const times = { since: since.toISOString(), endedAt: endedAt?.toISOString() ?? null };
  const described = describeNotice({ ...same, ...times, id: `notice_${id}`, state }, language);
  return { ...described, reported_at: exactSecondsOrNull(reportedAt) };
}

const NANO = '_nano';

/** Amounts in currency units, under names without their unit. */
function figuresInUnits(figures: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => inUnits(name, value)));
}

function inUnits(name: string, value: Json): [string, Json] {
  return name.endsWith(NANO) ? [name.slice(0, -NANO.length), nanoToNumber(BigInt(String(value)))] : [name, value];
}
