import type { JsonObject } from '@mediagate/contracts';
import { openOperatorsApi } from '../routes/operators-api';
import type { Check, Finding } from './check';
import type { Examined } from './examined';

/** Shows the list of the page and of `trouble list`, which rows and queues make. */
export function troubleCheck({ session, database }: Examined): Check {
  return {
    name: 'troubles',
    async look() {
      await database();
      const { ask } = await openOperatorsApi(session);
      const { data } = await ask('adminListTroubles');
      const troubles = Array.isArray(data) ? (data as JsonObject[]) : [];
      return troubles.length === 0 ? [{ state: 'ok', found: 'there are none' }] : troubles.map(toFinding);
    },
  };
}

function toFinding({ urgency, kind, subject, cause, detail, action, runbook }: JsonObject): Finding {
  const named = [kind, subject].filter((word) => word !== null).join(' ');
  const found = [`${named}: ${cause}`, detail].filter((part) => part !== null).join(', ');
  return {
    state: urgency === 'critical' ? 'fault' : 'warning',
    found: found.replaceAll('_', ' '),
    action: String(action),
    runbook: String(runbook).replace(/^.*\//, ''),
  };
}
