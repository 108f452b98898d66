import { type Family, type KeyScope, type Nano, nanoToDecimal, nanoToNumber } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import {
  changeKey,
  describeOperatorsKey,
  endKey,
  findKey,
  findListedKey,
  issueKey,
  type ListedKey,
  MAX_KEYS_OF_ACCOUNT,
  type NewKey,
  readAccount,
  replaceKeySecret,
  type SecretOutcome,
  searchKeys,
} from '@mediagate/identity';
import { modelIds } from '../known-models';
import { Refusal } from '../refusal';
import { changeBy } from '../require-changed';
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
  scope?: KeyScope;
  test?: true;
  reason?: string;
}

export async function create(session: Session, options: CreateOptions): Promise<Answer> {
  const { account: accountId, quota: quotaNano, reason, manage = false, test: isTest = false, ...given } = options;
  const limits = { ...given, ...modelsOf(session, given) };
  const pepper = session.deployment.pepper();
  const database = await session.openDatabase();
  const key: NewKey = {
    accountId,
    canManage: manage,
    isTest,
    ...limits,
    ...(quotaNano !== undefined && { quotaNano }),
  };
  const outcome = await issueKey(database, pepper, { key, request: changeBy(session, reason) });
  if (outcome.kind !== 'changed') throw new Refusal(await whyNotMade(database, accountId));
  const issued = issuedOf(outcome);
  const permitted = { account_id: accountId, quota: toQuota(quotaNano), families: [...(limits.families ?? [])] };
  return { json: { ...issued, ...permitted }, text: onceShown(issued) };
}

function modelsOf(session: Session, { models }: { models?: readonly string[] }): { models?: string[] } {
  return models === undefined ? {} : { models: modelIds(session, models) };
}

async function whyNotMade(database: Database, accountId: string): Promise<string> {
  const account = await readAccount(database, accountId);
  if (!account) return `there is no account ${accountId}`;
  if (account.state === 'closed') return `account ${accountId} is closed`;
  return `account ${accountId} has ${MAX_KEYS_OF_ACCOUNT} keys, which is all that it may have`;
}

/** An absent option leaves the key's setting as it is. */
export interface UpdateOptions
  extends Omit<CreateOptions, 'account' | 'manage' | 'test' | 'quota' | 'maxConcurrent' | 'expiresAt'> {
  manage?: boolean;
  expiresAt?: Date | 'none';
  quota?: Nano | 'none';
  maxConcurrent?: number | 'none';
}

export async function update(session: Session, id: string, options: UpdateOptions): Promise<Answer> {
  const { quota, maxConcurrent, expiresAt, manage, reason, ...others } = options;
  const database = await session.openDatabase();
  const settings = {
    ...others,
    ...modelsOf(session, others),
    ...(quota !== undefined && { quotaNano: quota === 'none' ? null : quota }),
    ...(maxConcurrent !== undefined && { maxConcurrent: maxConcurrent === 'none' ? null : maxConcurrent }),
    ...(expiresAt !== undefined && { expiresAt: expiresAt === 'none' ? null : expiresAt }),
    ...(manage !== undefined && { canManage: manage }),
  };
  const outcome = await changeKey(database, { id, settings }, changeBy(session, reason));
  if (outcome.kind === 'quota_below_used') throw new Refusal(`key ${id} has spent or holds more than that quota`);
  if (outcome.kind !== 'changed') return refuse(database, id, manage);
  const key = await findListedKey(database, id);
  const changed = key ? [key] : [];
  return { json: changed.map(describeOperatorsKey)[0], text: textTable(COLUMNS, changed.map(rowOf)) };
}

export async function rotate(session: Session, id: string, reason: string | undefined): Promise<Answer> {
  const pepper = session.deployment.pepper();
  const database = await session.openDatabase();
  const outcome = await replaceKeySecret(database, { id, pepper }, changeBy(session, reason));
  if (outcome.kind !== 'changed') return refuse(database, id);
  const issued = issuedOf(outcome);
  return { json: issued, text: onceShown(issued) };
}

export async function revoke(session: Session, id: string, reason: string | undefined): Promise<Answer> {
  const database = await session.openDatabase();
  const outcome = await endKey(database, id, changeBy(session, reason));
  if (outcome.kind !== 'changed') return refuse(database, id);
  return {
    json: { id, revoked: true },
    text: `key ${id} is revoked; the API stops taking it, and the keys that it made, within 5 seconds`,
  };
}

async function refuse(database: Database, id: string, manage = false): Promise<never> {
  const key = await findKey(database, id);
  if (!key) throw new Refusal(`there is no key ${id}`);
  if (key.revokedAt) throw new Refusal(`key ${id} was revoked at ${key.revokedAt.toISOString()}`);
  if (manage && key.maker) throw new Refusal(`key ${id} was made by key ${key.maker.id}, and such a key makes none`);
  if (key.isOfUser) {
    throw new Refusal(`key ${id} stands for a user of the console, and can only be revoked`);
  }
  throw new Refusal(`key ${id} is in use at this moment: try again`);
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

export interface ListOptions {
  account?: string;
  id?: string;
  revoked?: boolean;
}

export async function list(session: Session, { account: accountId, id, revoked }: ListOptions): Promise<Answer> {
  const database = await session.openDatabase();
  if (id !== undefined) return shown(await onlyKey(database, id, { accountId, revoked }));
  const newestFirst: ListedKey[] = [];
  let before: string | undefined;
  do {
    const state = revoked === undefined ? {} : { revoked };
    const page = await searchKeys(database, { accountId, ...state, before, limit: PAGE });
    newestFirst.push(...page.rows);
    before = page.next;
  } while (before);
  return shown(newestFirst.toReversed());
}

/** The one that is named, if the other filters leave it. */
async function onlyKey(
  database: Database,
  id: string,
  { accountId, revoked }: { accountId: string | undefined; revoked: boolean | undefined },
): Promise<ListedKey[]> {
  const key = await findListedKey(database, id);
  if (!key || (accountId ?? key.accountId) !== key.accountId) return [];
  return revoked === undefined || revoked === (key.revokedAt !== undefined) ? [key] : [];
}

function shown(keys: readonly ListedKey[]): Answer {
  return { json: keys.map(describeOperatorsKey), text: textTable(COLUMNS, keys.map(rowOf)) };
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
  'PER MINUTE',
  'AT ONCE',
  'MANAGES',
  'SEES',
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
    `${key.submitPerMinute} + ${key.queryPerMinute}`,
    String(key.maxConcurrent ?? 'unlimited'),
    key.canManage ? 'yes' : '',
    key.scope,
    key.createdAt.toISOString(),
    key.expiresAt?.toISOString() ?? '',
    key.lastUsedAt?.toISOString() ?? '',
    key.revokedAt?.toISOString() ?? '',
  ];
}
