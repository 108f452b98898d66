import { inEnglish, type Message, message } from '@mediagate/contracts';
import { errors } from 'undici';

export type EgressReason =
  /** Not an http(s) URL that may be fetched: syntax, scheme, user name, length. */
  | 'bad_url'
  | 'blocked_port'
  /** A literal, a name or a redirect that leads to an address which is not public. */
  | 'blocked_address'
  /** The name has no address, or the connection or TLS failed, or broke off. */
  | 'network'
  | 'timeout'
  /** The caller's own signal. */
  | 'aborted'
  | 'redirect'
  | 'http_status'
  | 'too_large'
  /** Another part of a file than the one asked for, or one of another length than announced. */
  | 'range'
  /** Compressed although nothing of the kind was asked for. */
  | 'encoding';

/**
 * Why a guarded call came to nothing. Whoever named the URL may read the problem: it holds no address, no part of
 * the URL and nothing of an answer's body; what an operator needs beyond it is in `cause`.
 */
export class EgressError extends Error {
  readonly reason: EgressReason;
  readonly problem: Message;
  /** The answer's status, with reason `http_status`. */
  readonly status: number | undefined;

  constructor(reason: EgressReason, problem: Message, options: { status?: number; cause?: unknown } = {}) {
    super(inEnglish(problem), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'EgressError';
    this.reason = reason;
    this.problem = problem;
    this.status = options.status;
  }
}

/**
 * Turns an error of the socket, TLS or HTTP parser into an EgressError. A misuse of the client (an invalid header, say) is a
 * bug of ours and passes through as it is.
 */
export function toEgressError(error: unknown): unknown {
  if (error instanceof EgressError) return error;
  const code = codeOf(error);
  if (code === undefined || code === 'UND_ERR_INVALID_ARG' || code.startsWith('ERR_INVALID_')) return error;
  return new EgressError('network', NETWORK_PROBLEMS.get(code) ?? message('connection_failed'), { cause: error });
}

function codeOf(error: unknown): string | undefined {
  // The one transport error that may come without a code.
  if (error instanceof errors.HTTPParserError) return error.code ?? 'HPE_INVALID';
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

const NETWORK_PROBLEMS: ReadonlyMap<string, Message> = new Map([
  ['ECONNREFUSED', message('connection_refused')],
  ['ECONNRESET', message('connection_broken')],
  ['UND_ERR_SOCKET', message('connection_broken')],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', message('answer_length')],
  ['UND_ERR_HEADERS_OVERFLOW', message('answer_headers')],
  ['ERR_TLS_CERT_ALTNAME_INVALID', message('tls_name')],
  ['CERT_HAS_EXPIRED', message('tls_expired')],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', message('tls_untrusted')],
  ['SELF_SIGNED_CERT_IN_CHAIN', message('tls_untrusted')],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', message('tls_untrusted')],
]);
