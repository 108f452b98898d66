import { migrate } from '@mediagate/database';
import { noteDone } from '../audited';
import { Refusal } from '../refusal';
import { type Answer, databaseName, reasonOf, type Session } from '../session';

export async function apply(session: Session): Promise<Answer> {
  const url = session.deployment.databaseUrl();
  const { applied } = await migrateOrRefuse(url);
  if (applied.length === 0) return { json: { applied }, text: 'nothing to apply' };
  const action = { name: 'database.migrate', subject: databaseName(url), detail: { applied } };
  await noteDone(session, await session.openDatabase(), action);
  return { json: { applied }, text: applied.map((name) => `applied ${name}`).join('\n') };
}

async function migrateOrRefuse(url: string): Promise<{ applied: string[] }> {
  try {
    return await migrate(url);
  } catch (error) {
    throw new Refusal(`${databaseName(url)} was not migrated: ${reasonOf(error)}`);
  }
}
