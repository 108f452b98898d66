import { isJsonObject, type Json } from '@mediagate/contracts';
import { type ActionFilter, describeAction, type LoggedAction, listActions } from '@mediagate/identity';
import type { Answer, Session } from '../session';
import { textTable } from '../text-table';

/** The audit log, the newest first. */
export async function list(session: Session, filter: ActionFilter): Promise<Answer> {
  const { rows, next } = await listActions(await session.openDatabase(), filter);
  if (next !== undefined) session.warn(`there may be older ones: --before ${next} goes on`);
  return {
    json: { actions: rows.map(describeAction), next: next === undefined ? null : String(next) },
    text: textTable(['ENTRY', 'TIME', 'BY', 'ACTION', 'OF', 'CHANGED', 'REASON'], rows.map(rowOf)),
  };
}

function rowOf(entry: LoggedAction): string[] {
  const { before = null, after = null, reason } = describeAction(entry);
  const { id, createdAt, actor, actorName, action, subject } = entry;
  const by = actorName === null || actor === `cli:${actorName}` ? actor : `${actorName} (${actor})`;
  const words = [changesText(before, after), typeof reason === 'string' ? reason : ''];
  return [String(id), createdAt.toISOString(), by, action, subject, ...words];
}

/** The fields that differ; of what is new, none: its own command shows it. */
function changesText(before: Json, after: Json): string {
  if (!isJsonObject(before) || !isJsonObject(after)) return '';
  return Object.entries(after)
    .filter(([name, value]) => !isJsonObject(value) && JSON.stringify(value) !== JSON.stringify(before[name] ?? null))
    .map(([name, value]) => `${name} ${wordOf(before[name] ?? null)} → ${wordOf(value)}`)
    .join(', ');
}

function wordOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
