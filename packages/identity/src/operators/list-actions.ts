import {
  type ActionSearch,
  type Database,
  type LoggedAction as LoggedRow,
  type Page,
  readPage,
} from '@mediagate/database';

export interface LoggedAction extends LoggedRow {
  /** Null: nobody is known behind the actor. */
  actorName: string | null;
}

/** Narrows the log by subject, actor, action and time. */
export interface ActionFilter
  extends Partial<{ [Name in 'subject' | 'actor' | 'action']: string | undefined }>,
    Partial<{ [Name in 'createdFrom' | 'createdBefore']: Date | undefined }> {
  /** The place of the page before. */
  before: bigint | undefined;
  limit: number;
}

/** Entries that a page looks at; then it ends short, and the next goes on. */
const SCAN_MAX_ROWS = 5_000;
/** Above every id. */
const NEWEST = 2n ** 63n - 1n;

/** Lists entries of the audit log, the newest first. */
export async function listActions(database: Database, wanted: ActionFilter): Promise<Page<LoggedAction, bigint>> {
  const { before = NEWEST, subject, actor, action, createdFrom, createdBefore } = wanted;
  const search = {
    before,
    scanRows: SCAN_MAX_ROWS,
    subject: subject ?? null,
    actor: actor ?? null,
    action: action ?? null,
    createdFrom: createdFrom ?? null,
    createdBefore: createdBefore ?? null,
  };
  const { rows, next } = await readPage(wanted.limit, (limit) => byNarrowest(database, { ...search, limit }));
  const names = await namesOf(database, rows);
  return { rows: rows.map((action) => ({ ...action, actorName: names.get(action.actor) ?? null })), next };
}

/** Finds the names of all actors of a page by one statement. */
async function namesOf(database: Database, actions: readonly LoggedRow[]): Promise<Map<string, string | null>> {
  const actors = [...new Set(actions.map(({ actor }) => actor))];
  const named = actors.length === 0 ? [] : await database.nameActors(actors);
  return new Map(named.map(({ actor, name }) => [actor, name]));
}

function byNarrowest(database: Database, search: ActionSearch) {
  if (search.subject !== null) return database.listActionsOfSubject(search);
  if (search.actor !== null) return database.listActionsOfActor(search);
  if (search.action !== null) return database.listActionsOfKind(search);
  return database.listActions(search);
}
