import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fault, JsonObject, LoadedMedia, StartOutcome, Usage } from '@mediagate/contracts';
import type { CallContext, StartRequest } from '../src';
import type { FormParts } from './replay-server';

/** One exchange with a vendor, written from its public description: the start, its wire, the replies, and the outcome. */
export interface Fixture {
  name: string;
  /** The guarantee that the exchange shows; the test's name. */
  about: string;
  /** Where the vendor's side is described. */
  source: string;
  /** Absent: those of `success`. */
  request?: JsonObject;
  media?: { field: string; role: LoadedMedia['role']; contentType: string; base64: string }[];
  options?: JsonObject;
  /** What must be sent; absent: not looked at. */
  wire?: ({ path: string; headers: Record<string, string>; json?: JsonObject } & Partial<FormParts>)[];
  /** In order of the requests. */
  replies: { status: number; headers: Record<string, string>; body: JsonObject }[];
  outcome: PlainOutcome;
}

/** An outcome with bytes as base64, and of a fault all but its free text. */
export type PlainOutcome =
  | { kind: 'done'; outputs: PlainOutput[]; usage: Usage; requestIds?: string[] }
  | { kind: 'refused'; fault: Omit<Fault, 'detail'>; requestIds?: string[] };

type PlainOutput = { role: string; contentType?: string; base64?: string; url?: string };

export const API_KEY = 'key-for-tests';

export function readFixtures(protocol: string): Fixture[] {
  const folder = join(__dirname, '..', 'src', protocol, 'fixtures');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({ name: file.slice(0, -5), ...JSON.parse(readFileSync(join(folder, file), 'utf8')) }));
}

export function named(fixtures: Fixture[], name: string): Fixture {
  const fixture = fixtures.find((candidate) => candidate.name === name);
  if (!fixture) throw new Error(`no fixture ${name}`);
  return fixture;
}

export function startRequest(fixture: Fixture, success: Fixture): StartRequest {
  const { request = success.request ?? {}, media = [] } = fixture;
  return {
    attemptId: 'attempt-1',
    request,
    media: media.map(({ base64, ...rest }) => ({ ...rest, bytes: Buffer.from(base64, 'base64') })),
  };
}

export function callContext(baseUrl: string, options: JsonObject = {}, signal?: AbortSignal): CallContext {
  return {
    endpoint: { channelId: 'channel-1', baseUrl, apiKey: API_KEY, model: 'vendor-model', options },
    signal: signal ?? new AbortController().signal,
  };
}

export function plainOutcome(outcome: StartOutcome): PlainOutcome {
  if (outcome.kind === 'started') throw new Error('a synchronous protocol that starts a job');
  if (outcome.kind === 'done') {
    const outputs = outcome.outputs.map(({ bytes, ...output }) =>
      bytes ? { ...output, base64: bytes.toString('base64') } : output,
    );
    return { ...outcome, outputs };
  }
  const { detail: _, ...fault } = outcome.fault;
  return { ...outcome, fault };
}
