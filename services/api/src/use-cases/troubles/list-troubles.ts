import { type AuditRun, listAudits } from '@mediagate/billing';
import { listChannels } from '@mediagate/channels';
import type { ListedNotice, QuarantinedAttempt } from '@mediagate/database';
import type { Language } from '@mediagate/languages';
import { describeListedNotice, OPERATORS } from '@mediagate/notices';
import { listQuarantined, listQueues } from '@mediagate/tasks';
import type { Operators } from '../../operators';
import { channelTroubles } from './channel-troubles';
import { databaseTroubles, evictionTroubles, floodTroubles } from './own-troubles';
import { queueTroubles } from './queue-troubles';
import { rankTroubles, type Trouble } from './trouble';

const HOUR_MS = 3_600_000;
/** Rows of a kind that one list looks at; it stands for that many or more. */
const MOST_COUNTED = 100;

type Sources = Pick<Operators, 'database' | 'channels' | 'queues'>;

/** Lists what an operator should look at, the worst first. Each source is bounded, whatever the size of the books. */
export async function listTroubles(
  { database, channels, queues }: Sources,
  { language, nowMs = Date.now() }: { language: Language; nowMs?: number },
): Promise<Trouble[]> {
  const standing = (kind?: string) =>
    database.listNotices({
      owner: OPERATORS,
      standing: true,
      kind,
      accountId: undefined,
      before: undefined,
      limit: MOST_COUNTED,
    });
  const countJobs = () => queues.counts().catch(() => undefined);
  const readServers = () => queues.servers().catch(() => []);
  const unresolved = { open: true, isTest: false, limit: MOST_COUNTED };
  const [audits, storage, books, notices, listed, backlog, quarantined, servers] = await Promise.all([
    listAudits(database, { before: undefined, limit: 1 }),
    standing('storage_failing'),
    standing('books_waiting'),
    standing(),
    listChannels(channels, { sinceMs: HOUR_MS }),
    listQueues(database, countJobs),
    listQuarantined(database, unresolved),
    readServers(),
  ]);
  return rankTroubles([
    ...violated(audits),
    ...[...storage, ...books].map((notice) => ofNotice(notice, language)),
    ...databaseTroubles(database.use()),
    ...evictionTroubles(servers),
    ...queueTroubles(backlog, nowMs),
    ...floodTroubles(backlog),
    ...channelTroubles(listed),
    ...unknown(quarantined.rows),
    ...noticed(notices, language),
  ]);
}

const NO_FIGURES = { touched: 0, of: null, accounts: null, costNano: null } as const;

function violated([newest]: readonly AuditRun[]): Trouble[] {
  const [first] = newest?.violations ?? [];
  if (newest === undefined || first === undefined) return [];
  const detail = `${first.invariant}: ${first.detail}`;
  const figures = { ...NO_FIGURES, touched: newest.violations.length };
  const about = { subject: null, since: newest.endedAt, cause: 'books', detail } as const;
  return [{ kind: 'books_broken', urgency: 'critical', ...about, ...figures }];
}

function sentenceOf(notice: ListedNotice, language: Language): string {
  return String(describeListedNotice(notice, language)['text']);
}

function ofNotice(notice: ListedNotice, language: Language): Trouble {
  const detail = sentenceOf(notice, language);
  const { subject, since } = notice;
  return notice.kind === 'storage_failing'
    ? { kind: 'storage_failing', urgency: 'critical', subject, since, cause: 'our_storage', detail, ...NO_FIGURES }
    : { kind: 'books_waiting', urgency: 'info', subject, since, cause: 'month_open', detail, ...NO_FIGURES };
}

/** Attempts whose outcome nobody knows: their accounts were refunded, and the vendor may charge for them. */
function unknown(attempts: readonly QuarantinedAttempt[]): Trouble[] {
  const oldest = attempts.at(-1);
  if (oldest === undefined) return [];
  return [
    {
      kind: 'attempts_unknown',
      urgency: 'info',
      subject: null,
      since: oldest.startedAt,
      cause: 'outcome_unknown',
      detail: null,
      touched: attempts.length,
      of: null,
      accounts: new Set(attempts.map(({ accountId }) => accountId)).size,
      costNano: attempts.reduce((sum, { refundedNano }) => sum + refundedNano, 0n),
    },
  ];
}

/** The notices of accounts and keys, as one: their owners get them, too. */
function noticed(notices: readonly ListedNotice[], language: Language): Trouble[] {
  const ofAccounts = notices.filter(({ accountId }) => accountId !== null);
  const [newest] = ofAccounts;
  if (newest === undefined) return [];
  const since = new Date(Math.min(...ofAccounts.map((each) => each.since.getTime())));
  const accounts = new Set(ofAccounts.map(({ accountId }) => accountId)).size;
  const about = { subject: null, since, cause: 'of_accounts', detail: sentenceOf(newest, language) } as const;
  const figures = { ...NO_FIGURES, touched: ofAccounts.length, accounts };
  return [{ kind: 'accounts_noticed', urgency: 'info', ...about, ...figures }];
}
