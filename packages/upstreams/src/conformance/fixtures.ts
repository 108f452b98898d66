import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CancelOutcome,
  type CheckOutcome,
  type Fault,
  inEnglish,
  isJsonObject,
  type JsonObject,
  type LoadedMedia,
  type Pending,
  type StageDone,
  type Started,
  type StartOutcome,
  type Usage,
} from '@mediagate/contracts';
import type { CallContext, LookupOutcome, StartRequest } from '../contract';

/**
 * One exchange with a vendor, written from its public description: a start, or a question about a job; its wire, the
 * replies, and the outcome.
 */
export interface Fixture {
  name: string;
  /** The guarantee that the exchange shows; the test's name. */
  about: string;
  /** Where the vendor's side is described. */
  source: string;
  /** Absent: those of `success`. */
  request?: JsonObject;
  media?: { field: string; role: LoadedMedia['role']; contentType: string; base64: string; seconds?: number }[];
  /** Absent: those of `success`. */
  options?: JsonObject;
  /** How the options differ from those of `success`: a merge patch (RFC 7396), where null takes a member away. */
  changes?: JsonObject;
  /** Where the vendor may call back. */
  callbackUrl?: string;
  /** The vendor's name of the model; absent: `vendor-model`. */
  model?: string;
  /** The operation asked about, in place of a start. */
  check?: JsonObject;
  /** The operation that is to be cancelled, in place of a start. */
  cancel?: JsonObject;
  /** Asks whether the vendor knows the attempt, in place of a start. */
  lookup?: true;
  /** The requests that must be sent; absent: not looked at. */
  wire?: Sent[];
  /** In order of the requests. */
  replies: Reply[];
  outcome: PlainOutcome;
}

export interface FormParts {
  fields: Record<string, string>;
  files: { field: string; filename: string; contentType: string; base64: string }[];
}

export type Reply = { status: number; headers: Record<string, string> } & (
  | { body: JsonObject; base64?: never }
  | { base64: string; body?: never }
);

export interface Sent extends Partial<FormParts> {
  /** Absent: POST. */
  method?: 'GET' | 'PUT' | 'DELETE';
  path: string;
  headers: Record<string, string>;
  json?: JsonObject;
}

/** An outcome with bytes as base64, and of a fault all but its free text. */
export type PlainOutcome =
  | { kind: 'done'; outputs: PlainOutput[]; usage: Usage; requestIds?: string[] }
  | { kind: 'streaming'; base64: string; credits?: string; requestIds?: string[] }
  | {
      kind: 'refused' | 'not_started';
      fault: Omit<Fault, 'detail' | 'message'> & { message?: string };
      requestIds?: string[];
    }
  | Started
  | Pending
  | StageDone
  | Exclude<CancelOutcome, { kind: 'refused' }>
  | Exclude<LookupOutcome, { kind: 'refused' }>;

type PlainOutput = {
  role: string;
  contentType?: string;
  base64?: string;
  url?: string;
  needsKey?: boolean;
  keepSeconds?: number;
};

/** The time in all fixtures, in milliseconds since 1970: operations remember when they began. */
export const NOW_MS = 1_789_000_000_000;

export const API_KEY = 'key-for-tests';

/** The fixtures of a folder, one a file. */
export function readFixtures(folder: string): Fixture[] {
  const fixtures = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file): Fixture => ({ name: file.slice(0, -5), ...JSON.parse(readFileSync(join(folder, file), 'utf8')) }));
  return fixtures.map(({ changes, ...fixture }) =>
    changes === undefined ? fixture : { ...fixture, options: patched(named(fixtures, 'success').options, changes) },
  );
}

function patched(target: JsonObject = {}, changes: JsonObject): JsonObject {
  const result = { ...target };
  for (const [name, change] of Object.entries(changes)) {
    if (change === null) delete result[name];
    else result[name] = isJsonObject(change) ? patched(objectAt(target, name), change) : change;
  }
  return result;
}

function objectAt(target: JsonObject, name: string): JsonObject {
  const value = target[name];
  return isJsonObject(value) ? value : {};
}

export function named(fixtures: Fixture[], name: string): Fixture {
  const fixture = fixtures.find((candidate) => candidate.name === name);
  if (!fixture) throw new Error(`no fixture ${name}`);
  return fixture;
}

/** The words of the caller in a start. */
export function promptOf({ request, check: asked, cancel: stopped }: Fixture, success: Fixture): string {
  const { prompt, input } = request ?? success.request ?? {};
  return asked || stopped ? '' : String(prompt ?? input ?? '');
}

export function startRequest(fixture: Fixture, success: Fixture): StartRequest {
  const { request = success.request ?? {}, media = [], callbackUrl } = fixture;
  return {
    attemptId: 'attempt-1',
    request,
    ...(callbackUrl === undefined ? {} : { callbackUrl }),
    media: media.map(({ base64, ...rest }) => ({ ...rest, bytes: Buffer.from(base64, 'base64') })),
  };
}

export function callContext(
  baseUrl: string,
  options: JsonObject = {},
  { signal = new AbortController().signal, model = 'vendor-model' }: { signal?: AbortSignal; model?: string } = {},
): CallContext {
  return { endpoint: { channelId: 'channel-1', baseUrl, apiKey: API_KEY, model, options }, signal };
}

export type AnyOutcome = StartOutcome | CheckOutcome | LookupOutcome | CancelOutcome;

/** Reads a stream to its end. */
export async function plainOutcome(outcome: AnyOutcome): Promise<PlainOutcome> {
  if (outcome.kind === 'streaming') {
    const { body, ...rest } = outcome;
    return { ...rest, base64: (await readAll(body)).toString('base64') };
  }
  if (outcome.kind === 'done') {
    const outputs = outcome.outputs.map(({ bytes, ...output }) =>
      bytes ? { ...output, base64: bytes.toString('base64') } : output,
    );
    return { ...outcome, outputs };
  }
  if (!('fault' in outcome)) return outcome;
  const { detail: _, message, ...plain } = outcome.fault;
  const fault = message === undefined ? plain : { ...plain, message: inEnglish(message) };
  return { ...outcome, fault };
}

export async function readAll(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}
