import type { RequestHandler } from 'express';
import type { Faults } from '../faults/chooser';
import { durationMs, type ScenarioName } from '../faults/scenarios';
import { MAX_JOURNAL_PROMPT_CHARS } from '../journal/journal';
import { redact } from '../journal/redact';
import { fired } from '../streaming';
import type { Call, Endpoint, Wire } from './contract';
import { type CallSurroundings, type Ending, type Exchange, serveExchange } from './exchange';
import { refuse, standIn } from './stand-in';

/**
 * The story of every paid call, whatever the vendor: key, body, faults that stand before the vendor, strict checks,
 * acceptance (from here on the vendor charges), the work or the start of it, the answer.
 */
export function serveVendorCall<Body, Job>(
  wire: Wire,
  endpoint: Endpoint<Body, Job>,
  around: CallSurroundings,
): RequestHandler {
  return serveExchange({ wire, operation: 'start', around }, (exchange) =>
    decide(exchange, { wire, endpoint, around }),
  );
}

interface Served<Body, Job> {
  wire: Wire;
  endpoint: Endpoint<Body, Job>;
  around: CallSurroundings;
}

async function decide<Body, Job>(exchange: Exchange, served: Served<Body, Job>): Promise<Ending> {
  const { wire, endpoint, around } = served;
  const { request, requestId, entry, stop } = exchange;
  wire.checkKey(request, requestId);
  const body = await endpoint.read(request, requestId);
  const faults = chooseFaults(exchange, body, served);
  exchange.faults = faults;

  const latency = faults.take(latencyOf(endpoint));
  if (latency) await around.clock.sleep(durationMs(latency.value, 0), stop);
  if (faults.take('reset-before')) return { kind: 'cut' };
  const refusal = standIn(wire, { faults, requestId }) ?? rateLimited(exchange, { wire, around, faults });
  if (refusal) return { kind: 'reply', reply: refusal, refused: true };

  const call: Call = { requestId, request, faults, stop, warn: (sentence) => entry.warnings.push(sentence) };
  const job = await endpoint.prepare(body, call);
  // A vendor to which a refused prompt is an answer has taken the fault already.
  if (!faults.taken.includes('policy-submit') && faults.take('policy-submit')) {
    return { kind: 'reply', reply: refuse(wire, 'policy-submit', { faults, requestId }), refused: true };
  }
  // A caller who hung up before this line has bought nothing.
  if (stop.aborted) return { kind: 'left' };

  if ('start' in endpoint) {
    const { externalId, reply } = endpoint.start(job, call);
    accept(exchange, externalId, around);
    return faults.take('reset-after') ? { kind: 'cut' } : { kind: 'reply', reply };
  }
  accept(exchange, requestId, around);
  if (faults.take('reset-after')) return { kind: 'cut' };
  if (faults.take('stuck')) {
    await fired(stop);
    return { kind: 'left' };
  }
  await around.clock.sleep(around[endpoint.pace?.(job) ?? 'imageMs'], stop);
  return { kind: 'reply', reply: await endpoint.run(job, call) };
}

/** A job's `latency` is that of its work, so the delay of the answer to its start has a name of its own. */
function latencyOf<Body, Job>(endpoint: Endpoint<Body, Job>): ScenarioName {
  return 'start' in endpoint ? 'start-latency' : 'latency';
}

function chooseFaults<Body, Job>(
  { request, entry }: Exchange,
  body: Body,
  { wire, endpoint, around }: Served<Body, Job>,
): Faults {
  const { model, prompt } = endpoint.describe(request, body);
  entry.model = model.slice(0, 200);
  entry.prompt = prompt.slice(0, MAX_JOURNAL_PROMPT_CHARS);
  entry.request = redact(body);
  const header = request.get('x-sim-scenario');
  const faults = around.chooser.choose({ wire: wire.name, path: entry.path, model, prompt, header });
  entry.rule = faults.from;
  entry.scenarios = faults.taken;
  entry.warnings.push(...faults.mistakes);
  around.journal.touch();
  return faults;
}

function rateLimited(
  { requestId }: Exchange,
  { wire, around, faults }: { wire: Wire; around: CallSurroundings; faults: Faults },
) {
  return around.rateWindow.admit() ? undefined : refuse(wire, 'rate-limit', { faults, requestId });
}

function accept({ entry }: Exchange, externalId: string, { journal }: CallSurroundings): void {
  entry.accepted = true;
  entry.externalId = externalId;
  journal.touch();
}
