import { GatewayError, message, type TaskFailureReason } from '@mediagate/contracts';
import { CallerLeftError, CutOffError, type Gone } from '../caller-connection';

/** Whoever waits for a text that somebody else cancelled may ask again. */
const RETRY_AFTER_SECONDS = 5;

export const GONE_DETAILS = {
  caller_left: 'the caller left',
  internal_error: 'this process ended',
  cancelled: 'somebody else ended it',
  cancelled_by_caller: 'its account cancelled it',
} as const;

export function reasonOf(gone: Gone): TaskFailureReason {
  return gone === 'cancelled_by_caller' ? 'cancelled' : gone;
}

export function goneError(gone: Gone): Error {
  switch (gone) {
    case 'caller_left':
      return new CallerLeftError();
    case 'internal_error':
      return new CutOffError();
    case 'cancelled':
    case 'cancelled_by_caller':
      return new GatewayError('unavailable', message(gone), {
        reason: 'cancelled',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    default:
      return gone satisfies never;
  }
}
