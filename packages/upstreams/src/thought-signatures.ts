import type { JsonObject } from '@mediagate/contracts';
import { object, text } from './json-guards';
import { field, partsOf, turnsOf } from './text-request';

/*
 * Gemini signs its thoughts on the parts of its answers. From the third generation on it refuses a conversation whose turn under
 * way has a call without the signature that it gave (ai.google.dev, "Thought signatures", November 2026).
 */

/** Stands for a signature that is lost: the vendor documents this word, by which it checks none. */
const SKIP_CHECK = 'skip_thought_signature_validator';
const SIGNING = /(?:^|\/)gemini-/i;
const CHECKING = /(?:^|\/)gemini-(?![12]\b)/i;

/** Whether the model is Gemini's of the third generation or later, by its name. */
export function isThirdGeneration(model: string): boolean {
  return CHECKING.test(model);
}

/** Whether the vendor's model takes signatures, by its name. */
export function takesSignatures(model: string): boolean {
  return SIGNING.test(model);
}

/** The signature on a part of the one shape of text. */
export function signatureOf(part: JsonObject): string | undefined {
  return text(field(part, 'thoughtSignature'));
}

/** The signature on a message or a call of a chat completion, in the vendor's own extension. */
export function chatSignatureOf({ extra_content: extra }: JsonObject): string | undefined {
  return text(object(object(extra)['google'])['thought_signature']);
}

/** Fields that carry the signature in a chat completion. */
export function chatSignature(signature: string | undefined): JsonObject {
  return signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } };
}

/**
 * Signs the first call of each step of the turn under way that came without its signature: callers drop fields that they do not know.
 * The others of a step need none.
 *
 * @returns a signed copy, because other channels may be asked with the same request; the request itself if there is no such call.
 */
export function signLostCalls(request: JsonObject, model: string): JsonObject {
  if (!CHECKING.test(model) || lostCalls(request).length === 0) return request;
  const signed = structuredClone(request);
  for (const call of lostCalls(signed)) call['thoughtSignature'] = SKIP_CHECK;
  return signed;
}

function lostCalls(request: JsonObject): JsonObject[] {
  return stepsUnderWay(request)
    .map((step) => partsOf(step).find((part) => field(part, 'functionCall') !== undefined))
    .filter((call) => call !== undefined)
    .filter((call) => signatureOf(call) === undefined);
}

/** A turn begins with what its user says; results of functions are part of it. */
function stepsUnderWay(request: JsonObject): JsonObject[] {
  const turns = turnsOf(request);
  const asked = turns.findLastIndex((turn) => turn['role'] !== 'model' && !partsOf(turn).some(isResult));
  return turns.slice(asked + 1).filter(({ role }) => role === 'model');
}

function isResult(part: JsonObject): boolean {
  return field(part, 'functionResponse') !== undefined;
}
