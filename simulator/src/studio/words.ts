import type { Reply } from '../vendor-call/contract';

/** An error in the vendor's words. */
export function fault(status: number, code: string, message: string, more: object = {}): Reply {
  return { status, body: { error: { code, message, ...more } } };
}
