import type { CatalogueEntry } from '@mediagate/catalog';
import {
  FAULT_TABLE,
  type FaultCode,
  isJsonObject,
  type Json,
  type JsonObject,
  unixSeconds,
} from '@mediagate/contracts';

/** Parts of a task that are shown only on request. */
export const INCLUSIONS = ['input', 'attempts', 'ledger'] as const;
export type Inclusion = (typeof INCLUSIONS)[number];

/** An attempt as its row has it. */
export interface AttemptRow {
  number: number;
  /** starting, accepted, succeeded, refused, unknown */
  state: string;
  fault: string | null;
  startedAt: Date;
  endedAt: Date | null;
}

/** Where a task was tried is the operator's affair; that, when and why not is its caller's. */
export function describeAttempt({ number, state, fault, startedAt, endedAt }: AttemptRow): JsonObject {
  return {
    number,
    state,
    ...(fault !== null && isFaultCode(fault) ? { reason: FAULT_TABLE[fault].reason } : {}),
    started_at: unixSeconds(startedAt),
    ended_at: endedAt === null ? null : unixSeconds(endedAt),
  };
}

function isFaultCode(fault: string): fault is FaultCode {
  return Object.hasOwn(FAULT_TABLE, fault);
}

/**
 * The input as the model takes it: the model's own fields, without those taken from an earlier task, and with addresses whose
 * signatures are removed, so that they open nothing.
 */
export function describeInput(input: JsonObject, entry: Pick<CatalogueEntry, 'schema'> | undefined): JsonObject {
  const fields = entry?.schema['properties'];
  const shown = Object.entries(input).filter(([field]) => isJsonObject(fields) && Object.hasOwn(fields, field));
  return Object.fromEntries(shown.map(([field, value]) => [field, withoutSignatures(value)]));
}

/** A query may be the signature that opens a private file, and so may a password. */
function withoutSignatures(value: Json): Json {
  if (typeof value === 'string') return bareAddress(value);
  if (Array.isArray(value)) return value.map(withoutSignatures);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutSignatures(member)]));
}

const ADDRESS = /^\s*https?:\/\//i;

function bareAddress(text: string): string {
  if (!ADDRESS.test(text) || !URL.canParse(text)) return text;
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname}`;
}
