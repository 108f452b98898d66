import { createSendingRules, judgeUrl, readUrl } from '@mediagate/callbacks';
import { type Message, message, type NoticeMedium } from '@mediagate/contracts';
import { type Database, type NoticeReach, OPERATORS } from '@mediagate/database';

/** Where a message would go. */
interface Destination {
  owner: string;
  medium: NoticeMedium;
  address: string;
}

/** Stores what the sender of notices can reach. The sender calls this now and then; other processes judge new targets by it. */
export async function reportReach(database: Pick<Database, 'reportNoticeReach'>, reach: NoticeReach): Promise<void> {
  await database.reportNoticeReach(reach);
}

/** Why nothing ever arrives there, by its field; undefined: it may, or nobody has sent notices yet. Holders' URLs keep to the rules of callbacks. */
export async function unreachable(
  database: Pick<Database, 'readNoticeReach'>,
  { owner, medium, address }: Destination,
): Promise<{ field: 'medium' | 'address'; problem: Message } | undefined> {
  const [stored] = await database.readNoticeReach();
  if (stored === undefined) return undefined;
  const { hasMail, ownHosts, ...rules } = stored.reach;
  if (medium === 'email') return hasMail ? undefined : { field: 'medium', problem: message('no_mail_here') };
  if (owner !== OPERATORS || !readUrl(address).ok) return undefined;
  const { policy } = createSendingRules({ ...rules, ...NOTHING_SENT }, { ownHosts, maxConnections: 1 });
  const judged = judgeUrl(address, policy);
  return judged.ok ? undefined : { field: 'address', problem: judged.problem };
}

const NOTHING_SENT = { retryDelaysSeconds: [], timeoutSeconds: 1 };
