import { EARLY_STATUSES, ERROR_TABLE, isReason, MAX_FAILURES, type Reason } from '@mediagate/contracts';

/**
 * Every error answer of every test gives a reason that the reference lists for its status, names a field or none, and repeats its id.
 *
 * @throws Error when one does not.
 */
export function requireDocumentedError({ status, headers }: Pick<Response, 'status' | 'headers'>, body: unknown): void {
  const { error, properties } = body as { error?: Blame; properties?: Blame };
  // One dialect sends null for an absent field.
  const { reason, param, errors, request_id: requestId } = error ?? properties ?? {};
  if (requestId !== headers.get('x-request-id')) {
    throw new Error(`an answer ${status} gives another request_id than its header: ${JSON.stringify(body)}`);
  }
  const known = Object.values(ERROR_TABLE).filter(({ httpStatus }) => httpStatus === status);
  const early = known.length === 0 ? EARLY_STATUSES[status] : undefined;
  const reasons: readonly Reason[] = [...known.flatMap(({ reasons }) => [...reasons]), ...(early ? [early] : [])];
  if (!isReason(reason) || !reasons.includes(reason)) {
    throw new Error(`an answer ${status} gives the reason ${String(reason)}: ${JSON.stringify(body)}`);
  }
  for (const fault of errors ?? []) {
    if (typeof fault.param !== 'string' || !isReason(fault.reason))
      throw new Error(`a fault has no param or reason: ${JSON.stringify(fault)}`);
  }
  if (
    errors !== undefined &&
    (errors[0]?.param !== param || errors[0]?.reason !== reason || errors.length > MAX_FAILURES)
  ) {
    throw new Error(`an answer ${status} lists other faults than its own first: ${JSON.stringify(body)}`);
  }
  if (param !== undefined && param !== null && (typeof param !== 'string' || param === '')) {
    throw new Error(`an answer ${status} blames ${JSON.stringify(param)}, which is no field`);
  }
}

interface Blame {
  reason?: unknown;
  param?: unknown;
  request_id?: unknown;
  errors?: { param?: unknown; reason?: unknown }[];
}
