import type { RequestHandler } from 'express';
import { LATE_MS } from '../assets/asset-fault';
import { checkFaults, type Faults } from '../faults/chooser';
import { durationMs } from '../faults/scenarios';
import type { ScenarioName } from '../faults/table';
import { MAX_JOURNAL_PROMPT_CHARS } from '../journal/journal';
import { redact } from '../journal/redact';
import { fired } from '../streaming';
import type { Call, Endpoint, Question, QuestionFacts, Reply, Wire } from './contract';
import { type CallSurroundings, type Ending, type Exchange, serveExchange } from './exchange';
import { withLongId } from './long-id';
import { isJsonObject } from './request-body';
import { type Refusing, refuse, standIn } from './stand-in';

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
  const faults = chooseFaults(exchange, { ...endpoint.describe(request, body), body }, served);
  exchange.faults = faults;

  const latency = faults.take(latencyOf(endpoint));
  if (latency) await around.clock.sleep(durationMs(latency.value, 0), stop);
  if (faults.take('reset-before')) return { kind: 'cut' };
  const call: Call = { requestId, request, faults, stop, warn: (sentence) => entry.warnings.push(sentence) };
  const refusing = { ...call, model: entry.model ?? '' };
  const refusal = standIn(wire, refusing) ?? overLimit(wire, refusing, around);
  if (refusal) return { kind: 'reply', reply: refusal, refused: true };

  const job = await endpoint.prepare(body, call);
  // A vendor to which a refused prompt is an answer has taken the fault already.
  const isBlocked = !faults.taken.includes('policy-submit') && faults.take('policy-submit') !== undefined;
  const blocked = isBlocked ? refuse(wire, 'policy-submit', refusing) : undefined;
  if (blocked) return { kind: 'reply', reply: blocked, refused: true };
  // A caller who hung up before this line has bought nothing.
  if (stop.aborted) return { kind: 'left' };

  if ('start' in endpoint) {
    const { externalId, reply } = endpoint.start(job, call);
    accept(exchange, externalId, around);
    callBack(externalId, body, { wire, call, around });
    if (faults.take('reset-after')) return { kind: 'cut' };
    return { kind: 'reply', reply: faults.taken.includes('long-id') ? withLongId(reply, externalId) : reply };
  }
  accept(exchange, requestId, around);
  if (faults.take('reset-after')) return { kind: 'cut' };
  return work(endpoint, job, { call, around });
}

/** A job that is not kept as one is never reported. */
function callBack(
  externalId: string,
  body: unknown,
  { wire, call, around }: { wire: Wire; call: Call; around: CallSurroundings },
): void {
  const { callback } = wire;
  const job = around.findJob(wire.name, externalId);
  if (!callback || !job || !isJsonObject(body)) return;
  const { address, report, at = [1], ofCancelled = false } = callback;
  const url = address(call.request, body, job) ?? '';
  if (url === '') return;
  const times = Number(call.faults.take('callbacks')?.value ?? 1);
  const isReported = () =>
    around.findJob(wire.name, externalId) === job && (ofCancelled || job.cancelledAtMs === undefined);
  around.callbacks.announce(job, { url, report: () => report(job), isReported, times, at, warn: call.warn });
}

async function work<Body, Job>(
  endpoint: Extract<Endpoint<Body, Job>, { run: unknown }>,
  job: Job,
  { call, around }: { call: Call; around: CallSurroundings },
): Promise<Ending> {
  const { faults, stop } = call;
  if (faults.take('stuck')) {
    await fired(stop);
    return { kind: 'left' };
  }
  if (!endpoint.isAtOnce?.(job)) await around.clock.sleep(around.imageMs, stop);
  const reply = await endpoint.run(job, call);
  // Linked files have taken the fault already; an answer that is the result itself is late as a whole.
  const late = faults.taken.includes('asset-late') ? undefined : faults.take('asset-late');
  if (late) await around.clock.sleep(durationMs(late.value, LATE_MS), stop);
  return { kind: 'reply', reply };
}

/** A job's `latency` is that of its work, so the delay of the answer to its start has a name of its own. */
function latencyOf<Body, Job>(endpoint: Endpoint<Body, Job>): ScenarioName {
  return 'start' in endpoint ? 'start-latency' : 'latency';
}

function overLimit(wire: Wire, refusing: Refusing, { rateWindow }: CallSurroundings): Reply | undefined {
  if (rateWindow.admit()) return undefined;
  return refuse(wire, 'rate-limit', { ...refusing, waitMs: rateWindow.state().resetMs });
}

function accept({ entry }: Exchange, externalId: string, { journal }: CallSurroundings): void {
  entry.accepted = true;
  entry.externalId = externalId;
  journal.touch();
}

/** The story of every call that costs nothing: key, what is asked about, faults, the answer. */
export function serveQuestion<Subject>(
  wire: Wire,
  question: Question<Subject>,
  around: CallSurroundings,
): RequestHandler {
  return serveExchange({ wire, operation: question.operation, around }, async (exchange): Promise<Ending> => {
    const { request, requestId, entry, stop } = exchange;
    wire.checkKey(request, requestId);
    const subject = await question.find(request, requestId);
    const faults = chooseFaults(exchange, question.about(subject), { wire, around });
    exchange.faults = faults;

    const latency = faults.take('latency');
    if (latency) await around.clock.sleep(durationMs(latency.value, 0), stop);
    if (faults.take('reset-before')) return { kind: 'cut' };
    const call = { requestId, request, faults, stop, warn: (sentence: string) => entry.warnings.push(sentence) };
    const refusal = standIn(wire, { ...call, model: entry.model ?? '' });
    if (refusal) return { kind: 'reply', reply: refusal, refused: true };

    const reply = await question.answer(subject, call);
    return faults.take('reset-after') ? { kind: 'cut' } : { kind: 'reply', reply };
  });
}

/** The faults chosen when the job was started go first; then a directive or a rule. */
function chooseFaults(
  { entry }: Exchange,
  about: QuestionFacts,
  { wire, around }: { wire: Wire; around: CallSurroundings },
): Faults {
  const { model, prompt, externalId, jobFaults, body } = about;
  entry.model = model.slice(0, 200);
  entry.prompt = prompt.slice(0, MAX_JOURNAL_PROMPT_CHARS);
  entry.externalId = externalId ?? null;
  entry.request = body === undefined ? null : redact(body);
  const faults = jobFaults
    ? checkFaults(jobFaults)
    : around.chooser.choose({ wire: wire.name, path: entry.path, model, prompt });
  entry.rule = faults.from;
  entry.scenarios = faults.taken;
  entry.warnings.push(...faults.mistakes);
  around.journal.touch();
  return faults;
}
