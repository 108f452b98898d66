import type { UserRights } from '@mediagate/contracts';
import type { Database, ListedSession } from '@mediagate/database';
import type { Identity } from '../identity';
import { type Credential, issueCredential, openCredential } from './credential';
import { hashToken } from './secret-token';
import { rightsOf } from './user-record';

export interface Session {
  userId: string;
  email: string;
  name: string;
  rights: UserRights;
  /** Null: an operator. */
  accountName: string | null;
  totp: boolean;
  /** When it ends unless it is used before; used, it lives on for 12 hours, and 7 days in all. */
  expiresAt: Date;
  /** Undefined: none could be made, because the account is closed or has as many keys as it may. */
  credential: Credential | undefined;
}

/** Undefined: it has ended. A user without a token or key gets one. */
export async function findSession(identity: Identity, token: string): Promise<Session | undefined> {
  const hash = hashToken(token);
  const [found] = await identity.database.findSession(hash);
  if (!found) return undefined;
  const { userId, email, name, accountName, totp, expiresAt, ...holder } = found;
  const rights = rightsOf(found);
  const credential =
    openCredential(identity.sealer, { ...holder, userId, rights }) ??
    (await issueCredential(identity, { ...holder, userId, rights })) ??
    (await credentialMadeMeanwhile(identity, hash));
  return { userId, email, name, rights, accountName, totp, expiresAt, credential };
}

async function credentialMadeMeanwhile({ database, sealer }: Identity, tokenHash: Buffer) {
  const [found] = await database.findSession(tokenHash);
  return found && openCredential(sealer, { ...found, rights: rightsOf(found) });
}

/** Replaces, at a sign-in, a token or key that was revoked on its own, because the user may come in. */
export async function renewCredential(identity: Identity, token: string): Promise<void> {
  const [found] = await identity.database.findSession(hashToken(token));
  if (!found || found.credentialId === null) return;
  const [credential] = await identity.database.isUserCredentialInForce(found.credentialId);
  if (!credential?.inForce) await issueCredential(identity, { ...found, rights: rightsOf(found) });
}

export async function closeSession(database: Database, token: string): Promise<void> {
  await database.closeSession(hashToken(token));
}

/** Everywhere but here. Returns how many. */
export async function closeOtherSessions(database: Database, userId: string, token: string): Promise<number> {
  return (await database.closeSessionsOf(userId, hashToken(token))).length;
}

export function listSessions(database: Database, userId: string, token: string): Promise<ListedSession[]> {
  return database.listSessions(userId, hashToken(token));
}
