import type { CallMade } from '@mediagate/billing';
import {
  GatewayError,
  type JsonObject,
  message,
  type Owner,
  type TaskFailureReason,
  type Usage,
} from '@mediagate/contracts';
import { inSpan, isTraced, markEvent } from '@mediagate/host';
import type { Channel } from '@mediagate/settings';
import type { TextMethod } from '@mediagate/upstreams';
import { TEXT_IDLE_TIMEOUT_MS, TEXT_TOTAL_TIMEOUT_MS } from '../../request-limits';
import { type CallerWatch, CutOffError, GONE_DETAILS, type Gone, goneError, reasonOf } from '../caller-connection';
import type { BilledModel, CallUnderWay, TextChannels, TextReply } from './text-channels';
import { failureReason, textError } from './text-failure';
import type { TextWriter } from './text-writer';
import { createTokenMeter, type TokenMeter } from './token-meter';

export interface TextQuestion {
  /** Public id of the model. */
  model: string;
  owner: Owner;
  method: TextMethod;
  parallelToolCalls?: boolean | undefined;
  body: Buffer;
  /** The body, parsed. */
  json: JsonObject;
  /** Estimated. */
  promptTokens(): number;
  /** Called when more is known. `outcome` may be asked at any moment: it is the text's outcome if this process ends then. */
  onProgress?(outcome: () => TextOutcome): void;
}

export interface AnswerTextDeps {
  textChannels: TextChannels;
  /** How long a vendor that was asked is waited for after the caller has left. */
  lingerMs: number;
}

/** The outcome of a question, for the books and for the caller. */
export interface TextOutcome {
  /** Undefined: nothing is to be paid, because of `reason`. */
  usage: Usage | undefined;
  reason: TaskFailureReason;
  /** Calls to the channels, in order; only the last can be paid for or in doubt. Undefined: nobody knows of any. */
  calls: CallMade[] | undefined;
  /** Costs of the last call's channel; undefined: unknown. */
  costs?: Channel['costs'];
  /** The model that the answer is billed as; absent: the one that was asked. */
  billed?: BilledModel;
  /** Undefined: the answer was sent whole. */
  error: unknown;
}

/** Puts the question to the model's channels and sends what one of them answers to the caller. Throws only what is a bug. */
export async function answerText(
  writer: TextWriter,
  question: TextQuestion,
  { textChannels: channels, lingerMs }: AnswerTextDeps,
): Promise<TextOutcome> {
  const { model, owner, method, parallelToolCalls, body, json } = question;
  const watch = writer.watch({ idleMs: TEXT_IDLE_TIMEOUT_MS, totalMs: TEXT_TOTAL_TIMEOUT_MS });
  try {
    // The array of pieces that callers may ask for is made here, out of the same events.
    const sse = method === 'streamGenerateContent';
    const { signal } = watch;
    const reply = await channels.call({
      model,
      owner,
      method,
      parallelToolCalls,
      sse,
      body,
      json,
      signal,
      onStep(step, { refused, underWay }) {
        // A request that was not sent costs nothing, nor does a count of tokens.
        watch.linger(step === 'sent' && method !== 'countTokens' ? lingerMs : 0);
        question.onProgress?.(() => {
          const gone = watch.gone() ?? 'internal_error';
          return unanswered(question, step === 'sent' ? [...refused, lostCall(underWay, gone)] : refused, gone);
        });
      },
      isAwaited: () => !signal.aborted && watch.gone() === undefined,
    });
    if (reply.kind === 'answer') return await passOn(writer, reply, { question, watch, channels });
    const { fault, refused: calls } = reply;
    const gone = watch.gone();
    if (gone !== undefined) return unanswered(question, calls, gone);
    return { usage: undefined, reason: failureReason(fault), calls, error: textError(fault) };
  } finally {
    watch.end();
  }
}

/** Whoever has left, or is cut off, before the answer began. */
function unanswered(question: TextQuestion, calls: readonly CallMade[], gone: Gone): TextOutcome {
  const isAsked = calls.at(-1)?.state === 'unknown';
  const usage = isAsked ? sentAlone(question, gone) : undefined;
  return { usage, reason: reasonOf(gone), calls: withUsage(calls, usage), error: goneError(gone) };
}

function lostCall(underWay: CallUnderWay, gone: Gone): CallMade {
  return { ...underWay, endedAt: performance.now(), state: 'unknown', detail: GONE_DETAILS[gone] };
}

type Answered = Extract<TextReply, { kind: 'answer' }>;

interface Asked {
  question: TextQuestion;
  watch: CallerWatch;
  channels: TextChannels;
}

async function passOn(
  writer: TextWriter,
  { answer, channel, brokeOff, leaveSlot, ...reply }: Answered,
  { question, watch, channels }: Asked,
): Promise<TextOutcome> {
  const isStream = question.method === 'streamGenerateContent';
  // A whole answer says at its end what it used; each event of a stream says it of all that came before.
  const meter = createTokenMeter(question.promptTokens, () => isStream && watch.linger(0));
  const passing: Passing = { ...reply, channel, question, channels, meter };
  question.onProgress?.(() => outcomeOf(passing, { broken: CUT_OFF, gone: watch.gone() ?? 'internal_error' }));
  const broken = await traceStream(channel.id, () => writer.send(answer, meter)).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  answer.body.close();
  leaveSlot();
  // Neither who left, nor our own end and limits, of time and of memory, say anything of the channel.
  if (broken !== undefined && !watch.signal.aborted && !(broken.error instanceof GatewayError)) brokeOff();
  if (broken !== undefined && writer.begun) await writer.flushed();
  const outcome = outcomeOf(passing, { broken, gone: watch.gone() });
  if (outcome.billed !== undefined) channels.reportOther(channel, question.model, outcome.billed);
  return outcome;
}

interface Passing extends Pick<Answered, 'channel' | 'underWay' | 'refused'>, Pick<Asked, 'question' | 'channels'> {
  meter: TokenMeter;
}

/** How an answer ended that had begun. */
interface PassedOn {
  broken: { error: unknown } | undefined;
  gone: Gone | undefined;
}

const CUT_OFF = { error: new CutOffError() };

function outcomeOf(
  { channel, underWay, refused, question, channels, meter }: Passing,
  { broken, gone }: PassedOn,
): TextOutcome {
  // An answer that is only sent whole has no usage before that: nobody has it yet, and it reports its usage at its end.
  const isWhole = broken === undefined;
  const isStream = question.method === 'streamGenerateContent';
  const measured = isWhole || isStream ? meter.usage(isWhole ? 'whole' : 'broken') : undefined;
  const billed = channels.billedAs(channel, question.model, meter.answeredBy());
  const usage = measured ?? sentAlone(question, gone);
  const made: CallMade = {
    ...underWay,
    endedAt: performance.now(),
    state: isWhole ? 'succeeded' : 'unknown',
    ...(usage === undefined ? {} : { usage }),
    ...requestIdsOf(meter),
    ...wordsOn(broken, gone, billed),
  };
  return {
    usage,
    reason: gone === undefined ? 'outcome_unknown' : reasonOf(gone),
    calls: [...refused, made],
    costs: channel.costs,
    billed,
    error: broken && (gone === undefined ? toGatewayError(broken.error) : goneError(gone)),
  };
}

function requestIdsOf(meter: TokenMeter): Pick<CallMade, 'requestIds'> {
  const id = meter.responseId();
  return id === undefined ? {} : { requestIds: [id] };
}

/** One who left pays for what was sent, where nobody learns what was used; not where this process ends. */
function sentAlone({ method, promptTokens }: TextQuestion, gone: Gone | undefined): Usage | undefined {
  if (gone === undefined || gone === 'internal_error' || method === 'countTokens') return undefined;
  return { inputTokens: promptTokens(), outputTokens: 0 };
}

function withUsage(calls: readonly CallMade[], usage: Usage | undefined): CallMade[] {
  if (usage === undefined) return [...calls];
  return calls.map((call, index) => (index === calls.length - 1 ? { ...call, usage } : call));
}

/** An answer begins with its first byte. */
function traceStream(channelId: string, send: () => Promise<void>): Promise<void> {
  if (!isTraced()) return send();
  markEvent('first_byte');
  return inSpan('text.stream', { attributes: () => ({ 'mediagate.channel': channelId }) }, send);
}

/** The words on a call that operators read beside its figures. */
function wordsOn(
  broken: { error: unknown } | undefined,
  gone: Gone | undefined,
  { other }: BilledModel,
): Pick<CallMade, 'detail' | 'fault'> {
  if (broken === undefined) return other === undefined ? {} : { detail: `answered by ${other}` };
  return gone === undefined
    ? { detail: detailOf(broken.error), fault: 'outcome_unknown' }
    : { detail: GONE_DETAILS[gone] };
}

function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  return new GatewayError('upstream_unreachable', message('model_broke_off'), {
    reason: 'outcome_unknown',
    internal: 'the answer of the upstream was cut or cannot be read',
    cause: error,
  });
}

function detailOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 500) : 'unknown';
}
