import { noteDone } from '../audited';
import { Refusal } from '../refusal';
import { type Answer, databaseName, type Session } from '../session';

export async function raise(session: Session): Promise<Answer> {
  const database = await session.openDatabase();
  const [raised] = await database.raiseFences();
  if (raised?.epoch == null) throw new Refusal('another one raised the fences at this moment');
  const { epoch } = raised;
  const subject = databaseName(session.deployment.databaseUrl());
  await noteDone(session, database, { name: 'database.raise_fences', subject, detail: { epoch } });
  return { json: { epoch }, text: `epoch ${epoch}: claims from now on have fences that were never given` };
}
