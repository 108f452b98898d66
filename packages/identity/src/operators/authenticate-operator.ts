import type { OperatorRole } from '@mediagate/contracts';
import { createRowBatcher, type Database } from '@mediagate/database';
import { createSecretJudge, type Peppers, parseOperatorToken } from '../keys/api-key';

export interface Operator {
  id: string;
  name: string;
  role: OperatorRole;
}

const MAX_TOKENS_TOGETHER = 256;
const MAX_TOKENS_WAITING = 1000;

/**
 * Finds the operator of a token; undefined: it is nobody's, or was revoked. The token is looked up every time, so that revoking it works
 * at once; tokens offered at one time share a statement, so that whoever invents some takes few connections.
 *
 * @throws (what it returns) DatabaseUnavailableError also when too many wait.
 */
export function createOperatorFinder(
  database: Pick<Database, 'findOperatorTokens' | 'noteOperatorUse' | 'renewTokenHash'>,
  peppers: Peppers,
): (token: string) => Promise<Operator | undefined> {
  const findToken = createRowBatcher({
    maxItems: MAX_TOKENS_TOGETHER,
    maxWaiting: MAX_TOKENS_WAITING,
    rowsFor: (ids: string[]) => database.findOperatorTokens(ids),
    itemId: (id) => id,
    rowId: ({ id }) => id,
  });
  const judge = createSecretJudge(peppers);
  return async (token) => {
    const parts = parseOperatorToken(token);
    if (!parts) return undefined;
    const found = await findToken(parts.id);
    const verdict = judge(parts.secret, found);
    if (!found || verdict === false) return undefined;
    if (verdict !== true) await database.renewTokenHash(verdict);
    await database.noteOperatorUse(found.id);
    const { id, name, role } = found;
    return { id, name, role };
  };
}
