import { GatewayError, type MessageKey, message, type ParamsOf } from '@mediagate/contracts';

/** The request as a whole is not what it should be; no field of it is to blame. */
export function unreadable<Key extends MessageKey>(
  key: Key,
  ...params: keyof ParamsOf<Key> extends never ? [] : [ParamsOf<Key>]
): GatewayError {
  return new GatewayError('invalid_request', message(key, ...params), { reason: 'invalid_request' });
}
