import {
  createKey,
  findKey,
  type IssuedKey,
  type ListedKey,
  listKeys,
  type NewKey,
  revokeKey,
  rotateKey,
  UnknownAccountError,
} from '@mediagate/billing';
import { type Family, type Nano, nanoToDecimal, nanoToNumber } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import { audited } from '../audited';
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
}

export async function create(session: Session, options: CreateOptions): Promise<Answer> {
  const { account: accountId, quota: quotaNano, manage: canManage = false, ...limits } = options;
  const pepper = session.deployment.pepper();
  const database = await session.openDatabase();
  const asked: NewKey = { accountId, canManage, ...limits, ...(quotaNano !== undefined && { quotaNano }) };
  const permitted = { account_id: accountId, quota: toQuota(quotaNano), families: [...(limits.families ?? [])] };
  const detail = { ...permitted, models: [...(limits.models ?? [])], manage: canManage };
  const issued = await audited(session, database, { name: 'key.create', subject: '', detail }, () =>
    issue(database, pepper, asked),
  );
  return { json: { ...issued, ...permitted }, text: onceShown(issued) };
}

async function issue(database: Database, pepper: string, key: NewKey): Promise<IssuedKey> {
  try {
    return await createKey(database, pepper, key);
  } catch (error) {
    if (error instanceof UnknownAccountError) throw new Refusal(error.message);
    throw error;
  }
}

export async function rotate(session: Session, id: string): Promise<Answer> {
  const pepper = session.deployment.pepper();
  const database = await session.openDatabase();
  const issued = await audited(session, database, { name: 'key.rotate', subject: id }, async () => {
    const rotated = await rotateKey(database, pepper, id);
    return rotated ?? (await refuse(database, id));
  });
  return { json: issued, text: onceShown(issued) };
}

export async function revoke(session: Session, id: string): Promise<Answer> {
  const database = await session.openDatabase();
  await audited(session, database, { name: 'key.revoke', subject: id }, async () => {
    if (!(await revokeKey(database, id))) await refuse(database, id);
    return { id };
  });
  return {
    json: { id, revoked: true },
    text: `key ${id} is revoked; the API stops taking it, and the keys that it made, within 5 seconds`,
  };
}

async function refuse(database: Database, id: string): Promise<never> {
  const key = await findKey(database, id);
  throw new Refusal(key ? `key ${id} was revoked at ${key.revokedAt?.toISOString()}` : `there is no key ${id}`);
}

function onceShown({ key }: IssuedKey): string {
  return `${key}\nThis is the only time that it is shown.`;
}

function toQuota(quotaNano: Nano | undefined): number | null {
  return quotaNano === undefined ? null : nanoToNumber(quotaNano);
}

export async function list(session: Session, accountId: string | undefined): Promise<Answer> {
  const newestFirst = await listKeys(await session.openDatabase(), accountId === undefined ? {} : { accountId });
  const keys = newestFirst.toReversed();
  return { json: keys.map(describe), text: textTable(COLUMNS, keys.map(rowOf)) };
}

function describe(key: ListedKey) {
  return {
    id: key.id,
    account_id: key.accountId,
    name: key.name,
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
