import { GatewayError, type MessageKey, message, type ParamsOf } from '@mediagate/contracts';

/** The error for a request that is malformed as a whole; no field is to blame. */
export function unreadable<Key extends MessageKey>(
  key: Key,
  ...params: keyof ParamsOf<Key> extends never ? [] : [ParamsOf<Key>]
): GatewayError {
  return new GatewayError('invalid_request', message(key, ...params), { reason: 'invalid_request' });
}
