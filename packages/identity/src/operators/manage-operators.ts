import type { OperatorRole } from '@mediagate/contracts';
import type { ChangeRequest, Database } from '@mediagate/database';
import { formatOperatorToken, hashSecret, newApiKey } from '../keys/api-key';

export interface NewOperator {
  /** Whom or what the token is for. */
  name: string;
  role: OperatorRole;
}

/** The only moment at which the complete token is known. */
export interface IssuedOperator {
  id: string;
  token: string;
}

export interface OperatorSummary extends NewOperator {
  id: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

export async function createOperator(
  database: Database,
  pepper: string,
  { name, role }: NewOperator,
  request: ChangeRequest,
): Promise<IssuedOperator> {
  const parts = newApiKey();
  const { id } = parts;
  await database.createOperatorToken({ id, name, role, secretHash: hashSecret(pepper, parts.secret) }, request);
  return { id, token: formatOperatorToken(parts) };
}

/** Revokes a token at once. False: there is no such token, or it was revoked before. */
export async function revokeOperator(database: Database, id: string, request: ChangeRequest): Promise<boolean> {
  const rows = await database.revokeOperatorToken(id, request);
  return rows.length === 1;
}

export async function listOperators(database: Database): Promise<OperatorSummary[]> {
  const rows = await database.operatorToken.findMany({
    orderBy: { createdAt: 'asc' },
    omit: { secretHash: true },
  });
  return rows.map((row) => ({ ...row, role: row.role as OperatorRole }));
}
