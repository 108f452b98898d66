import type { RequestHandler } from 'express';
import { checkFaults, type Faults } from '../faults/chooser';
import { durationMs } from '../faults/scenarios';
import { MAX_JOURNAL_PROMPT_CHARS } from '../journal/journal';
import { redact } from '../journal/redact';
import type { Question, QuestionFacts, Wire } from './contract';
import { type CallSurroundings, type Ending, type Exchange, serveExchange } from './exchange';
import { standIn } from './stand-in';

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
