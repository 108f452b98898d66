import { readUrl } from '@mediagate/callbacks';
import {
  inEnglish,
  isEmailAddress,
  type JsonObject,
  type Nano,
  type NoticeKind,
  type NoticeMedium,
  unixSeconds,
} from '@mediagate/contracts';
import { LANGUAGES, toLanguage } from '@mediagate/languages';
import {
  addTarget,
  changeSettings,
  describeListedNotice,
  describeSettings,
  describeTarget,
  listTargets,
  MAX_NOTICE_TARGETS,
  MAX_TESTS_PER_DAY,
  OPERATORS,
  readSettings,
  testTarget,
  unreachable,
} from '@mediagate/notices';
import { Refusal } from '../refusal';
import { changeBy, requireChanged } from '../require-changed';
import type { Answer, Session } from '../session';
import { textTable } from '../text-table';
import { timeText } from '../time-text';

export interface ListOptions {
  state?: 'standing' | 'resolved';
  kind?: NoticeKind;
  account?: string;
  before?: bigint;
  limit: number;
}

export async function list(
  session: Session,
  { state, kind, account: accountId, before, limit }: ListOptions,
): Promise<Answer> {
  const database = await session.openDatabase();
  const standing = state === undefined ? undefined : state === 'standing';
  const search = { owner: OPERATORS, standing, kind, accountId, before, limit: limit + 1 };
  const found = await database.listNotices(search);
  const shown = found.slice(0, limit);
  const next = found.length > limit ? shown.at(-1)?.id : undefined;
  if (next !== undefined) session.warn(`there are older ones: --before ${next} goes on`);
  const rows = shown.map((notice) => [
    `notice_${notice.id}`,
    notice.endedAt === null ? 'standing' : 'resolved',
    timeText(unixSeconds(notice.since)),
    String(describeListedNotice(notice, 'en')['text']),
  ]);
  return {
    json: {
      notices: shown.map((notice) => describeListedNotice(notice, 'en')),
      next: next === undefined ? null : String(next),
    },
    text: textTable(['ID', 'STATE', 'SINCE', 'NOTICE'], rows),
  };
}

export async function targets(session: Session): Promise<Answer> {
  const found = await listTargets(await session.openDatabase(), OPERATORS);
  const rows = found.map((target) => [
    target.id,
    target.medium,
    String(describeTarget(target)['address']),
    target.kinds.join(', ') || 'all',
    target.language,
    [target.lastState ?? '', target.lastReason ?? ''].join(' ').trim(),
  ]);
  const text = textTable(['ID', 'MEDIUM', 'ADDRESS', 'KINDS', 'LANGUAGE', 'LAST MESSAGE'], rows);
  return { json: { targets: found.map(describeTarget) }, text };
}

export interface NewTargetOptions {
  medium: NoticeMedium;
  address: string;
  kinds?: readonly NoticeKind[];
  language: string;
  reason?: string;
}

export async function add(
  session: Session,
  { medium, address, kinds = [], language, reason }: NewTargetOptions,
): Promise<Answer> {
  const known = toLanguage(language);
  if (known === undefined) throw new Refusal(`the languages are ${LANGUAGES.join(', ')}`);
  const isRight = medium === 'email' ? isEmailAddress(address) : readUrl(address).ok;
  if (!isRight) throw new Refusal(`${address} is no address for ${medium}`);
  const database = await session.openDatabase();
  const target = { owner: OPERATORS, medium, address, kinds, language: known };
  const lost = await unreachable(database, target);
  if (lost) throw new Refusal(`${lost.field}: ${inEnglish(lost.problem)}`);
  const outcome = await addTarget(database, target, changeBy(session, reason));
  const { subject: id } = await requireChanged(
    outcome,
    () => `there are ${MAX_NOTICE_TARGETS} targets, or too many were made today: remove one first`,
  );
  const signed = outcome.secret === undefined ? '' : `\nsigned by ${outcome.secret}, which is not shown again`;
  return { json: { id, secret: outcome.secret ?? null }, text: `operators are told by ${medium}: ${id}${signed}` };
}

export interface TargetChanges {
  /** Empty: all. */
  kinds?: readonly NoticeKind[];
  language?: string;
  reason?: string;
}

export async function change(
  session: Session,
  id: string,
  { kinds, language, reason }: TargetChanges,
): Promise<Answer> {
  const known = language === undefined ? undefined : toLanguage(language);
  if (language !== undefined && known === undefined) throw new Refusal(`the languages are ${LANGUAGES.join(', ')}`);
  const database = await session.openDatabase();
  const target = { id, owner: OPERATORS };
  const outcome = await database.changeNoticeTarget(target, { kinds, language: known }, changeBy(session, reason));
  await requireChanged(outcome, () => unknown(id));
  const changed = (await listTargets(database, OPERATORS)).find((target) => target.id === id);
  if (!changed) throw new Refusal(unknown(id));
  const reported = changed.kinds.join(', ') || 'everything';
  return { json: describeTarget(changed), text: `${id} is told of ${reported}, in ${changed.language}` };
}

export async function remove(session: Session, id: string, reason: string | undefined): Promise<Answer> {
  const database = await session.openDatabase();
  const outcome = await database.removeNoticeTarget(id, OPERATORS, changeBy(session, reason));
  await requireChanged(outcome, () => unknown(id));
  return { json: { id }, text: `nothing more is sent to ${id}` };
}

export async function test(session: Session, id: string, reason: string | undefined): Promise<Answer> {
  const database = await session.openDatabase();
  const outcome = await testTarget(database, { id, owner: OPERATORS }, changeBy(session, reason));
  const { after } = await requireChanged(
    outcome,
    () =>
      `${unknown(id)}, it was tested less than 10 seconds ago, its last test has not ended, or there were ${MAX_TESTS_PER_DAY} tests within a day`,
  );
  return { json: { id, message: after['message'] ?? null }, text: `a test is on its way to ${id}` };
}

function unknown(id: string): string {
  return `operators have no target ${id}`;
}

export async function settings(session: Session): Promise<Answer> {
  const described = describeSettings(await readSettings(await session.openDatabase(), OPERATORS));
  return { json: described, text: settingsTable(described) };
}

/** Null: as by default. */
export interface SetTo<Value> {
  value: Value | null;
}

export interface SettingOptions {
  lowBalance?: SetTo<Nano>;
  keyQuotaPercents?: SetTo<readonly number[]>;
  callbacksFailed?: SetTo<number>;
  channelMinutes?: SetTo<number>;
  repeatMinutes?: SetTo<number>;
  quietMinutes?: SetTo<number>;
  reason?: string;
}

export async function set(session: Session, { reason, ...wanted }: SettingOptions): Promise<Answer> {
  const database = await session.openDatabase();
  const change = {
    lowBalanceNano: wanted.lowBalance?.value,
    keyQuotaPercents: wanted.keyQuotaPercents?.value,
    callbacksFailed: wanted.callbacksFailed?.value,
    channelMinutes: wanted.channelMinutes?.value,
    repeatMinutes: wanted.repeatMinutes?.value,
    quietMinutes: wanted.quietMinutes?.value,
  };
  const outcome = await changeSettings(database, { owner: OPERATORS, change }, changeBy(session, reason));
  await requireChanged(outcome, () => 'the settings were not changed');
  return settings(session);
}

function settingsTable({ set: own, ...inForce }: JsonObject): string {
  const isSet = new Set(own as string[]);
  const rows = Object.entries(inForce).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : String(value),
    isSet.has(name) ? 'set' : 'default',
  ]);
  return textTable(['SETTING', 'VALUE', ''], rows);
}
