import { failureOf, type Json, type JsonObject, message, type Reason, refuseAll } from '@mediagate/contracts';
import { type Language, preferredLanguage, say, toLanguage } from '@mediagate/languages';
import { readJsonObject } from '../../../http/body/json-body';
import { sendJson } from '../../../http/exchange';
import type { KeyHandler } from '../../../http/route';
import { BATCH_MAX_TASKS } from '../../../request-limits';
import { invalid, missing } from '../../../use-cases/invalid';
import { describeTask, readOwnTask } from './get-task';

/** POST /v1/tasks/batch: up to `BATCH_MAX_TASKS` records in the order asked for, each one found or not on its own. */
export const getTasks: KeyHandler = async (call, api) => {
  const body = await readJsonObject(call);
  const ids = readIds(body);
  const language = body['language'] as string | undefined;
  const preferred = toLanguage(language) ?? preferredLanguage(call.request.headers['accept-language']);
  const data = await Promise.all(
    ids.map(async (id) => {
      const row = await readOwnTask(api.tasks, id, call.caller);
      return row ? describeTask(row, language, api) : notFound(id, preferred);
    }),
  );
  sendJson(call.response, 200, { code: 200, data });
};

function readIds(body: JsonObject): string[] {
  const field = body['task_ids'] === undefined && body['ids'] !== undefined ? 'ids' : 'task_ids';
  const ids = body[field];
  if (!Array.isArray(ids) || ids.length === 0 || ids.length > BATCH_MAX_TASKS) {
    throw (ids === undefined ? missing : invalid)(field, 'task_ids_expected', { limit: BATCH_MAX_TASKS });
  }
  const strings: [param: string, value: Json | undefined][] = ids.map((id, index) => [`${field}[${index}]`, id]);
  strings.push(['language', body['language'] ?? '']);
  const failures = strings
    .filter(([, value]) => typeof value !== 'string')
    .map(([param]) => failureOf('invalid_parameter', param, ['must_be_string']));
  refuseAll(failures);
  return ids as string[];
}

function notFound(id: string, language: Language): object {
  const error = {
    code: 404,
    message: say(message('task_not_found'), language),
    type: 'not_found',
    reason: 'not_found' satisfies Reason,
  };
  return { id, status: 'not_found', error };
}
