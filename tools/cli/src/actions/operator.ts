import { type OperatorRole, unixSeconds, unixSecondsOrNull } from '@mediagate/contracts';
import { createOperator, listOperators, revokeOperator } from '@mediagate/identity';
import { Refusal } from '../refusal';
import type { Answer, Session } from '../session';
import { textTable } from '../text-table';
import { timeText } from '../time-text';

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
    created: unixSeconds(createdAt),
    last_used_at: unixSecondsOrNull(lastUsedAt),
    revoked_at: unixSecondsOrNull(revokedAt),
  }));
  return {
    json: rows,
    text: textTable(
      ['ID', 'NAME', 'ROLE', 'CREATED', 'LAST USED', 'REVOKED'],
      rows.map(({ id, name, role, ...times }) => [
        id,
        name,
        role,
        timeText(times.created),
        timeText(times.last_used_at),
        timeText(times.revoked_at),
      ]),
    ),
  };
}
