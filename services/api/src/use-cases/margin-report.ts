import type { MarginReport, MarginRequest, MarginTooWide } from '@mediagate/billing';
import { Slots } from '@mediagate/concurrency';
import { GatewayError, message } from '@mediagate/contracts';
import { invalid } from './invalid';

export type ReadMargin = (request: Omit<MarginRequest, 'vendors'>) => Promise<MarginReport>;

/** Reports of one process at once: each may read a million rows, and must leave connections for submissions. */
const MAX_AT_ONCE = 1;
const WAIT_MAX_MS = 5000;
const RETRY_AFTER_SECONDS = 5;
const OPERATORS = { accountId: 'operators' };

/**
 * Sums up what tasks were charged and what their vendors charge.
 *
 * @throws (the function it returns) GatewayError `invalid_request` when that is more than one report sums up, `rate_limited` when
 * its turn did not come in time.
 */
export function createReadMargin(
  readMargin: (request: Omit<MarginRequest, 'vendors'>) => Promise<MarginReport | MarginTooWide>,
): ReadMargin {
  const slots = new Slots({ capacity: MAX_AT_ONCE });
  return async (request) => {
    const { release } = await slots.take({ owner: OPERATORS }, AbortSignal.timeout(WAIT_MAX_MS)).catch(refuse);
    try {
      const report = await readMargin(request);
      if (report.kind === 'report') return report;
      throw invalid(report.kind === 'too_many_groups' ? 'group_by' : 'from', report.kind, { limit: report.limit });
    } finally {
      release();
    }
  };
}

function refuse(): never {
  const retryAfterSeconds = RETRY_AFTER_SECONDS;
  throw new GatewayError('rate_limited', message('too_many_requests', { seconds: retryAfterSeconds }), {
    retryAfterSeconds,
  });
}
