import type { OperatorRole } from '@mediagate/contracts';
import { createOperator, listOperators, revokeOperator } from '@mediagate/operators';
import { Refusal } from '../refusal';
import type { Answer, Session } from '../session';
import { textTable } from '../text-table';

export async function create(session: Session, name: string, role: OperatorRole): Promise<Answer> {
  const pepper = session.deployment.pepper();
  const issued = await createOperator(await session.openDatabase(), pepper, { name, role }, { actor: session.actor });
  return { json: { ...issued, name, role }, text: `${issued.token}\nThis is the only time that it is shown.` };
}

export async function revoke(session: Session, id: string): Promise<Answer> {
  const revoked = await revokeOperator(await session.openDatabase(), id, { actor: session.actor });
  if (!revoked) throw new Refusal(`there is no operator ${id} whose token counts`);
  return { json: { id, revoked }, text: `the token of operator ${id} is revoked` };
}

export async function list(session: Session): Promise<Answer> {
  const operators = await listOperators(await session.openDatabase());
  const rows = operators.map(({ id, name, role, createdAt, lastUsedAt, revokedAt }) => ({
    id,
    name,
    role,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
    revoked_at: revokedAt?.toISOString() ?? null,
  }));
  return {
    json: rows,
    text: textTable(
      ['ID', 'NAME', 'ROLE', 'CREATED', 'LAST USED', 'REVOKED'],
      rows.map((row) => [row.id, row.name, row.role, row.created_at, row.last_used_at ?? '', row.revoked_at ?? '']),
    ),
  };
}
