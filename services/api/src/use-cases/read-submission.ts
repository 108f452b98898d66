import { submissionPath } from '@mediagate/api-contract';
import { type CatalogueEntry, parseSubmissionFields, type RejectedInput, rejected, together } from '@mediagate/catalog';
import {
  type Failure,
  fieldFailure,
  GatewayError,
  type JsonObject,
  type Message,
  message,
  refusedBody,
} from '@mediagate/contracts';
import type { FindModels, OfferedModel, OfferedModels } from '../offered-models';
import { type Caller, requireModel } from './caller';

/** An incident lasts minutes. */
const PAUSED_RETRY_SECONDS = 60;

/** The part of a submission that is read here. */
interface Sent {
  caller: Caller;
  operation: string;
  body: JsonObject;
  faults?: readonly Failure[];
  unsupportedFields?: readonly string[];
}

/**
 * The model, the fields that every submission has, and the model's own. The refusal names all that is wrong with them, after what
 * the route has found.
 */
export function readSubmission(find: FindModels, request: Sent) {
  const { body, caller, operation, unsupportedFields, faults = [] } = request;
  const models = find(request.caller);
  const model = namedModel(models, request, find);
  const isNamed = 'entry' in model;
  if (isNamed) requireModel(caller, model.entry.id);
  const common = parseSubmissionFields(body, isNamed ? model.entry : anyModelOf(models, operation), unsupportedFields);
  const own = isNamed ? model.entry.parse(body) : rejected(model);
  if (isNamed && common.ok && own.ok && faults.length === 0) {
    requireOpen(model);
    return { model, common, own };
  }
  const others = isNamed ? [common, own] : [own, common];
  throw refusalOf([...faults.map((fault) => rejected(fault)), ...others.filter((parsed) => !parsed.ok)]);
}

/** The named model, if this route offers it and a channel serves it; else what is wrong with its name. */
function namedModel(
  models: OfferedModels,
  { body, operation, caller }: Sent,
  find: FindModels,
): OfferedModel | Failure {
  const name = body['model'];
  if (name === undefined || (typeof name === 'string' && name.trim() === '')) {
    return fieldFailure('missing_parameter', 'model', 'model_required', { models: namesFor(models, operation) });
  }
  if (typeof name !== 'string') return fieldFailure('invalid_parameter', 'model', 'must_be_string');
  const found = models.find(name.trim(), operation);
  if (found?.available) return found;
  if (caller.isTest && find().find(name.trim(), operation)?.available) {
    return fieldFailure('test_unavailable', 'model', 'no_test_channel_of_model', { model: excerpt(name) });
  }
  const about = { model: excerpt(name), models: namesFor(models, operation) };
  const path = found === undefined ? pathElsewhere(models, name) : undefined;
  if (path !== undefined) return fieldFailure('unknown_model', 'model', 'model_elsewhere', { ...about, path });
  return fieldFailure('unknown_model', 'model', 'model_unavailable', about);
}

/** A body is judged before: what is wrong with it stays wrong. */
function requireOpen({ isPaused, entry }: OfferedModel): void {
  if (isPaused) throw closedByOperators(entry, message('no_upstream'));
}

/** No channel that can do it takes tasks, for a while. */
export function closedByOperators({ id }: CatalogueEntry, text: Message): GatewayError {
  return new GatewayError('unavailable', text, {
    reason: 'no_upstream',
    retryAfterSeconds: PAUSED_RETRY_SECONDS,
    internal: `operators have closed the channels of ${id} that can do it`,
  });
}

/** Where a model of other routes is submitted: the shortest path is that of its main operation. */
function pathElsewhere(models: OfferedModels, name: string): string | undefined {
  const offered = models.operationsOf(name.trim()).filter(({ available }) => available);
  const paths = offered.flatMap(({ entry }) => submissionPath(entry) ?? []);
  return paths.sort((one, other) => one.length - other.length)[0];
}

function namesFor(models: OfferedModels, operation: string): string {
  const offered = models.all.filter(({ entry, available }) => available && entry.operation === operation);
  return offered.flatMap(({ entry }) => [entry.id, ...entry.aliases]).join(', ');
}

/** Models of one operation read the fields of every submission alike. */
function anyModelOf({ all }: OfferedModels, operation: string): CatalogueEntry {
  const offered = all.find(({ entry }) => entry.operation === operation);
  if (!offered) throw new Error(`the catalogue has no model of ${operation}`);
  return offered.entry;
}

/** @throws GatewayError naming all that is wrong, where something is. */
export function accepted<T extends { ok: true }>(parsed: T | RejectedInput): T {
  if (parsed.ok) return parsed;
  throw refusalOf([parsed]);
}

function refusalOf([first, ...others]: readonly RejectedInput[]): GatewayError {
  const all = first && together([first, ...others]);
  if (all === undefined) throw new Error('a refusal without a fault');
  return refusedBody(all.code, all.failures);
}

/** The beginning of a caller's own text, short enough to be repeated in a message. */
function excerpt(text: string): string {
  return text.trim().slice(0, 64);
}
