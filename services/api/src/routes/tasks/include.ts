import { describeEntry, type LedgerRow } from '@mediagate/billing';
import type { JsonObject } from '@mediagate/contracts';
import type { Visibility } from '@mediagate/database';
import type { TaskInput, TaskRow } from '@mediagate/tasks';
import type { Query } from '../../http/query';
import type { FindModels } from '../../offered-models';
import { type AttemptRow, describeAttempt, describeInput, INCLUSIONS, type Inclusion } from './included-parts';

export interface IncludeDeps {
  models: FindModels;
  readInputs(ids: readonly string[]): Promise<ReadonlyMap<string, TaskInput>>;
  /** The attempts of each task in their order. */
  listAttempts(taskIds: readonly string[]): Promise<(AttemptRow & { taskId: string })[]>;
  /** The newest first. */
  listTaskLedgers(caller: Visibility, taskIds: readonly string[]): Promise<LedgerRow[]>;
}

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
  { inclusions, deps }: { inclusions: readonly Inclusion[]; deps: IncludeDeps },
): Promise<Included[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const read = await Promise.all(
    inclusions.map(async (name) => [name, await READERS[name](caller, ids, deps)] as const),
  );
  return rows.map((row) => Object.fromEntries(read.map(([name, partOf]) => [name, partOf(row)])));
}

type ReadPart = (
  caller: Visibility,
  ids: readonly string[],
  deps: IncludeDeps,
) => Promise<(row: TaskRow) => JsonObject | JsonObject[]>;

const READERS: Record<Inclusion, ReadPart> = {
  async input(_caller, ids, { readInputs, models }) {
    const inputs = await readInputs(ids);
    return ({ id, model, operation }) =>
      describeInput(inputs.get(id)?.input ?? {}, models().find(model, operation)?.entry);
  },
  async attempts(_caller, ids, { listAttempts }) {
    const attempts = await listAttempts(ids);
    return ({ id }) => attempts.filter(({ taskId }) => taskId === id).map(describeAttempt);
  },
  async ledger(caller, ids, { listTaskLedgers }) {
    const entries = await listTaskLedgers(caller, ids);
    return ({ id }) => entries.filter(({ taskId }) => taskId === id).map(describeEntry);
  },
};
