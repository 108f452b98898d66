import { inEnglish, isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';
import { type Adapter, createAdapters, type Endpoint, type HttpClient, type Protocols } from '@mediagate/upstreams';
import type { Reply } from './recorder';
import type { Step } from './run-job';

/** In all fixtures: see `packages/upstreams/test/fixtures.ts`. */
const API_KEY = 'key-for-tests';
/** Under the first nothing is sent where a key signs that is written in two parts. */
const TEST_KEYS = [API_KEY, `${API_KEY}:${API_KEY}`];
const ATTEMPT_ID = 'attempt-1';
const NOW_MS = 1_789_000_000_000;

/**
 * A step as a fixture that `packages/upstreams/src/conformance` replays. What the vendor answered is redacted first,
 * and then read by the adapter once more, under a key of tests: so what the fixture says was sent, and what came of it, hold
 * nothing that was not in the redacted answer. Undefined: an answer was lost, or is none that can be replayed.
 */
export async function makeFixture(
  step: Step,
  { protocol, protocols, endpoint, about }: FixtureOptions,
): Promise<JsonObject | undefined> {
  const replies = step.replies.map((reply) => redactReply(reply, endpoint.apiKey));
  if (replies.length === 0 || !replies.every((reply) => reply !== undefined)) return undefined;
  const { pathname } = new URL(endpoint.baseUrl);
  const standIn = { ...endpoint, baseUrl: `http://vendor.invalid${pathname.replace(/\/$/, '')}` };
  for (const apiKey of TEST_KEYS) {
    const { http, sent } = replay(replies);
    const adapter = createAdapters({ http }, protocols).get(protocol);
    if (!adapter) return undefined;
    const context = { endpoint: { ...standIn, apiKey }, signal: new AbortController().signal };
    const outcome = await takeAgain(adapter, step, context);
    if (sent.length > 0) return fixtureOf(step, { endpoint, about, wire: sent, replies, outcome });
  }
  return undefined;
}

interface Taken extends Pick<FixtureOptions, 'endpoint' | 'about'> {
  wire: JsonObject[];
  replies: RedactedReply[];
  outcome: Json;
}

function fixtureOf(step: Step, { endpoint, about, ...taken }: Taken): JsonObject {
  return steadied({
    about,
    source: `answered by the vendor to \`mediagate vendor verify\` on ${new Date().toISOString().slice(0, 10)}`,
    model: endpoint.model,
    ...(Object.keys(endpoint.options).length > 0 && { options: endpoint.options }),
    ...(step.kind === 'check' ? { check: step.subject } : { request: step.subject }),
    ...taken,
  }) as JsonObject;
}

interface FixtureOptions {
  protocol: string;
  protocols: Protocols;
  endpoint: Endpoint;
  about: string;
}

type Context = Parameters<Adapter['start']>[1];

async function takeAgain(adapter: Adapter, { kind, subject }: Step, context: Context): Promise<Json> {
  const outcome =
    kind === 'check'
      ? await adapter.check?.(subject, context)
      : await adapter.start({ attemptId: ATTEMPT_ID, request: subject, media: [] }, context);
  return plain(outcome);
}

/** An outcome as fixtures have it: bytes in base64, and of a fault all but its free text. */
function plain(outcome: unknown): Json {
  if (!isJsonObject(outcome)) return null;
  const { outputs, fault, ...rest } = outcome as Record<string, unknown>;
  const { detail: _, message, ...code } = (fault ?? {}) as Record<string, unknown>;
  const shown = {
    ...rest,
    ...(Array.isArray(outputs) && { outputs: outputs.map(plainOutput) }),
    ...(fault !== undefined && {
      fault: { ...code, ...(message !== undefined && { message: inEnglish(message as never) }) },
    }),
  };
  return JSON.parse(JSON.stringify(shown)) as Json;
}

function plainOutput({ bytes, ...output }: Record<string, unknown>) {
  return Buffer.isBuffer(bytes) ? { ...output, base64: bytes.toString('base64') } : output;
}

type RedactedReply = { status: number; headers: Record<string, string>; body: JsonObject };

/** Headers that adapters read. */
const KEPT_HEADERS = /(?:request|trace)-id$|^retry-after$/;

function redactReply(reply: Reply, apiKey: string): RedactedReply | undefined {
  if (reply.kind === 'lost' || reply.body.kind !== 'json' || !isJsonObject(reply.body.value)) return undefined;
  const headers = Object.entries(reply.headers).filter(([name]) => KEPT_HEADERS.test(name));
  const links = new Map<string, string>();
  return {
    status: reply.status,
    headers: Object.fromEntries(headers),
    body: redact(reply.body.value as Json, { name: '', apiKey, links }) as JsonObject,
  };
}

/** Fields that say whose account it is. */
const OWNERS = /e-?mail|^(?:user|account|organi[sz]ation|project)(?:_?id|_?name)?$/i;
/** Longer ones are files. */
const MAX_TEXT_CHARS = 2000;
/** One transparent pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

interface Redaction {
  name: string;
  apiKey: string;
  /** The same link stays the same. */
  links: Map<string, string>;
}

function redact(value: Json, around: Redaction): Json {
  if (Array.isArray(value)) return value.map((item) => redact(item, around));
  if (isJsonObject(value)) {
    const fields = Object.entries(value).map(([name, field]) => [name, redact(field as Json, { ...around, name })]);
    return Object.fromEntries(fields);
  }
  if (typeof value !== 'string') return value;
  const { name, apiKey, links } = around;
  if (OWNERS.test(name)) return 'redacted';
  if (/^https?:\/\//.test(value)) {
    if (!links.has(value)) links.set(value, `https://results.example/${links.size + 1}${endingOf(value)}`);
    return links.get(value) ?? '';
  }
  if (value.length > MAX_TEXT_CHARS && /^[A-Za-z0-9+/=]+$/.test(value)) return PIXEL;
  // The longest part first, and cut afterwards: what is left of a key is not found.
  const parts = apiKey
    .split(':')
    .filter(Boolean)
    .sort((one, other) => other.length - one.length);
  const masked = parts.reduce((text, part) => text.replaceAll(part, API_KEY), value);
  return masked.slice(0, MAX_TEXT_CHARS);
}

function endingOf(link: string): string {
  return /\.\w{2,4}$/.exec(URL.parse(link)?.pathname ?? '')?.[0] ?? '';
}

/** Answers each request with the next reply, and remembers what was sent. */
function replay(replies: readonly RedactedReply[]): { http: HttpClient; sent: JsonObject[] } {
  const sent: JsonObject[] = [];
  return {
    sent,
    http: {
      async send({ method, url, headers, body }) {
        const { pathname, search } = new URL(url);
        sent.push({
          method,
          path: pathname + search,
          headers,
          ...(body && 'json' in body && { json: body.json }),
          ...(body && 'jsonText' in body && { json: JSON.parse(body.jsonText) }),
        });
        const reply = replies[sent.length - 1];
        if (reply === undefined) return { kind: 'lost', sent: false, why: 'network' };
        return { ...reply, kind: 'answer', body: { kind: 'json', value: reply.body } };
      },
      stream: async () => ({ kind: 'lost', sent: false, why: 'network' }),
      close: async () => undefined,
    },
  };
}

/** When a job began is the time of all fixtures. */
function steadied(value: Json): Json {
  if (Array.isArray(value)) return value.map(steadied);
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).map(([name, field]) => [
    name,
    name === 'since' && typeof field === 'number' ? NOW_MS : steadied(field as Json),
  ]);
  return Object.fromEntries(fields);
}
