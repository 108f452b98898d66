import type { StartOutcome, Streaming } from '@mediagate/contracts';

/**
 * The first bytes belong to the start: until they come nothing is known to be made, and the channel is judged by them.
 *
 * @throws what the answer broke with before them.
 */
export async function withFirstBytes(started: StartOutcome): Promise<StartOutcome> {
  if (started.kind !== 'streaming') return started;
  const parts = started.body[Symbol.asyncIterator]();
  const first = await parts.next();
  if (first.done) return EMPTY;
  return { ...started, body: resume(first.value, parts) };
}

const EMPTY = {
  kind: 'refused',
  fault: { code: 'outcome_unknown', detail: 'the answer was empty' },
} as const satisfies StartOutcome;

/** Adds no promise to those of the rest. */
function resume(first: Uint8Array, rest: AsyncIterator<Uint8Array>): Streaming['body'] {
  let isFirst = true;
  const next = (): Promise<IteratorResult<Uint8Array>> => {
    if (!isFirst) return rest.next();
    isFirst = false;
    return Promise.resolve({ done: false, value: first });
  };
  // Ends the call when it is left early.
  const leave = async (): Promise<IteratorResult<Uint8Array>> => {
    await rest.return?.();
    return { done: true, value: undefined };
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: leave }) };
}
