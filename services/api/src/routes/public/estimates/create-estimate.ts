import type { KeyOperation, ServedOperation } from '@mediagate/api-contract';
import { isJsonObject, type Json, type JsonObject, refusedBody } from '@mediagate/contracts';
import { dropUnset, readJsonWithFiles } from '../../../http/body/json-body';
import type { BodyWithFiles, Call } from '../../../http/exchange';
import { requireKnownQuery } from '../../../http/fields/known-query';
import type { Handlers, KeyHandler } from '../../../http/route';
import { UPLOAD_JSON_MAX_BYTES } from '../../../request-limits';
import { requireActive, requireFamily, requireTestChannel } from '../../../use-cases/caller';
import { invalid, missing, unreadable } from '../../../use-cases/invalid';
import { meaninglessFields } from '../../../use-cases/strict';

/** Fields unknown to an estimate that its error names, at most. */
const MAX_NAMED = 20;

type Submission = ServedOperation & KeyOperation;

/**
 * POST /v1/estimate: the submission's own handler, which gets the inner body as if it had been sent there and tells the price
 * in place of booking it. What is wrong with that body is worded as there.
 *
 * @param handlers those of the operations, asked for at each call because this one is one of them.
 */
export function createEstimate(operations: readonly ServedOperation[], handlers: () => Handlers): KeyHandler {
  const submissions = operations.filter(isSubmission).map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+?)')}$`),
  }));
  return async (call, api) => {
    requireKnownQuery(call, 'standard');
    const { path, body, files } = await readEstimate(call);
    const found = submissions.find(({ pattern }) => pattern.test(path));
    if (!found) throw invalid('path', 'not_a_submission');
    const { operation, pattern } = found;
    call.wording.errors = operation.errors ?? 'standard';
    if (operation.family !== undefined) requireFamily(call.caller, operation.family);
    requireActive(call.caller);
    if (operation.family !== undefined) requireTestChannel(call.caller, operation.family, api.models);
    if (!isJsonObject(body)) throw unreadable('body_not_object');
    dropUnset(body);
    const { model } = pattern.exec(path)?.groups ?? {};
    if (model !== undefined) call.request.params['model'] = path.slice(path.lastIndexOf('/') + 1);
    const handle = handlers()[operation.entry] as KeyHandler;
    await handle({ ...call, given: { body, files } }, api, operation);
  };
}

function isSubmission(operation: ServedOperation): operation is Submission {
  return operation.auth === 'key' && (operation.parameters ?? []).some(({ name }) => name === 'dry_run');
}

async function readEstimate(call: Call): Promise<{ path: string; body: Json; files: BodyWithFiles['files'] }> {
  const { body: sent, files } = await readJsonWithFiles(call, UPLOAD_JSON_MAX_BYTES);
  const path = requirePath(sent);
  const unknown = meaninglessFields(sent, { properties: { path: {}, body: {} } });
  const [first, ...others] = unknown;
  if (first) throw refusedBody('invalid_request', [first, ...others.slice(0, MAX_NAMED - 1)]);
  const { body } = sent;
  if (body === undefined) throw missing('body', 'required');
  return { path, body, files };
}

function requirePath({ path }: JsonObject): string {
  if (path === undefined) throw missing('path', 'required');
  if (typeof path !== 'string') throw invalid('path', 'must_be_string');
  return path;
}
