import { createHash } from 'node:crypto';
import type { Content, Part } from '../request';
import { invalidArgument } from '../wire';

/** By which a call is taken without its signature, as the vendor documents it. */
const SKIP = 'skip_thought_signature_validator';

/** The signature on a call of the function: that of the same thought is the same. */
export function signatureOf(name: string, thought: string): string {
  return createHash('sha256').update(`${name}\n${thought}`).digest('base64');
}

/** Refuses a turn under way of which a step's first call has not the signature that it was given. */
export function checkSignatures(contents: readonly Content[]): void {
  const asked = contents.findLastIndex(({ role, parts }) => role !== 'model' && !parts.some(isResult));
  for (const { role, parts } of contents.slice(asked + 1)) {
    const call = role === 'model' ? parts.find(({ functionCall }) => functionCall) : undefined;
    if (call !== undefined && !isSigned(call)) {
      throw invalidArgument('Function call is missing a thought_signature in functionCall parts.');
    }
  }
}

function isSigned({ thoughtSignature = '' }: Part): boolean {
  return thoughtSignature === SKIP || /^[A-Za-z0-9+/]{43}=$/.test(thoughtSignature);
}

function isResult({ functionResponse }: Part): boolean {
  return functionResponse !== undefined;
}
