import { GatewayError, type JsonObject, type SpeechFormat } from '@mediagate/contracts';
import type { Call } from '../../http/exchange';
import { readJsonObject } from '../../http/json-body';
import type { OfferedModels } from '../../offered-models';
import { PARAMETERS_MAX_BYTES } from '../../request-limits';
import { readIdempotency } from '../../use-cases/idempotency';
import type { Speeches } from '../../use-cases/speeches';
import type { Acknowledgement, SubmitRequest } from '../../use-cases/submit-task';
import { openAudioAnswer } from './audio-answer';

const SPEECH_OPERATION = 'audio.speech';
const PATH = '/v1/audio/speech';

export interface SpeechRouteDeps {
  models(): OfferedModels;
  submitTask(request: SubmitRequest): Promise<Acknowledgement>;
  speeches: Pick<Speeches, 'takePlace'>;
}

/** POST /v1/audio/speech: the answer is the audio itself, as it is made. */
export function createSpeech({ models, submitTask, speeches }: SpeechRouteDeps): (call: Call) => Promise<void> {
  return async (call) => {
    const { caller, requestId, response } = call;
    const body = await readJsonObject(call, PARAMETERS_MAX_BYTES);
    const idempotency = readIdempotency(call.request, PATH, body);
    const place = speeches.takePlace();
    try {
      const accepted = await submitTask({ caller, requestId, operation: SPEECH_OPERATION, body, idempotency });
      response.setHeader('X-Task-Id', accepted.taskId);
      if (accepted.replayed) throw spoken();
      await place.deliver(accepted.taskId, openAudioAnswer(response, formatOf(body, models())));
    } finally {
      place.leave();
    }
  };
}

/** Of a body that was accepted. Letter case and what holds where nothing is said are the model's business. */
function formatOf(body: JsonObject, models: OfferedModels): SpeechFormat {
  const entry = models.find(String(body['model']).trim(), SPEECH_OPERATION)?.entry;
  const parsed = entry?.parse(body);
  if (!entry || !parsed?.ok) throw new Error('a body that was accepted cannot be read');
  return entry.request(parsed.input, [])['format'] as SpeechFormat;
}

function spoken(): GatewayError {
  const message = 'This Idempotency-Key was used before, and audio is not kept: it cannot be sent again.';
  return new GatewayError('idempotency_conflict', message);
}
