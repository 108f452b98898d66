import { readAccountBalance, topUp } from '@mediagate/billing';
import { newWebhookSecret, readWebhookSecret } from '@mediagate/callbacks';
import { NANO_PER_UNIT } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import { createAccount, createKey, findKey, hashesMatch, hashSecret, parseApiKey } from '@mediagate/identity';
import type { Home } from './home';

export interface DemoAccount {
  accountId: string;
  apiKey: string;
  /** Its tasks are free. */
  testApiKey: string;
  webhookSecret: string;
}

const FILE = 'demo-account.json';
const FULL_NANO = 100n * NANO_PER_UNIT;
const LOW_NANO = 50n * NANO_PER_UNIT;

/** The account of earlier starts when this database still has it, else a new one; filled up when it runs low. */
export async function openDemoAccount(home: Home, database: Database, keyPepper: string): Promise<DemoAccount> {
  const kept = home.read<DemoAccount>(FILE);
  const found =
    kept !== undefined && (await isUsable(database, keyPepper, kept)) ? kept : await create(database, keyPepper);
  const account = { ...found, webhookSecret: await currentSecret(database, found) };
  home.write(FILE, account);
  const balance = (await readAccountBalance(database, account.accountId))?.remainNano ?? 0n;
  if (balance < LOW_NANO) {
    await topUp(database, { accountId: account.accountId, amountNano: FULL_NANO - balance, note: 'demo' });
  }
  return account;
}

async function isUsable(database: Database, keyPepper: string, kept: DemoAccount): Promise<boolean> {
  return (await opens(database, keyPepper, kept.apiKey)) && (await opens(database, keyPepper, kept.testApiKey));
}

/** @param apiKey absent in files of earlier releases. */
async function opens(database: Database, keyPepper: string, apiKey = ''): Promise<boolean> {
  const parts = parseApiKey(apiKey);
  if (parts === undefined) return false;
  const key = await findKey(database, parts.id);
  if (key === undefined || key.revokedAt !== undefined) return false;
  return hashesMatch(key.secretHash, hashSecret(keyPepper, parts.secret));
}

/** Whoever has the account's key may have rotated the secret since the last start. */
async function currentSecret(database: Database, { accountId, webhookSecret }: DemoAccount): Promise<string> {
  return (await readWebhookSecret({ database }, accountId))?.secret ?? webhookSecret;
}

async function create(database: Database, keyPepper: string): Promise<DemoAccount> {
  const webhookSecret = newWebhookSecret();
  const { id: accountId } = await createAccount(database, { name: 'Demo', webhookSecret });
  const { key } = await createKey(database, keyPepper, { accountId, name: 'demo', canManage: true });
  const test = await createKey(database, keyPepper, { accountId, name: 'demo, of tests', isTest: true });
  return { accountId, apiKey: key, testApiKey: test.key, webhookSecret };
}
