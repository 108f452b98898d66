import { type Message, message } from '@mediagate/contracts';
import { callbackOriginSettings } from './callback-origin-settings';

/** Reasons that an origin of the operator's own is exempt from. */
const BY_ADDRESS: ReadonlySet<string> = new Set(['blocked_address', 'blocked_port', 'own_domain']);
const [VARIABLE = ''] = Object.keys(callbackOriginSettings);

interface Refused {
  url: string;
  reason: string;
}

/** How an operator lets callbacks go where one was refused for its address, for the log; undefined: it was for something else. */
export function exemptionOf({ url, reason }: Refused): string | undefined {
  return BY_ADDRESS.has(reason) ? `${new URL(url).origin} is called once ${VARIABLE} names it` : undefined;
}

/** The problem of a refusal; of an address also its origin, and how who runs this service allows it: of a laptop or a local network most often the caller. */
export function withExemption(problem: Message, { url, reason }: Refused): Message {
  const address = BY_ADDRESS.has(reason) ? URL.parse(url) : null;
  if (address === null) return problem;
  return message('origin_allowed_by', { problem, origin: address.origin, variable: VARIABLE });
}
