import type { Endpoint } from '../contract';
import { decimalText } from '../json-guards';
import { staticKey } from '../send-with-key';

export const elevenLabsKey = staticKey(({ apiKey }) => ({ 'xi-api-key': apiKey }));

/** The credits that the vendor deducts for a call. */
export function creditsIn(headers: Readonly<Record<string, string>>): string | undefined {
  return decimalText(headers['character-cost']);
}

/** The time of a call; `timeout_seconds` is the channel's option. */
export function timeoutMs({ options }: Endpoint, usualSeconds: number): number {
  const seconds = options['timeout_seconds'];
  return (typeof seconds === 'number' ? seconds : usualSeconds) * 1000;
}
