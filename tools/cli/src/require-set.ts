import { SETTINGS_LEAD_MS, type SettingsOutcome } from '@mediagate/channels';
import type { ChangedRow } from '@mediagate/database';
import { Refusal } from './refusal';
import { requireChanged } from './require-changed';

/** The row of a change of settings that was made. `explain`: why there was nothing to change. */
export async function requireSet(outcome: SettingsOutcome, explain: () => string): Promise<ChangedRow> {
  switch (outcome.kind) {
    case 'faulty':
      throw new Refusal(outcome.faults.map(({ field, message }) => `${field}: ${message}`).join('\n'));
    case 'too_soon':
      throw new Refusal(`models and costs must be set at least ${SETTINGS_LEAD_MS / 1000} seconds before they count`);
    case 'duplicate':
      throw new Refusal('there is one of that name already');
    default:
      return await requireChanged(outcome, explain);
  }
}
