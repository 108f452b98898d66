import { adjust, type Funding, topUp } from '@mediagate/billing';
import { newWebhookSecret, readWebhookSecret, rotateWebhookSecret, type WebhookSecret } from '@mediagate/callbacks';
import {
  type MarkPolicy,
  type Nano,
  nanoToDecimal,
  nanoToNumber,
  type PriorityClass,
  unixSecondsOrNull,
} from '@mediagate/contracts';
import type { AccountSnapshot, ChangeOutcome, ChangeRequest, Database } from '@mediagate/database';
import {
  type AccountQuery,
  type AccountSummary,
  accountOf,
  closeAccount,
  describeAccount,
  findAccountOfKey,
  listAccounts,
  openAccount,
  readAccount,
  resumeAccount,
  suspendAccount,
} from '@mediagate/identity';
import { audited } from '../audited';
import { Refusal } from '../refusal';
import { changeBy } from '../require-changed';
import type { Answer, Session } from '../session';
import { textTable } from '../text-table';

export interface Payment {
  reference?: string;
  note?: string;
  reason?: string;
}

export interface NewAccountOptions {
  name: string;
  balance?: Nano;
  priorityClass?: PriorityClass;
  reason?: string;
}

export async function create(session: Session, options: NewAccountOptions): Promise<Answer> {
  const { name, balance: balanceNano = 0n, priorityClass, reason } = options;
  const database = await session.openDatabase();
  const request = changeBy(session, reason);
  const outcome = await openAccount(database, { name, priorityClass, webhookSecret: newWebhookSecret() }, request);
  const { id } = requireChanged(outcome, 'the account was not opened');
  if (balanceNano > 0n) await pay(database, { accountId: id, amountNano: balanceNano, note: 'first balance' }, request);
  return {
    json: { id, name, balance: nanoToNumber(balanceNano) },
    text: textTable(['ID', 'NAME', 'BALANCE'], [[id, name, nanoToDecimal(balanceNano)]]),
  };
}

export async function book(session: Session, accountId: string, amountNano: Nano, payment: Payment): Promise<Answer> {
  const { reason, ...words } = payment;
  const database = await session.openDatabase();
  const { balanceNano } = await pay(database, { accountId, amountNano, ...words }, changeBy(session, reason));
  return {
    json: { id: accountId, amount: nanoToNumber(amountNano), balance: nanoToNumber(balanceNano) },
    text: `${nanoToDecimal(amountNano)} booked; the balance of ${accountId} is ${nanoToDecimal(balanceNano)}`,
  };
}

async function pay(database: Database, funding: Funding, request: ChangeRequest): Promise<AccountSummary> {
  const outcome = await topUp(database, funding, request);
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
  const { secret, previousValidUntil: until } = found;
  return {
    json: { id: accountId, secret, previous_valid_until: unixSecondsOrNull(until) },
    text: until ? `${secret}\nThe one before it signs beside it until ${until.toISOString()}.` : secret,
  };
}

function readSecret(session: Session, database: Database, accountId: string): Promise<WebhookSecret & { id: string }> {
  return audited(session, database, { name: 'account.read_secret', subject: accountId }, async () => {
    const found = await readWebhookSecret({ database }, accountId);
    if (found === undefined) throw unknownAccount(accountId);
    return { id: accountId, ...found };
  });
}

async function rotateSecret(
  { actor }: Session,
  database: Database,
  { accountId, overlapMs }: { accountId: string; overlapMs: number },
): Promise<WebhookSecret> {
  const outcome = await rotateWebhookSecret({ database }, accountId, { overlapMs, actor });
  if (outcome === undefined) throw unknownAccount(accountId);
  if (outcome.kind === 'rotated') return outcome;
  const until = outcome.until.toISOString();
  throw new Refusal(`two secrets are valid until ${until}; --overlap-hours 0 ends every earlier one at once`);
}

function unknownAccount(accountId: string): Refusal {
  return new Refusal(`there is no account ${accountId}`);
}

/** An absent setting stays as it is. */
export interface NamedSettings {
  name?: string;
  submitPerMinute?: number | 'none';
  queryPerMinute?: number | 'none';
  priorityClass?: PriorityClass;
  marks?: MarkPolicy['marks'] | 'default';
  unmarked?: MarkPolicy['unmarked'] | 'default';
  reason?: string;
}

export async function update(session: Session, id: string, settings: NamedSettings): Promise<Answer> {
  const { name, priorityClass, reason } = settings;
  const changed = {
    submitPerMinute: orNull(settings.submitPerMinute, 'none'),
    queryPerMinute: orNull(settings.queryPerMinute, 'none'),
    marks: orNull(settings.marks, 'default'),
    unmarked: orNull(settings.unmarked, 'default'),
  };
  const database = await session.openDatabase();
  const outcome = await database.changeAccount(id, { name, priorityClass, ...changed }, changeBy(session, reason));
  return shown([requireChanged(outcome, `there is no account ${id}`)]);
}

function orNull<Value extends string | number, Word extends Value>(
  given: Value | undefined,
  word: Word,
): Exclude<Value, Word> | null | undefined {
  return given === word ? null : (given as Exclude<Value, Word> | undefined);
}

const MOVES = { suspend: suspendAccount, resume: resumeAccount, close: closeAccount } as const;

export async function move(session: Session, id: string, { to, reason }: Move): Promise<Answer> {
  const database = await session.openDatabase();
  const outcome = await MOVES[to](database, id, changeBy(session, reason));
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

export async function show(session: Session, id: string): Promise<Answer> {
  const account = await readAccount(await session.openDatabase(), id);
  if (!account) throw unknownAccount(id);
  return shown([account]);
}

const PAGE = 1000;

/** @param ofKey the account of this key alone. */
export async function list(
  session: Session,
  { ofKey, ...query }: Omit<AccountQuery, 'before'> & { ofKey?: string | undefined },
): Promise<Answer> {
  const database = await session.openDatabase();
  if (ofKey !== undefined) {
    const account = await findAccountOfKey(database, ofKey);
    const isWanted = account !== undefined && (query.state ?? account.state) === account.state;
    return shown(isWanted ? [account] : [], { asList: true });
  }
  const accounts: AccountSummary[] = [];
  let next: string | undefined;
  do {
    const limit = Math.min(PAGE, query.limit - accounts.length);
    const page = await listAccounts(database, { ...query, limit, before: next });
    accounts.push(...page.rows);
    next = page.next;
  } while (next !== undefined && accounts.length < query.limit);
  return shown(accounts, { asList: true });
}

function shown(accounts: readonly AccountSummary[], { asList = false } = {}): Answer {
  const described = accounts.map(describeAccount);
  return { json: asList ? described : described[0], text: textTable(COLUMNS, accounts.map(rowOf)) };
}

const COLUMNS = [
  'ID',
  'NAME',
  'STATE',
  'BALANCE',
  'HELD',
  'SETTLED',
  'CLASS',
  'SUBMITS/MIN',
  'QUERIES/MIN',
  'MARKS',
  'CREATED',
];

function rowOf(account: AccountSummary): string[] {
  const { id, name, state, balanceNano, heldNano, settledNano, priorityClass, createdAt } = account;
  const limits = [account.submitPerMinute, account.queryPerMinute].map((limit) => String(limit ?? 'none'));
  const amounts = [balanceNano, heldNano, settledNano].map(nanoToDecimal);
  const marks = [account.marks, account.unmarked].map((word) => word ?? 'default').join('/');
  return [id, name, state, ...amounts, priorityClass, ...limits, marks, createdAt.toISOString()];
}
