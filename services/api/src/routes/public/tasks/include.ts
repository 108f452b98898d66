import { describeEntry } from '@mediagate/billing';
import type { JsonObject } from '@mediagate/contracts';
import type { Visibility } from '@mediagate/database';
import { listAttempts, readTaskInputs, type TaskRow } from '@mediagate/tasks';
import type { Api } from '../../../api';
import type { Query } from '../../../http/fields/query';
import { describeAttempt, describeInput, INCLUSIONS, type Inclusion } from './included-parts';

type IncludedApi = Pick<Api, 'database' | 'models'>;

/** The parts of one task that are shown beside its record. */
type Included = Partial<Record<Inclusion, JsonObject | JsonObject[]>>;

/** Reads the parts that `include` asks for; refuses the query if it names an unknown one. */
export function readInclusions(query: Query): readonly Inclusion[] {
  const words = (query.text('include') ?? '').split(',').map((word) => word.trim());
  const asked = words.filter((word) => word !== '');
  if (!asked.every(isInclusion)) query.refuse('include', 'must_be_one_of', { values: INCLUSIONS.join(', ') });
  return asked.filter(isInclusion);
}

function isInclusion(word: string): word is Inclusion {
  return INCLUSIONS.some((each) => each === word);
}

/** Reads the parts of these tasks, all visible to the caller, in their order, by name. One statement per part, however many tasks. */
export async function readIncluded(
  caller: Visibility,
  rows: readonly TaskRow[],
  { inclusions, api }: { inclusions: readonly Inclusion[]; api: IncludedApi },
): Promise<Included[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const read = await Promise.all(
    inclusions.map(async (name) => [name, await READERS[name](caller, ids, api)] as const),
  );
  return rows.map((row) => Object.fromEntries(read.map(([name, partOf]) => [name, partOf(row)])));
}

type ReadPart = (
  caller: Visibility,
  ids: readonly string[],
  api: IncludedApi,
) => Promise<(row: TaskRow) => JsonObject | JsonObject[]>;

const READERS: Record<Inclusion, ReadPart> = {
  async input(_caller, ids, { database, models }) {
    const inputs = await readTaskInputs(database, ids);
    return ({ id, model, operation }) =>
      describeInput(inputs.get(id)?.input ?? {}, models().find(model, operation)?.entry);
  },
  async attempts(_caller, ids, { database }) {
    const attempts = await listAttempts(database, ids);
    return ({ id }) => attempts.filter(({ taskId }) => taskId === id).map(describeAttempt);
  },
  async ledger(caller, ids, { database }) {
    const entries = await database.listTaskLedgers(caller, ids);
    return ({ id }) => entries.filter(({ taskId }) => taskId === id).map(describeEntry);
  },
};
