import {
  type AccountQuery,
  type AccountSummary,
  accountOf,
  adjust,
  changeAccount,
  closeAccount,
  type Funding,
  listAccounts,
  openAccount,
  readAccount,
  resumeAccount,
  suspendAccount,
  topUp,
} from '@mediagate/billing';
import { type Nano, nanoToDecimal, nanoToNumber } from '@mediagate/contracts';
import type { AccountSnapshot, ChangeOutcome, Database } from '@mediagate/database';
import { newWebhookSecret, readWebhookSecret, rotateWebhookSecret, type WebhookSecret } from '@mediagate/webhooks';
import { audited } from '../audited';
import { Refusal } from '../refusal';
import type { Answer, Session } from '../session';
import { textTable } from '../text-table';

export interface Payment {
  reference?: string;
  note?: string;
}

export async function create(session: Session, name: string, balanceNano: Nano): Promise<Answer> {
  const database = await session.openDatabase();
  const { actor } = session;
  const outcome = await openAccount(database, { name, webhookSecret: newWebhookSecret() }, { actor });
  const { id } = requireChanged(outcome, 'the account was not opened');
  if (balanceNano > 0n) await pay(session, database, { accountId: id, amountNano: balanceNano, note: 'first balance' });
  return {
    json: { id, name, balance: nanoToNumber(balanceNano) },
    text: textTable(['ID', 'NAME', 'BALANCE'], [[id, name, nanoToDecimal(balanceNano)]]),
  };
}

export async function book(session: Session, accountId: string, amountNano: Nano, options: Payment): Promise<Answer> {
  const database = await session.openDatabase();
  const { balanceNano } = await pay(session, database, { accountId, amountNano, ...options });
  return {
    json: { id: accountId, amount: nanoToNumber(amountNano), balance: nanoToNumber(balanceNano) },
    text: `${nanoToDecimal(amountNano)} booked; the balance of ${accountId} is ${nanoToDecimal(balanceNano)}`,
  };
}

async function pay({ actor }: Session, database: Database, funding: Funding): Promise<AccountSummary> {
  const outcome = await topUp(database, funding, { actor });
  if (outcome.kind === 'duplicate') {
    throw new Refusal(`the reference ${funding.reference} was booked before: nothing was done`);
  }
  const state = outcome.kind === 'changed' ? undefined : (await readAccount(database, funding.accountId))?.state;
  return requireChanged(
    outcome,
    state ? `account ${funding.accountId} is ${state}` : `there is no account ${funding.accountId}`,
  );
}

function requireChanged(outcome: ChangeOutcome, otherwise: string): AccountSummary {
  if (outcome.kind !== 'changed') throw new Refusal(otherwise);
  return accountOf(outcome.row.after as AccountSnapshot);
}

export interface SecretOptions {
  rotate?: true;
  overlapHours?: number;
}

const DEFAULT_OVERLAP_HOURS = 24;
const HOUR_MS = 3_600_000;

/** Whoever reads or changes a secret stands in the audit log; the secret does not. */
export async function secret(session: Session, accountId: string, options: SecretOptions): Promise<Answer> {
  const { rotate = false, overlapHours = DEFAULT_OVERLAP_HOURS } = options;
  if (!rotate && options.overlapHours !== undefined) throw new Refusal('--overlap-hours goes with --rotate');
  const database = await session.openDatabase();
  const found = rotate
    ? await rotateSecret(session, database, { accountId, overlapMs: overlapHours * HOUR_MS })
    : await readSecret(session, database, accountId);
  const until = found.previousValidUntil?.toISOString();
  return {
    json: { id: accountId, secret: found.secret, previous_valid_until: until ?? null },
    text: until === undefined ? found.secret : `${found.secret}\nThe one before it signs beside it until ${until}.`,
  };
}

function readSecret(session: Session, database: Database, accountId: string): Promise<WebhookSecret & { id: string }> {
  return audited(session, database, { name: 'account.read_secret', subject: accountId }, async () => {
    const found = await readWebhookSecret(database, accountId);
    if (found === undefined) throw unknownAccount(accountId);
    return { id: accountId, ...found };
  });
}

async function rotateSecret(
  { actor }: Session,
  database: Database,
  { accountId, overlapMs }: { accountId: string; overlapMs: number },
): Promise<WebhookSecret> {
  const outcome = await rotateWebhookSecret(database, accountId, { overlapMs, actor });
  if (outcome === undefined) throw unknownAccount(accountId);
  if (outcome.kind === 'rotated') return outcome;
  const until = outcome.until.toISOString();
  throw new Refusal(`two secrets are valid until ${until}; --overlap-hours 0 ends every earlier one at once`);
}

function unknownAccount(accountId: string): Refusal {
  return new Refusal(`there is no account ${accountId}`);
}

/** What is absent stays as it is. */
export interface NamedSettings {
  name?: string;
  submitPerMinute?: number | 'none';
  queryPerMinute?: number | 'none';
}

export async function update(session: Session, id: string, settings: NamedSettings): Promise<Answer> {
  const { name, submitPerMinute, queryPerMinute } = settings;
  const limits = { submitPerMinute: orNull(submitPerMinute), queryPerMinute: orNull(queryPerMinute) };
  const database = await session.openDatabase();
  const outcome = await changeAccount(database, { id, name, ...limits }, { actor: session.actor });
  return shown([requireChanged(outcome, `there is no account ${id}`)]);
}

function orNull(limit: number | 'none' | undefined): number | null | undefined {
  return limit === 'none' ? null : limit;
}

const MOVES = { suspend: suspendAccount, resume: resumeAccount, close: closeAccount } as const;

export async function move(session: Session, id: string, { to, reason }: Move): Promise<Answer> {
  const database = await session.openDatabase();
  const request = { actor: session.actor, ...(reason === undefined ? {} : { reason }) };
  const outcome = await MOVES[to](database, id, request);
  const state = outcome.kind === 'changed' ? undefined : (await readAccount(database, id))?.state;
  const otherwise = state === undefined ? `there is no account ${id}` : `account ${id} is ${state}`;
  return shown([requireChanged(outcome, otherwise)]);
}

export interface Move {
  to: keyof typeof MOVES;
  reason?: string;
}

export async function correct(session: Session, accountId: string, amountNano: Nano, reason: string): Promise<Answer> {
  const database = await session.openDatabase();
  const request = { actor: session.actor, reason };
  const outcome = await adjust(database, { accountId, amountNano, note: reason }, request);
  const otherwise = (await readAccount(database, accountId))
    ? `the balance of ${accountId} would fall below zero`
    : `there is no account ${accountId}`;
  return shown([requireChanged(outcome, otherwise)]);
}

const PAGE = 1000;

export async function list(session: Session, query: Omit<AccountQuery, 'before'>): Promise<Answer> {
  const database = await session.openDatabase();
  const accounts: AccountSummary[] = [];
  let next: string | undefined;
  do {
    const limit = Math.min(PAGE, query.limit - accounts.length);
    const page = await listAccounts(database, { ...query, limit, before: next });
    accounts.push(...page.accounts);
    next = page.next;
  } while (next !== undefined && accounts.length < query.limit);
  return shown(accounts, { asList: true });
}

function shown(accounts: readonly AccountSummary[], { asList = false } = {}): Answer {
  const described = accounts.map(describe);
  return { json: asList ? described : described[0], text: textTable(COLUMNS, accounts.map(rowOf)) };
}

function describe(account: AccountSummary) {
  const { id, name, state, balanceNano, heldNano, settledNano, submitPerMinute, queryPerMinute, createdAt } = account;
  return {
    id,
    name,
    state,
    balance: nanoToNumber(balanceNano),
    held: nanoToNumber(heldNano),
    settled: nanoToNumber(settledNano),
    submit_per_minute: submitPerMinute,
    query_per_minute: queryPerMinute,
    created_at: createdAt.toISOString(),
  };
}

const COLUMNS = ['ID', 'NAME', 'STATE', 'BALANCE', 'HELD', 'SETTLED', 'CREATED'];

function rowOf({ id, name, state, balanceNano, heldNano, settledNano, createdAt }: AccountSummary): string[] {
  return [id, name, state, ...[balanceNano, heldNano, settledNano].map(nanoToDecimal), createdAt.toISOString()];
}
