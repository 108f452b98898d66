import {
  type FieldArguments,
  failureOf,
  GatewayError,
  type MessageKey,
  message,
  type ParamsOf,
  refusedBody,
} from '@mediagate/contracts';

/** One field of a request is wrong: `invalid('index', 'must_be_integer')`. */
export function invalid<Key extends MessageKey>(param: string, ...about: FieldArguments<Key>): GatewayError {
  return refusedBody('invalid_request', [failureOf('invalid_parameter', param, about)]);
}

/** One field that is needed is not there. */
export function missing<Key extends MessageKey>(param: string, ...about: FieldArguments<Key>): GatewayError {
  return refusedBody('invalid_request', [failureOf('missing_parameter', param, about)]);
}

/** Nothing has the id of the path, where its kind has no message of its own. */
export function unknownId(): GatewayError {
  return new GatewayError('not_found', message('nothing_of_that_id'));
}

/** The error for a request that is malformed as a whole; no field is to blame. */
export function unreadable<Key extends MessageKey>(
  key: Key,
  ...params: keyof ParamsOf<Key> extends never ? [] : [ParamsOf<Key>]
): GatewayError {
  return new GatewayError('invalid_request', message(key, ...params), { reason: 'invalid_request' });
}
