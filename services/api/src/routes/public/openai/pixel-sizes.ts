import { type JsonObject, type Message, message } from '@mediagate/contracts';

const PIXELS = /^([1-9]\d{0,5})x([1-9]\d{0,5})$/i;

/**
 * Puts the ratio of a size in pixels in its place, for a model that takes ratios alone: OpenAI's clients have no word for those.
 * A size whose ratio the model does not take stays, for its schema to refuse.
 *
 * @returns what was read otherwise, in the caller's terms.
 */
export function readPixelsAsRatio(body: JsonObject, schema: JsonObject | undefined): Message[] {
  const ratio = ratioOf(body['size']);
  if (ratio === undefined || !choicesOf(schema).includes(ratio)) return [];
  body['size'] = ratio;
  return [message('read_as_ratio', { field: 'size', ratio })];
}

function ratioOf(size: unknown): string | undefined {
  const [, width, height] = typeof size === 'string' ? (PIXELS.exec(size.trim()) ?? []) : [];
  if (width === undefined || height === undefined) return undefined;
  const divisor = greatestDivisor(Number(width), Number(height));
  return `${Number(width) / divisor}:${Number(height) / divisor}`;
}

/** None where the model takes more than a list of ratios. */
function choicesOf(schema: JsonObject | undefined): readonly unknown[] {
  const { size } = (schema?.['properties'] ?? {}) as Record<string, JsonObject>;
  const choices = size?.['enum'];
  return Array.isArray(choices) ? choices : [];
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
