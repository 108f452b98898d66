import type { Pace } from '@mediagate/concurrency';
import { GatewayError, message } from '@mediagate/contracts';

/** Counts a request. @throws GatewayError `rate_limited`; such a request does not count. */
export function admitPaced(pace: Pace, owner: string): void {
  const seconds = Math.ceil(pace.waitMs(owner) / 1000);
  if (seconds > 0) {
    throw new GatewayError('rate_limited', message('too_many_requests', { seconds }), { retryAfterSeconds: seconds });
  }
  pace.count(owner);
}
