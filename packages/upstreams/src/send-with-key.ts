import type { Fault } from '@mediagate/contracts';
import type { Credentials, Endpoint, UnsentCall } from './contract';

/** The endpoint whose key a call shows, and how it is shown. */
export interface KeyInUse {
  credentials: Credentials;
  endpoint: Endpoint;
}

/** The key could not be had, so that nothing was sent. */
export interface NotShown {
  kind: 'not_shown';
  fault: Fault;
}

interface Sending<Reply> {
  signal: AbortSignal;
  /** All that is sent, for a key that signs it: each time anew. Absent: no key of its protocol does. */
  call?: UnsentCall;
  send(headers: Readonly<Record<string, string>>): Promise<Reply>;
  /** Its body is a stream, which is used up. */
  isOnce?: boolean;
  /** Drops a refusal that is not read. */
  drop?(reply: Reply): void;
}

const UNAUTHENTICATED = 401;

/**
 * Sends under the headers that show the key, and once more under new ones where the vendor has refused these and others can be
 * had. A call that is refused for its key has begun nothing.
 */
export async function sendWithKey<Reply extends { kind: string }>(
  key: KeyInUse | undefined,
  { signal, call, send, isOnce = false, drop }: Sending<Reply>,
): Promise<Reply | NotShown> {
  if (key === undefined) return send({});
  const context = { endpoint: key.endpoint, signal };
  const show = async () => {
    try {
      return await key.credentials.show(context, call);
    } catch (error) {
      return { ok: false, fault: notSigned(error) } as const;
    }
  };
  const shown = await show();
  if (!shown.ok) return { kind: 'not_shown', fault: shown.fault };
  const reply = await send(shown.headers);
  const isRenewed = isRefused(reply) && key.credentials.renew?.(context, shown.headers);
  if (!isRenewed || isOnce) return reply;
  const renewed = await show();
  if (!renewed.ok) return reply;
  drop?.(reply);
  return send(renewed.headers);
}

/** A body that is signed is read before anything is sent. */
function notSigned(error: unknown): Fault {
  const why = (error as NodeJS.ErrnoException).code ?? (error as Error).name;
  return { code: 'not_accepted', detail: `not sent: the call could not be signed: ${why}` };
}

function isRefused(reply: { kind: string }): boolean {
  return 'status' in reply && reply.status === UNAUTHENTICATED;
}

/** The credentials of a vendor that takes the channel's key as it is. */
export function staticKey(headersOf: (endpoint: Endpoint) => Record<string, string>): Credentials {
  return { show: ({ endpoint }) => ({ ok: true, headers: headersOf(endpoint) }) };
}
