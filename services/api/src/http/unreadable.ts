import { GatewayError } from '@mediagate/contracts';

/** The request as a whole is not what it should be; no field of it is to blame. */
export function unreadable(message: string): GatewayError {
  return new GatewayError('invalid_request', message, { reason: 'invalid_request' });
}
