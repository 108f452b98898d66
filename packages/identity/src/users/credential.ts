import type { UserRights } from '@mediagate/contracts';
import type { Identity } from '../identity';
import { formatApiKey, formatOperatorToken, hashSecret, newApiKey } from '../keys/api-key';
import { MAX_KEYS_OF_ACCOUNT } from '../keys/change-keys';
import type { Sealer } from '../sealing/sealer';

export interface CredentialHolder {
  userId: string;
  rights: UserRights;
  credentialId: string | null;
  credentialSecret: Uint8Array | null;
}

export interface Credential {
  id: string;
  /** The complete token or key. */
  secret: string;
}

/** Undefined: there is none, or another secret sealed it. */
export function openCredential(sealer: Sealer, holder: CredentialHolder): Credential | undefined {
  const { userId, credentialId, credentialSecret } = holder;
  if (credentialId === null || credentialSecret === null) return undefined;
  const secret = sealer.open(credentialSecret, placeOf(userId));
  return secret === undefined ? undefined : { id: credentialId, secret };
}

/** A new one in place of what there was. Undefined: another process made one meanwhile, or the user may have none. */
export async function issueCredential(
  { database, pepper, sealer }: Identity,
  { userId, rights, credentialId }: CredentialHolder,
): Promise<Credential | undefined> {
  const parts = newApiKey();
  const secret = rights.kind === 'operator' ? formatOperatorToken(parts) : formatApiKey(parts);
  const owner = { userId, replaces: credentialId };
  const credential = {
    id: parts.id,
    sealed: sealer.seal(secret, placeOf(userId)),
    secretHash: hashSecret(pepper, parts.secret),
    lastFour: parts.secret.slice(-4),
  };
  const request = { actor: actorOf(rights, parts.id) };
  const [made] =
    rights.kind === 'operator'
      ? await database.issueUserToken(owner, credential, request)
      : await database.issueUserKey(owner, credential, MAX_KEYS_OF_ACCOUNT, request);
  return made && { id: parts.id, secret };
}

/** Names the actor as the audit log names one of the API; an actor in the console is named the same way. */
export function actorOf({ kind }: UserRights, credentialId: string): string {
  return `${kind === 'operator' ? 'operator' : 'key'}:${credentialId}`;
}

function placeOf(userId: string): string {
  return `users/${userId}/credential`;
}
