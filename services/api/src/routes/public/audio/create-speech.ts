import { GatewayError, type JsonObject, message, type SpeechFormat } from '@mediagate/contracts';
import { discloseModel } from '../../../http/answers/ai-disclosure';
import { readJsonObject } from '../../../http/body/json-body';
import type { Call } from '../../../http/exchange';
import type { KeyHandler } from '../../../http/route';
import { estimateTask } from '../../../use-cases/estimate-task';
import { readIdempotency } from '../../../use-cases/idempotency';
import type { SlotQueue } from '../../../use-cases/slot-queue';
import type { Speeches } from '../../../use-cases/speech/speeches';
import { isStrict } from '../../../use-cases/strict';
import { type Acknowledgement, type SubmitRequest, submitTask } from '../../../use-cases/submit-task';
import { isDryRun, sendEstimate } from '../estimates/dry-run';
import { openAudioAnswer } from './audio-answer';

const SPEECH_OPERATION = 'audio.speech';
/** Whoever waits for the answer may hang up. */
const UNSUPPORTED_FIELDS = ['expires_in'];

/**
 * POST /v1/audio/speech, and the same under `/openai`: the answer is the audio itself, as it is made.
 *
 * @param readOptions reads, or refuses, what only the route's own clients send.
 */
export function createSpeech(readOptions: (body: JsonObject) => void = () => undefined): KeyHandler {
  return async (call, api, { path }) => {
    const { caller, requestId } = call;
    const body = await readJsonObject(call);
    readOptions(body);
    const idempotency = readIdempotency(call.request, path, body);
    const unsupportedFields = UNSUPPORTED_FIELDS;
    const strict = isStrict(call.request);
    const submission = { caller, requestId, operation: SPEECH_OPERATION, body, unsupportedFields, strict, idempotency };
    if (isDryRun(call)) return sendEstimate(call, await estimateTask(api, submission));
    await speak(call, api, (heard) => submitTask(api, { ...submission, ...heard }));
  };
}

type Submit = (heard: Required<Pick<SubmitRequest, 'connection' | 'listener'>>) => Promise<Acknowledgement>;

/** Books the speech in a slot, and passes it on to its caller. */
export async function speak(
  call: Call,
  { speeches, slots }: { speeches: Pick<Speeches, 'takeSlot'>; slots: Pick<SlotQueue, 'freed'> },
  submit: Submit,
): Promise<void> {
  const { caller, response } = call;
  const slot = speeches.takeSlot(caller);
  try {
    const accepted = await submit({ connection: response, listener: slot.listener });
    response.setHeader('X-Task-Id', accepted.taskId);
    if (accepted.begun === undefined) throw spoken();
    discloseModel(response, accepted.begun.model);
    try {
      const writable = openAudioAnswer(call, formatOf(accepted.begun.input));
      await slot.deliver(accepted.taskId, { accountId: caller.accountId, writable, timers: call.scope });
    } finally {
      slots.freed({ keyId: caller.id, family: 'tts' });
    }
  } finally {
    slot.leave();
  }
}

/** The model's schema has put it there, in its own spelling. */
function formatOf(input: JsonObject): SpeechFormat {
  return input['response_format'] as SpeechFormat;
}

function spoken(): GatewayError {
  return new GatewayError('idempotency_conflict', message('idempotency_audio_not_kept'));
}
