import type { Faults } from '../faults/chooser';
import { durationMs } from '../faults/scenarios';
import { type RefusalScenarioName, refusalNames } from '../faults/table';
import type { RefusalName, Reply, Wire } from './contract';

export interface Refusing {
  faults: Faults;
  requestId: string;
  /** As asked for. */
  model: string;
  /** Receives why the vendor has no such refusal. */
  warn(sentence: string): void;
}

/** The answer of what stands before the vendor's work, if a fault asks for one. */
export function standIn(wire: Wire, refusing: Refusing): Reply | undefined {
  const { faults } = refusing;
  const page = faults.take('gateway-html');
  if (page) return gatewayPage(page.value);
  const detail = faults.take('detail-error');
  if (detail) return detailError(detail.value);
  for (const name of refusalNames) {
    const fault = faults.take(name);
    const reply = fault && refuse(wire, wordOf(name), { ...refusing, value: fault.value });
    if (reply) return reply;
  }
  return undefined;
}

function wordOf(name: RefusalScenarioName): RefusalName {
  if (name === 'throttle-rate') return 'rate-limit';
  return name === 'throttle-concurrency' ? 'concurrency' : name;
}

/** A refusal in the vendor's words; undefined for one that it does not have. */
export function refuse(
  wire: Wire,
  name: RefusalName,
  {
    faults,
    requestId,
    model,
    warn,
    value = '',
    waitMs,
  }: Refusing & {
    value?: string;
    /** The wait that a vendor asks for if it knows its window. */
    waitMs?: number;
  },
): Reply | undefined {
  const word = wire.words[name];
  if (typeof word === 'string') {
    warn(`${wire.name} has no ${name}: ${word}`);
    return undefined;
  }
  const asked = WAITED_OUT.has(name) ? askedWait(faults) : undefined;
  const status = name === '5xx' && value !== '' ? Number(value) : 500;
  const reply = word({ requestId, model, status, retryAfterMs: asked?.ms ?? waitMs });
  return asked ? { ...reply, headers: { ...reply.headers, 'retry-after': asked.header } } : reply;
}

/** The refusals that a wait mends. */
const WAITED_OUT: ReadonlySet<RefusalName> = new Set(['rate-limit', 'concurrency', 'busy', '5xx']);

/** Most vendors document no such header: it is there when a test asks for it. */
function askedWait(faults: Faults): { ms: number; header: string } | undefined {
  const seconds = faults.take('retry-after');
  if (seconds) {
    const ms = durationMs(seconds.value, 0);
    return { ms, header: String(Math.ceil(ms / 1_000)) };
  }
  const date = faults.take('retry-after-date');
  if (!date) return undefined;
  const ms = durationMs(date.value, 0);
  // The date is by the caller's clock, not by the one that tests move.
  return { ms, header: new Date(Date.now() + ms).toUTCString() };
}

/** Titles of the pages that networks in front of vendors answer with, by status. */
const titles: Readonly<Record<string, string>> = {
  '200': 'Just a moment...',
  '403': '403 Forbidden',
  '502': '502 Bad Gateway',
  '503': '503 Service Temporarily Unavailable',
  '504': '504 Gateway Time-out',
};

/** A page of a content network or a proxy; 502 when nothing asked for a certain one. */
function gatewayPage(asked: string): Reply {
  const status = asked === '' ? '502' : asked;
  const title = titles[status] ?? status;
  const html = `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n</body>\r\n</html>\r\n`;
  return { status: Number(status), body: { html } };
}

/**
 * An error as the FastAPI framework says it, which gateways and self-hosted servers in front of a model are made of: a
 * sentence, or a list with the place of each mistake (https://fastapi.tiangolo.com/tutorial/handling-errors, November 2026).
 */
function detailError(asked: string): Reply {
  if (asked !== 'list') return { status: 400, body: { detail: 'The request could not be processed.' } };
  const mistake = { type: 'missing', loc: ['body', 'prompt'], msg: 'Field required', input: null };
  return { status: 422, body: { detail: [mistake] } };
}
