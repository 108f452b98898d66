import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { bytesIn, type CheckOutcome, inEnglish, type StartOutcome } from '@mediagate/contracts';
import { type AnyOutcome, API_KEY, type Fixture, type PlainOutcome, plainOutcome } from './fixtures';
import { type ReceivedRequest, readForm } from './replay-server';
import type { Answers } from './trial';

/** Fails unless both say the same as JSON; `about` names what differs. */
export function same(actual: unknown, expected: unknown, about: string): void {
  try {
    assert.deepStrictEqual(asJson(actual), asJson(expected));
  } catch (error) {
    throw new Error(`${about} is not what was expected: ${(error as Error).message}`);
  }
}

/** Fails unless `actual` has all that `expected` says. */
function holds(actual: unknown, expected: unknown, about: string): void {
  try {
    assert.partialDeepStrictEqual(asJson(actual), asJson(expected));
  } catch (error) {
    throw new Error(`${about} lacks what was expected: ${(error as Error).message}`);
  }
}

export function requires(condition: boolean, problem: string): asserts condition {
  if (!condition) throw new Error(problem);
}

function asJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

export async function refusedAs(outcome: AnyOutcome, code: string): Promise<void> {
  holds(await plainOutcome(outcome), { kind: 'refused', fault: { code } }, 'the outcome');
}

/** No vendor has answered: an adapter makes up nothing for callers or operators. */
export async function refusedBare(outcome: AnyOutcome, code: string): Promise<void> {
  same(await plainOutcome(outcome), { kind: 'refused', fault: { code } }, 'the outcome');
}

/** Links that lead to the channel itself, as fixtures name it: every run has another port. */
export function atChannel(outcome: PlainOutcome, origin: string): PlainOutcome {
  return JSON.parse(JSON.stringify(outcome).replaceAll(origin, 'https://channel.example'));
}

/** The requests that were sent, beside those of the fixture. */
export async function sentAs({ wire, replies }: Fixture, received: readonly ReceivedRequest[]): Promise<void> {
  for (const { headers, body } of received) {
    same(headers['accept-encoding'], 'identity', 'the header accept-encoding');
    same(headers['content-length'] ?? '0', String(body.length), 'the header content-length');
  }
  requires(received.length <= replies.length, `${received.length} requests were sent, for ${replies.length} replies`);
  if (!wire) return;
  same(received.length, wire.length, 'the number of requests');
  for (const [index, { method = 'POST', path, headers, json, fields, files }] of wire.entries()) {
    const request = received[index];
    const about = `request ${index + 1}`;
    holds(request, { method, path, headers }, about);
    if (json) same(JSON.parse(String(request?.body)), json, `the body of ${about}`);
    if (fields && request) same(await readForm(request), { fields, files }, `the form of ${about}`);
  }
}

const DETAIL_MAX_CHARACTERS = 500;

/** A refusal shows its caller no vendor, and operators no key and no prompt. */
export function isDiscreet(outcome: AnyOutcome, prompt: string, vendorWords: RegExp): void {
  if (outcome.kind !== 'refused') return;
  const { detail, message } = outcome.fault;
  const shown = message === undefined ? '' : inEnglish(message);
  requires(detail.length <= DETAIL_MAX_CHARACTERS, `the fault's detail has ${detail.length} characters`);
  requires(!detail.includes(API_KEY), `the fault's detail has the key: ${detail}`);
  const words = prompt.slice(0, 20).toLowerCase();
  requires(words === '' || !detail.toLowerCase().includes(words), `the fault's detail has the prompt: ${detail}`);
  requires(!/sk-|https?:|127\.0\.0\.1/.test(detail), `the fault's detail has a key or a link: ${detail}`);
  requires(!vendorWords.test(shown), `the message to callers names the vendor: ${shown}`);
  requires(!/key|quota|balance|https?:|request id/i.test(shown), `the message is not for callers: ${shown}`);
}

/** A job's operation is a column of a row that is read with every step. */
const OPERATION_MAX_CHARS = 32 * 1024;

export function isSound(outcome: StartOutcome, answers: Answers): boolean {
  if (outcome.kind === 'refused') return outcome.fault.detail !== '';
  if (outcome.kind === 'done') {
    return answers !== 'jobs' && outcome.usage.images === outcome.outputs.length && hasSoundOutputs(outcome);
  }
  if (outcome.kind !== 'started' || answers !== 'jobs') return false;
  const { externalId, operation, checkAfterMs } = outcome;
  const kept = JSON.stringify(operation);
  const isKeptWhole = isDeepStrictEqual(JSON.parse(kept), operation);
  return externalId !== '' && checkAfterMs > 0 && kept.length < OPERATION_MAX_CHARS && isKeptWhole;
}

export function hasSoundOutputs({ outputs, usage }: Extract<CheckOutcome, { kind: 'done' }>): boolean {
  const areCounts = Object.values(usage).every((value) => Number.isSafeInteger(value) && value >= 0);
  const haveContent = outputs.every(({ bytes, url }) => (bytes === undefined ? url.length : bytesIn(bytes)) > 0);
  return outputs.length > 0 && areCounts && haveContent;
}
