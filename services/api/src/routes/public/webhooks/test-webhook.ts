import { type TestedCallback, testCallback } from '@mediagate/callbacks';
import { say } from '@mediagate/languages';
import type { Response } from 'express';
import { answerLanguage } from '../../../http/answers/answer-language';
import { readJsonObject } from '../../../http/body/json-body';
import { sendJson } from '../../../http/exchange';
import type { KeyHandler } from '../../../http/route';
import { invalid, missing } from '../../../use-cases/invalid';

/** POST /v1/webhooks/test: whatever becomes of the callback is an answer of 200. */
export const testWebhook: KeyHandler = async (call, { callbacks }) => {
  const { url } = await readJsonObject(call);
  if (url === undefined) throw missing('url', 'required');
  if (typeof url !== 'string') throw invalid('url', 'must_be_string');
  if (url.trim() === '') throw missing('url', 'required');
  const { delivered, status, durationMs, ...why } = await testCallback(callbacks, call.caller.accountId, url);
  const error = explain(why, call.response);
  sendJson(call.response, 200, { code: 200, data: { delivered, status, error, duration_ms: durationMs } });
};

/** The reason, a word for programs, with its meaning in the language of the answer. */
function explain({ reason, problem }: Pick<TestedCallback, 'reason' | 'problem'>, response: Response): string | null {
  return problem === undefined ? reason : `${reason}: ${say(problem, answerLanguage(response))}`;
}
