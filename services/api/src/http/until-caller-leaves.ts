import type { Call } from './exchange';

/** Aborts when the caller's connection is closed, also if that was before it was asked for. */
export function untilCallerLeaves({ response, scope }: Pick<Call, 'response' | 'scope'>): AbortController {
  const left = new AbortController();
  const leave = () => left.abort();
  scope.on(response, 'close', leave);
  if (response.destroyed) leave();
  return left;
}
