import { ERROR_TABLE, isReason, type Reason } from '@mediagate/contracts';

/** What never became a request is answered before there is an error of ours. */
const BEFORE_ROUTES: Readonly<Record<number, readonly Reason[]>> = {
  408: ['request_timeout'],
  417: ['invalid_request'],
  431: ['payload_too_large'],
};

/**
 * Every error answer of every test gives a reason that the reference lists for its status, and names a field or none.
 *
 * @throws Error when one does not.
 */
export function requireDocumentedError(status: number, body: unknown): void {
  const { error, properties } = body as { error?: Blame; properties?: Blame };
  const { reason, param } = error ?? properties ?? {};
  const known = Object.values(ERROR_TABLE).find(({ httpStatus }) => httpStatus === status);
  const reasons: readonly Reason[] = known?.reasons ?? BEFORE_ROUTES[status] ?? [];
  if (!isReason(reason) || !reasons.includes(reason)) {
    throw new Error(`an answer ${status} gives the reason ${String(reason)}: ${JSON.stringify(body)}`);
  }
  if (param !== undefined && (typeof param !== 'string' || param === '')) {
    throw new Error(`an answer ${status} blames ${JSON.stringify(param)}, which is no field`);
  }
}

interface Blame {
  reason?: unknown;
  param?: unknown;
}
