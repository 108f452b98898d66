import type { LedgerPage, LedgerRow } from '@mediagate/billing';
import type { JsonObject } from '@mediagate/contracts';
import type { TaskInput, TaskRow } from '@mediagate/tasks';
import type { Request } from 'express';
import { Query } from '../../http/query';
import type { FindModels } from '../../offered-models';
import { describeEntry } from '../balance/list-ledger';
import { type AttemptRow, describeAttempt, describeInput, INCLUSIONS, type Inclusion } from './included-parts';

export interface IncludeDeps {
  models: FindModels;
  readInputs(ids: readonly string[]): Promise<ReadonlyMap<string, TaskInput>>;
  /** In their order. */
  listAttempts(taskId: string): Promise<AttemptRow[]>;
  listLedger(accountId: string, page: LedgerPage): Promise<LedgerRow[]>;
}

/** A task has a hold, and a settlement or a refund. */
const MAX_ENTRIES = 100;

/**
 * What `?include=` asks for.
 *
 * @throws GatewayError `invalid_request`, naming `include`.
 */
export function readInclusions(request: Pick<Request, 'query'>): readonly Inclusion[] {
  const query = new Query({ query: { include: request.query['include'] } });
  const words = (query.text('include') ?? '').split(',').map((word) => word.trim());
  const asked = words.filter((word) => word !== '');
  if (!asked.every(isInclusion)) query.refuse('include', 'must_be_one_of', { values: INCLUSIONS.join(', ') });
  query.end();
  return asked.filter(isInclusion);
}

function isInclusion(word: string): word is Inclusion {
  return INCLUSIONS.some((each) => each === word);
}

/** Each under its own name. */
export async function readIncluded(
  row: TaskRow,
  inclusions: readonly Inclusion[],
  deps: IncludeDeps,
): Promise<Partial<Record<Inclusion, JsonObject | JsonObject[]>>> {
  const read = await Promise.all(inclusions.map(async (name) => [name, await READERS[name](row, deps)] as const));
  return Object.fromEntries(read);
}

const READERS: Record<Inclusion, (row: TaskRow, deps: IncludeDeps) => Promise<JsonObject | JsonObject[]>> = {
  async input({ id, model, operation }, { readInputs, models }) {
    const found = (await readInputs([id])).get(id);
    return describeInput(found?.input ?? {}, models().find(model, operation)?.entry);
  },
  attempts: async ({ id }, { listAttempts }) => (await listAttempts(id)).map(describeAttempt),
  async ledger({ id: taskId, accountId }, { listLedger }) {
    const rows = await listLedger(accountId, { taskId, before: undefined, limit: MAX_ENTRIES });
    return rows.map(describeEntry);
  },
};
