import {
  changeKey,
  endKey,
  findKey,
  findListedKey,
  issueKey,
  type KeyQuery,
  type ListedKey,
  MAX_KEYS_OF_ACCOUNT,
  type NewKey,
  readAccount,
  replaceKeySecret,
  type SecretOutcome,
  searchKeys,
} from '@mediagate/billing';
import { type Family, type Nano, nanoToDecimal, nanoToNumber } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import { Refusal } from '../refusal';
import type { Answer, Session } from '../session';
import { textTable } from '../text-table';

export interface CreateOptions {
  account: string;
  name?: string;
  quota?: Nano;
  families?: readonly Family[];
  models?: readonly string[];
  submitPerMinute?: number;
  queryPerMinute?: number;
  maxConcurrent?: number;
  expiresAt?: Date;
  manage?: true;
  test?: true;
}

export async function create(session: Session, options: CreateOptions): Promise<Answer> {
  const { account: accountId, quota: quotaNano, manage: canManage = false, test: isTest = false, ...limits } = options;
  const pepper = session.deployment.pepper();
  const database = await session.openDatabase();
  const key: NewKey = { accountId, canManage, isTest, ...limits, ...(quotaNano !== undefined && { quotaNano }) };
  const outcome = await issueKey(database, pepper, { key, request: { actor: session.actor } });
  if (outcome.kind !== 'changed') throw new Refusal(await whyNotMade(database, accountId));
  const issued = issuedOf(outcome);
  const permitted = { account_id: accountId, quota: toQuota(quotaNano), families: [...(limits.families ?? [])] };
  return { json: { ...issued, ...permitted }, text: onceShown(issued) };
}

async function whyNotMade(database: Database, accountId: string): Promise<string> {
  const account = await readAccount(database, accountId);
  if (!account) return `there is no account ${accountId}`;
  if (account.state === 'closed') return `account ${accountId} is closed`;
  return `account ${accountId} has ${MAX_KEYS_OF_ACCOUNT} keys, which is all that it may have`;
}

/** What is absent stays as it is. */
export interface UpdateOptions extends Omit<CreateOptions, 'account' | 'manage' | 'quota' | 'maxConcurrent'> {
  quota?: Nano | 'none';
  maxConcurrent?: number | 'none';
}

export async function update(session: Session, id: string, options: UpdateOptions): Promise<Answer> {
  const { quota, maxConcurrent, ...others } = options;
  const database = await session.openDatabase();
  const settings = {
    ...others,
    ...(quota !== undefined && { quotaNano: quota === 'none' ? null : quota }),
    ...(maxConcurrent !== undefined && { maxConcurrent: maxConcurrent === 'none' ? null : maxConcurrent }),
  };
  const outcome = await changeKey(database, { id, settings }, { actor: session.actor });
  if (outcome.kind === 'quota_below_used') throw new Refusal(`key ${id} has spent or holds more than that quota`);
  if (outcome.kind !== 'changed') return refuse(database, id);
  const key = await findListedKey(database, id);
  const changed = key ? [key] : [];
  return { json: changed.map(describe)[0], text: textTable(COLUMNS, changed.map(rowOf)) };
}

export async function rotate(session: Session, id: string): Promise<Answer> {
  const pepper = session.deployment.pepper();
  const database = await session.openDatabase();
  const outcome = await replaceKeySecret(database, { id, pepper }, { actor: session.actor });
  if (outcome.kind !== 'changed') return refuse(database, id);
  const issued = issuedOf(outcome);
  return { json: issued, text: onceShown(issued) };
}

export async function revoke(session: Session, id: string): Promise<Answer> {
  const database = await session.openDatabase();
  const outcome = await endKey(database, id, { actor: session.actor });
  if (outcome.kind !== 'changed') return refuse(database, id);
  return {
    json: { id, revoked: true },
    text: `key ${id} is revoked; the API stops taking it, and the keys that it made, within 5 seconds`,
  };
}

async function refuse(database: Database, id: string): Promise<never> {
  const key = await findKey(database, id);
  throw new Refusal(key ? `key ${id} was revoked at ${key.revokedAt?.toISOString()}` : `there is no key ${id}`);
}

function issuedOf({ row, key }: Extract<SecretOutcome, { kind: 'changed' }>) {
  if (key === undefined) throw new Error('a key was issued and is not known');
  return { id: row.subject, key };
}

function onceShown({ key }: { key: string }): string {
  return `${key}\nThis is the only time that it is shown.`;
}

function toQuota(quotaNano: Nano | undefined): number | null {
  return quotaNano === undefined ? null : nanoToNumber(quotaNano);
}

const PAGE = 1000;

export async function list(session: Session, accountId: string | undefined): Promise<Answer> {
  const database = await session.openDatabase();
  const newestFirst: ListedKey[] = [];
  let before: KeyQuery['before'];
  do {
    const page = await searchKeys(database, { accountId, ...(before ? { before } : {}), limit: PAGE });
    newestFirst.push(...page.keys);
    before = page.next;
  } while (before);
  const keys = newestFirst.toReversed();
  return { json: keys.map(describe), text: textTable(COLUMNS, keys.map(rowOf)) };
}

function describe(key: ListedKey) {
  return {
    id: key.id,
    account_id: key.accountId,
    name: key.name,
    mode: key.isTest ? 'test' : 'live',
    last_four: key.lastFour,
    quota: toQuota(key.quotaNano),
    families: key.families,
    models: key.models,
    submit_per_minute: key.submitPerMinute,
    query_per_minute: key.queryPerMinute,
    max_concurrent: key.maxConcurrent ?? null,
    manage: key.canManage,
    made_by: key.maker?.id ?? null,
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}

const COLUMNS = [
  'ID',
  'ENDS IN',
  'ACCOUNT',
  'NAME',
  'MODE',
  'QUOTA',
  'FAMILIES',
  'MODELS',
  'MANAGES',
  'CREATED',
  'EXPIRES',
  'LAST USED',
  'REVOKED',
];

function rowOf(key: ListedKey): string[] {
  return [
    key.id,
    key.lastFour,
    key.accountId,
    key.name,
    key.isTest ? 'test' : 'live',
    key.quotaNano === undefined ? 'unlimited' : nanoToDecimal(key.quotaNano),
    key.families.join(',') || 'all',
    key.models.join(',') || 'all',
    key.canManage ? 'yes' : '',
    key.createdAt.toISOString(),
    key.expiresAt?.toISOString() ?? '',
    key.lastUsedAt?.toISOString() ?? '',
    key.revokedAt?.toISOString() ?? '',
  ];
}
