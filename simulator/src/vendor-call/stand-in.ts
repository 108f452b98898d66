import type { Faults } from '../faults/chooser';
import { durationMs } from '../faults/scenarios';
import type { RefusalName, Reply, Wire } from './contract';

const refusals: RefusalName[] = ['auth', 'rate-limit', 'quota', 'balance', '5xx', 'busy'];

/** The answer of what stands before the vendor's work, if a fault asks for one. */
export function standIn(wire: Wire, { faults, requestId }: { faults: Faults; requestId: string }): Reply | undefined {
  if (faults.take('gateway-html')) return badGatewayPage;
  for (const name of refusals) {
    const fault = faults.take(name);
    if (fault) return refuse(wire, name, { faults, requestId, value: fault.value });
  }
  return undefined;
}

/** A refusal in the vendor's words. */
export function refuse(
  wire: Wire,
  name: RefusalName,
  { faults, requestId, value = '' }: { faults: Faults; requestId: string; value?: string },
): Reply {
  const retryAfter = name === 'rate-limit' ? faults.take('retry-after') : undefined;
  return wire.refuse(name, {
    requestId,
    status: value === '' ? 500 : Number(value),
    retryAfterMs: retryAfter && durationMs(retryAfter.value, 0),
  });
}

const badGatewayPage: Reply = {
  status: 502,
  body: {
    html: '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n',
  },
};
