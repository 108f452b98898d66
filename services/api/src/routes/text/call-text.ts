import { GatewayError } from '@mediagate/contracts';
import type { Request } from 'express';
import type { Call } from '../../http/exchange';
import type { Bucket } from '../../http/rate-limit';
import type { Shutdown } from '../../http/shutdown';
import type { OfferedModel, OfferedModels } from '../../offered-models';
import { type Caller, requireModel } from '../../use-cases/caller';
import { answerText } from '../../use-cases/text/answer-text';
import { type GenerateDeps, generate } from '../../use-cases/text/generate';
import { textError } from '../../use-cases/text/text-failure';
import { streamFraming, wholeFraming } from './framing';
import { openTextWriter } from './open-text-writer';
import { createSendStream, createSendWhole, type SendAnswer } from './send-answer';
import { readTarget, type TextTarget } from './target';
import { readTextBody } from './text-body';

export interface CallTextDeps extends GenerateDeps {
  models(): OfferedModels;
  shutdown: Readonly<Shutdown>;
}

export const TEXT_OPERATION = 'text.generate';

/**
 * POST …/models/{model}:{method}, in the vendor's own words.
 *
 * @param wrapped answers stand within `{code, data}`.
 */
export function createCallText(deps: CallTextDeps, { wrapped }: { wrapped: boolean }): (call: Call) => Promise<void> {
  const whole = createSendWhole(wholeFraming(wrapped));
  const events = createSendStream(streamFraming({ wrapped, sse: true }));
  const array = createSendStream(streamFraming({ wrapped, sse: false }));

  function senderOf({ method }: TextTarget, request: Request): SendAnswer {
    if (method !== 'streamGenerateContent') return whole;
    return request.query['alt'] === 'sse' ? events : array;
  }

  return async (call) => {
    const { request, response: connection, caller, requestId } = call;
    const target = readTarget(String(request.params['call']));
    const offered = chooseModel(deps.models(), target.model, caller);
    if (!deps.textChannels.serves(offered.entry.id)) throw textError(undefined);
    const body = await readTextBody(call);
    const writer = openTextWriter(call, senderOf(target, request), deps.shutdown);
    const { method } = target;
    if (method !== 'countTokens') {
      return generate({ caller, requestId, request, connection, writer, offered, method, body }, deps);
    }
    // Free: nothing is reserved, and there is no task.
    const question = { model: offered.entry.id, method, body: body.bytes, promptTokens: () => 0 };
    const { error } = await answerText(writer, question, deps);
    if (error !== undefined) throw error;
  };
}

/** Counting is reading: it must not use up what a key may submit. */
export function bucketOf(request: Request): Bucket {
  return String(request.params['call']).endsWith(':countTokens') ? 'query' : 'submit';
}

function chooseModel(models: OfferedModels, name: string, caller: Caller): OfferedModel {
  const offered = models.find(name, TEXT_OPERATION);
  if (!offered) {
    const known = models.all.filter(({ entry }) => entry.operation === TEXT_OPERATION).map(({ entry }) => entry.id);
    throw new GatewayError('not_found', `There is no such model; use one of ${known.join(', ')}.`, {
      reason: 'unknown_model',
    });
  }
  requireModel(caller, offered.entry.id);
  return offered;
}
