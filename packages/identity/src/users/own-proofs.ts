import type { ChangeRequest, Database } from '@mediagate/database';
import type { Identity } from '../identity';
import { hashPassword, matchesPassword, type PasswordFault, passwordFault } from './password';
import { hashToken, newRecoveryCodes } from './secret-token';
import { findTotpStep, newTotpSecret, openTotpSecret, sealTotpSecret, totpUri } from './totp';

/** How signed-in users change their own password and second factor. */

export interface OwnPassword {
  userId: string;
  current: string;
  password: string;
  /** The token of the session that goes on; all others end. */
  sessionToken: string;
}

/** `bad_credentials`: the current password is another one. */
export async function changeOwnPassword(
  database: Database,
  { userId, current, password, sessionToken }: OwnPassword,
  request: ChangeRequest,
): Promise<'changed' | 'bad_credentials' | PasswordFault> {
  const user = await database.user.findUnique({ where: { id: userId } });
  if (!user || !(await matchesPassword(current, user.passwordHash))) return 'bad_credentials';
  const fault = passwordFault(password, user);
  if (fault) return fault;
  const passwordHash = await hashPassword(password);
  const change = { userId, formerHash: user.passwordHash, passwordHash, keptSession: hashToken(sessionToken) };
  return (await database.changePassword(change, request)).length === 1 ? 'changed' : 'bad_credentials';
}

export interface TotpEnrolment {
  /** The secret in base32, to be typed where no QR code can be read. */
  secret: string;
  uri: string;
}

/** Begins a second factor; it counts once a code of it was shown. Undefined: the user has one. */
export async function enrolTotp(
  { database, sealer }: Identity,
  { userId, email }: { userId: string; email: string },
): Promise<TotpEnrolment | undefined> {
  const secret = newTotpSecret();
  const [enrolled] = await database.enrolTotp(userId, sealTotpSecret(sealer, userId, secret));
  return enrolled && { secret, uri: totpUri(secret, email) };
}

export interface TotpCode {
  userId: string;
  code: string;
  nowMs?: number;
}

/** The recovery codes, shown this once; undefined: the code is wrong, or nothing was begun. */
export async function confirmTotp(
  { database, sealer }: Identity,
  { userId, code, nowMs = Date.now(), request }: TotpCode & { request: ChangeRequest },
): Promise<string[] | undefined> {
  const user = await database.user.findUnique({ where: { id: userId } });
  if (!user || user.totpSecret === null) return undefined;
  const secret = openTotpSecret(sealer, user);
  const step = secret === undefined ? undefined : findTotpStep(secret, code, { nowMs, lastStep: user.totpLastStep });
  if (step === undefined) return undefined;
  const { codes, hashes } = newRecoveryCodes();
  const confirmation = { userId, sealed: user.totpSecret, step, recoveryCodeHashes: hashes };
  return (await database.confirmTotp(confirmation, request)).length === 1 ? codes : undefined;
}

/** Needs the password: a browser that was left open is not enough. */
export async function removeTotp(
  database: Database,
  { userId, password }: { userId: string; password: string },
  request: ChangeRequest,
): Promise<'removed' | 'bad_credentials'> {
  const user = await database.user.findUnique({ where: { id: userId } });
  if (!user || !(await matchesPassword(password, user.passwordHash))) return 'bad_credentials';
  const removed = await database.removeTotp({ userId, passwordHash: user.passwordHash }, request);
  return removed.length === 1 || user.totpConfirmedAt === null ? 'removed' : 'bad_credentials';
}
