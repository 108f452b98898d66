import { randomInt } from 'node:crypto';
import type { JsonObject, Reply } from './contract';
import { isJsonObject } from './request-body';

/** An odd number of eighteen digits: no double holds it. */
export function newLongId(): string {
  return `7${Date.now()}${randomInt(1_000, 10_000)}`.replace(/.$/, '1');
}

/** The answer with the id of its job as a bare number wherever it stands alone. */
export function withLongId(reply: Reply, externalId: string): Reply {
  return { ...reply, body: withNumber(reply.body, externalId) as JsonObject };
}

function withNumber(value: unknown, id: string): unknown {
  if (value === id) return BigInt(id);
  if (Array.isArray(value)) return value.map((item) => withNumber(item, id));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withNumber(field, id)]));
}

/** JSON in which whole numbers beyond a double stand as digits, as vendors in other languages write their longs. */
export function jsonText(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => jsonText(item ?? null)).join(',')}]`;
  if (!isJsonObject(value) || 'toJSON' in value) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${jsonText(field)}`).join(',')}}`;
}
