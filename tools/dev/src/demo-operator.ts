import type { Database } from '@mediagate/database';
import { createOperator, createOperatorFinder } from '@mediagate/identity';
import type { Home } from './home';

const FILE = 'demo-operator.json';
const BY_DEMO = { actor: 'system' };

/** The token of an operator who may do everything: that of earlier starts while this database knows it, else a new one. */
export async function openDemoOperator(home: Home, database: Database, keyPepper: string): Promise<string> {
  const kept = home.read<{ token: string }>(FILE);
  if (kept !== undefined && (await createOperatorFinder(database, [keyPepper])(kept.token))) return kept.token;
  const { token } = await createOperator(database, keyPepper, { name: 'Demo operator', role: 'admin' }, BY_DEMO);
  home.write(FILE, { token });
  return token;
}
