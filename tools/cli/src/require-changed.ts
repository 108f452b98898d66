import type { ChangedRow, ChangeOutcome, ChangeRequest } from '@mediagate/database';
import { Refusal } from './refusal';
import type { Session } from './session';

/** Says who makes a change by this command line, and why. */
export function changeBy({ actor }: Session, reason: string | undefined): ChangeRequest {
  return { actor, ...(reason === undefined ? {} : { reason }) };
}

/** The row of a change that was made. `explain`: why it was not made, as a sentence for the operator. */
export async function requireChanged(
  outcome: ChangeOutcome,
  explain: () => Promise<string> | string,
): Promise<ChangedRow> {
  if (outcome.kind === 'changed') return outcome.row;
  throw new Refusal(await explain());
}
