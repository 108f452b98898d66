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

async function* resume(
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): Streaming['body'] & AsyncGenerator<Uint8Array> {
  try {
    yield first;
    for (let part = await rest.next(); !part.done; part = await rest.next()) yield part.value;
  } finally {
    // Ends the call when it is left early.
    await rest.return?.();
  }
}
