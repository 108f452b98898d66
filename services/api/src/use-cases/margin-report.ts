import { type MarginReport, type MarginRequest, readMargin } from '@mediagate/billing';
import { type Channels, vendorsOf } from '@mediagate/channels';
import { Slots } from '@mediagate/concurrency';
import { GatewayError, message } from '@mediagate/contracts';
import { invalid } from './invalid';
import { type InTurn, refuseReport } from './usage-report';

/** Reports of one process at once: each may read a million rows, and must leave connections for submissions. */
const MAX_AT_ONCE = 1;
const WAIT_MAX_MS = 5000;
const RETRY_AFTER_SECONDS = 5;
const OPERATORS = { accountId: 'operators' };

export function createMarginSlots(): Slots {
  return new Slots({ capacity: MAX_AT_ONCE });
}

/** The turns of operators. */
export function turnsOfOperators({ marginSlots }: { marginSlots: Slots }): InTurn {
  return async (make) => {
    const { release } = await marginSlots.take({ owner: OPERATORS }, AbortSignal.timeout(WAIT_MAX_MS)).catch(refuse);
    return make().finally(release);
  };
}

/**
 * Sums up what tasks were charged and what their vendors charge.
 *
 * @throws GatewayError `invalid_request` when that is more than one report sums up in time, `rate_limited` when its turn did not come in time.
 */
export async function reportMargin(
  operators: { channels: Channels; marginSlots: Slots },
  request: Omit<MarginRequest, 'vendors'>,
): Promise<MarginReport> {
  const report = await turnsOfOperators(operators)(async () => {
    const vendors = await vendorsOf(operators.channels);
    return readMargin(operators.channels.database, { ...request, vendors }).catch(refuseReport);
  });
  if (report.kind === 'report') return report;
  throw invalid(report.kind === 'too_many_groups' ? 'group_by' : 'from', report.kind, { limit: report.limit });
}

function refuse(): never {
  const retryAfterSeconds = RETRY_AFTER_SECONDS;
  throw new GatewayError('rate_limited', message('too_many_requests', { seconds: retryAfterSeconds }), {
    retryAfterSeconds,
  });
}
