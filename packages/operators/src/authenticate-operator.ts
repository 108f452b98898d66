import { hashesMatch, hashSecret } from '@mediagate/billing';
import type { OperatorRole } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import { parseOperatorToken } from './operator-token';

export interface Operator {
  id: string;
  name: string;
  role: OperatorRole;
}

/**
 * Whose token it is; undefined: nobody's, or a revoked one. Looked up every time, so that a revoked token ends at once: operators
 * ask seldom.
 */
export async function authenticateOperator(
  database: Database,
  pepper: string,
  token: string,
): Promise<Operator | undefined> {
  const parts = parseOperatorToken(token);
  if (!parts) return undefined;
  const [found] = await database.findOperatorToken(parts.id);
  // Compared even when there is no such token, so that the time taken does not tell.
  const matches = hashesMatch(hashSecret(pepper, parts.secret), found?.secretHash ?? NO_HASH);
  if (!found || !matches) return undefined;
  await database.noteOperatorUse(found.id);
  const { id, name, role } = found;
  return { id, name, role };
}

const NO_HASH = Buffer.alloc(32);
