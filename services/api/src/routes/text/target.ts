import { GatewayError } from '@mediagate/contracts';
import { TEXT_METHODS, type TextMethod } from '@mediagate/upstreams';

export interface TextTarget {
  model: string;
  method: TextMethod;
}

/**
 * Splits the last word of the path, `text-2.5-flash:generateContent`, at its last colon.
 *
 * @throws GatewayError `not_found` for a method that there is not.
 */
export function readTarget(word: string): TextTarget {
  const colon = word.lastIndexOf(':');
  const method = TEXT_METHODS.find((known) => known === word.slice(colon + 1));
  if (colon < 1 || method === undefined) {
    throw new GatewayError('not_found', `There is no such method; use one of ${TEXT_METHODS.join(', ')}.`);
  }
  return { model: word.slice(0, colon), method };
}
