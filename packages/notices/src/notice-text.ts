import {
  type JsonObject,
  type Message,
  message,
  type NoticeKind,
  nanoToDecimal,
  readMessage,
} from '@mediagate/contracts';
import type { ReportedNotice } from '@mediagate/database';
import { type Language, say } from '@mediagate/languages';

/** Characters that end a line, turn the direction of writing, or are not shown: a name with them could write lines of its own. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A notice in one sentence, on one line. */
export function sentenceOf(notice: ReportedNotice, language: Language): string {
  const sentences = [messageOf(notice), ...reasonOf(notice)].map((each) => say(each, language));
  return sentences.join(' ').replace(UNPRINTABLE, ' ');
}

/** The sentence, and since when it is so. */
export function linesOf(notice: ReportedNotice, language: Language): string[] {
  const since = say(message('notice_since', { time: timeText(notice.since) }), language);
  const isStanding = notice.state === 'standing';
  return [
    sentenceOf(notice, language),
    ...(isStanding && notice.repeated ? [say(message('notice_repeated'), language)] : []),
    ...(isStanding ? [since] : []),
  ];
}

/** A message's headline: its one notice, or how many there are. */
export function headlineOf(
  { notices, more, isTest }: { notices: readonly ReportedNotice[]; more: number; isTest: boolean },
  language: Language,
): string {
  if (isTest) return say(message('notice_test'), language);
  const [only] = notices;
  if (only !== undefined && notices.length + more === 1) return sentenceOf(only, language);
  return say(message('notice_count', { count: notices.length + more }), language);
}

function messageOf(notice: ReportedNotice): Message {
  const about = ABOUT[notice.kind as NoticeKind];
  return notice.state === 'standing' ? about.standing(notice) : about.over(notice);
}

type Words = (notice: ReportedNotice) => Message;

const ABOUT: Readonly<Record<NoticeKind, { standing: Words; over: Words }>> = {
  low_balance: {
    standing: (notice) =>
      message('notice_low_balance', {
        account: named(notice),
        balance: amount(notice.figures, 'balance_nano'),
        limit: amount(notice.figures, 'limit_nano'),
      }),
    over: (notice) =>
      message('notice_low_balance_over', { account: named(notice), limit: amount(notice.figures, 'limit_nano') }),
  },
  key_quota: {
    standing: (notice) =>
      message('notice_key_quota', {
        key: named(notice),
        percent: Number(notice.figures['percent']),
        left: amount(notice.figures, 'left_nano'),
        quota: amount(notice.figures, 'quota_nano'),
      }),
    over: (notice) => message('notice_key_quota_over', { key: named(notice) }),
  },
  channel_sick: {
    standing: (notice) =>
      isOfModel(notice)
        ? message('notice_channel_model_sick', partsOf(notice))
        : message('notice_channel_sick', { channel: notice.subject }),
    over: (notice) =>
      isOfModel(notice)
        ? message('notice_channel_model_sick_over', partsOf(notice))
        : message('notice_channel_sick_over', { channel: notice.subject }),
  },
  names_unlisted: {
    standing: ({ subject, figures }) =>
      message('notice_names_unlisted', { channel: subject, names: String(figures['names']) }),
    over: ({ subject }) => message('notice_names_unlisted_over', { channel: subject }),
  },
  callbacks_failing: {
    standing: (notice) =>
      message('notice_callbacks_failing', {
        account: named(notice),
        failed: Number(notice.figures['failed']),
        delivered: Number(notice.figures['delivered']),
      }),
    over: (notice) => message('notice_callbacks_failing_over', { account: named(notice) }),
  },
  audit_violation: {
    standing: ({ figures }) =>
      message('notice_audit_violation', { audit: String(figures['audit']), count: Number(figures['violations']) }),
    over: () => message('notice_audit_violation_over'),
  },
  storage_failing: {
    standing: ({ subject, figures }) =>
      message('notice_storage_failing', {
        place: subject,
        fault: String(figures['fault']),
        processes: Number(figures['processes']),
      }),
    over: ({ subject }) => message('notice_storage_failing_over', { place: subject }),
  },
  books_waiting: {
    standing: ({ figures }) =>
      message('notice_books_waiting', { month: String(figures['month']), reason: String(figures['reason']) }),
    over: () => message('notice_books_waiting_over'),
  },
};

/** Why a whole channel is passed over; the sentence about a model says it by itself. */
function reasonOf(notice: ReportedNotice): Message[] {
  const { kind, state, figures } = notice;
  if (kind !== 'channel_sick' || state !== 'standing' || isOfModel(notice)) return [];
  const reason = readMessage({ key: `notice_fault_${figures['fault']}`, params: {} });
  return reason === undefined ? [] : [reason];
}

/** Only one model of the channel fails. */
function isOfModel({ figures }: ReportedNotice): boolean {
  return typeof figures['model'] === 'string';
}

function partsOf({ figures }: ReportedNotice): { channel: string; model: string } {
  return { channel: String(figures['channel']), model: String(figures['model']) };
}

/** The subject by its name, and by its id, which nobody can choose. */
function named({ subject, figures }: ReportedNotice): string {
  const { name } = figures;
  return typeof name === 'string' && name !== '' ? `${name} (${subject})` : subject;
}

function amount(figures: JsonObject, field: string): string {
  return nanoToDecimal(BigInt(String(figures[field])));
}

/** `2026-11-23 05:10 UTC`, alike in all languages. */
function timeText(time: string): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
