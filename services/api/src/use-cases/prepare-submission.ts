import {
  type CatalogueEntry,
  type ParsedInput,
  type ParsedSubmissionFields,
  parseSubmissionFields,
  type RejectedInput,
  rejected,
  type SourceTask,
  together,
} from '@mediagate/catalog';
import {
  type Failure,
  failureOf,
  fieldFailure,
  GatewayError,
  isTaskId,
  type JsonObject,
  type Message,
  message,
  oneOfEachField,
  refusedBody,
} from '@mediagate/contracts';
import type { SourceRow } from '@mediagate/tasks';
import type { FindModels, OfferedModel, OfferedModels } from '../offered-models';
import { type Caller, requireModel } from './caller';
import { invalid } from './invalid';
import type { AttachedFiles, LocalFile, MediaGate } from './media-gate';
import { priceTask, type TaskPrice } from './price-task';

export interface PrepareDeps {
  models: FindModels;
  mediaGate: MediaGate;
  /** One of the account's own tasks. */
  findSource(accountId: string, taskId: string): Promise<SourceRow | undefined>;
  /** Why a webhook can never be called; undefined: it can. */
  checkWebhook(url: string): { problem: Message } | undefined;
}

/** What a submission is made of, without the traces of how it was sent. */
export interface PreparedRequest {
  caller: Caller;
  /** The API operation whose models may be named, for example `images.generations`. */
  operation: string;
  body: JsonObject;
  /** What the route found wrong with it already: it is refused for these first, and for what else is wrong. */
  faults?: readonly Failure[];
  /** What would be ignored is refused. */
  strict?: boolean;
  /** Fields of other routes that this one answers with 400. */
  unsupportedFields?: readonly string[];
  /** Files that came with the request, by the URL that stands for each in the body. */
  files?: AttachedFiles;
}

/** A submission that passes all checks which write nothing. */
export interface Prepared {
  entry: CatalogueEntry;
  common: ParsedSubmissionFields;
  /** What the body came to; its files are not stored yet. */
  input: JsonObject;
  /** To be stored. */
  files: LocalFile[];
  price: TaskPrice;
  /** @throws what `priceTask` throws. */
  priceNow(): TaskPrice;
  warnings: readonly Message[];
  source: SourceRow | undefined;
}

/**
 * All that is judged and priced of a submission, without a trace: choose the model, check the parameters, judge the files
 * and whether any channel can carry the task, price it. Estimates are this and no more.
 *
 * @throws GatewayError `invalid_request`, `conflicting_parameters`, `permission`, `not_found` (of the source task), and what
 * `priceTask` throws.
 */
export async function prepare(request: PreparedRequest, deps: PrepareDeps): Promise<Prepared> {
  const { model, common, own } = readBody(deps.models(request.caller), request);
  const { entry, lackOf } = model;
  const { source, ...parsed } = await bindSource(deps, entry, own, request.caller);
  deps.mediaGate.judgePages(entry.pages(parsed.input));
  const { accountId } = request.caller;
  const judged = await deps.mediaGate.judge(parsed.input, entry.media(parsed.input), {
    accountId,
    files: request.files,
  });
  const { input, local: files, outlines } = judged;
  const unfit = entry.checkMedia(input, outlines);
  if (unfit) throw refusedBody('invalid_request', [{ reason: 'bad_media', ...unfit }]);
  const missing = lackOf(input, outlines);
  if (missing) throw uncarried(missing);
  const maxCost = common.maxCost === undefined ? undefined : { amount: common.maxCost, field: 'max_cost' };
  const priceNow = () => priceTask(model, input, maxCost);
  const price = priceNow();
  const warnings = [...common.warnings, ...warnOfWebhook(deps, common.webhook), ...parsed.warnings];
  if (request.strict) requireNothingIgnored(warnings, own.dropped ?? []);
  return { entry, common, input, files, price, priceNow, warnings, source };
}

/** The warnings that something was ignored, as refusals; others tell what was done with a field. */
function requireNothingIgnored(warnings: readonly Message[], dropped: readonly string[]): void {
  const unread = dropped.map((field) => fieldFailure('unsupported_parameter', field, 'meaningless'));
  const [first, ...further] = [...warnings.flatMap(ignoredField), ...unread];
  if (first) throw refusedBody('invalid_request', oneOfEachField([first, ...further]));
}

/** In words that say what is wrong with the field, where the warning has none but that it was ignored. */
function ignoredField({ key, params }: Message): Failure[] {
  const { field, other, values, problem } = params;
  if (!key.startsWith('ignored_') || typeof field !== 'string') return [];
  const refuse = (...about: Parameters<typeof failureOf>[2]) => [failureOf('unsupported_parameter', field, about)];
  switch (key) {
    case 'ignored_unknown':
      return refuse('meaningless');
    case 'ignored_for_problem':
      return refuse('about_field', { problem });
    case 'ignored_not_one_of':
      return refuse('must_be_one_of', { values });
    case 'ignored_without':
    case 'ignored_goes_with':
      return refuse('requires', { other });
    default:
      return refuse('would_be_ignored');
  }
}

type Bound = ParsedInput & { source?: SourceRow };

/** The input with what it needs of the earlier task that it names, if it names one. */
async function bindSource(
  deps: PrepareDeps,
  entry: CatalogueEntry,
  parsed: ParsedInput,
  { accountId, isTest }: Caller,
): Promise<Bound> {
  const reference = entry.source(parsed.input);
  if (!reference) return parsed;
  const { field, taskId } = reference;
  const row = isTaskId(taskId) ? await deps.findSource(accountId, taskId) : undefined;
  if (!row) throw new GatewayError('not_found', message('source_unknown', { field }), { param: field });
  if (row.isTest !== isTest) throw invalid(field, isTest ? 'must_be_test_task' : 'must_not_be_test_task');
  const bound = accept(entry.bindSource(parsed.input, toSourceTask(row)));
  return { ...bound, warnings: [...parsed.warnings, ...bound.warnings], source: row };
}

function toSourceTask({ channelId, protocol, externalId, result, isTest: _, ...task }: SourceRow): SourceTask {
  const upstream =
    channelId === null || protocol === null
      ? {}
      : { upstream: { channelId, protocol, ...(externalId === null ? {} : { externalId }) } };
  return { ...task, ...(result === null ? {} : { result }), ...upstream };
}

/** It never fails the submission, and its delivery is recorded all the same; the caller only learns of it early. */
function warnOfWebhook({ checkWebhook }: PrepareDeps, webhook: string | undefined): Message[] {
  const refusal = webhook === undefined ? undefined : checkWebhook(webhook);
  return refusal ? [message('ignored_for_problem', { field: 'webhook', problem: refusal.problem })] : [];
}

/** The named model, if this route offers it and a channel serves it; else what is wrong with its name. */
function namedModel(models: OfferedModels, { body, operation }: PreparedRequest): OfferedModel | Failure {
  const name = body['model'];
  if (name === undefined || (typeof name === 'string' && name.trim() === '')) {
    return fieldFailure('missing_parameter', 'model', 'model_required', { models: namesFor(models, operation) });
  }
  if (typeof name !== 'string') return fieldFailure('invalid_parameter', 'model', 'must_be_string');
  const found = models.find(name.trim(), operation);
  if (found?.available) return found;
  const about = { model: excerpt(name), models: namesFor(models, operation) };
  return fieldFailure('unknown_model', 'model', 'model_unavailable', about);
}

function namesFor(models: OfferedModels, operation: string): string {
  const offered = models.all.filter(({ entry, available }) => available && entry.operation === operation);
  return offered.flatMap(({ entry }) => [entry.id, ...entry.aliases]).join(', ');
}

/**
 * The model, the fields that every submission has, and the model's own. The refusal names all that is wrong with them, after what
 * the route has found.
 */
function readBody(models: OfferedModels, request: PreparedRequest) {
  const { body, caller, operation, unsupportedFields, faults = [] } = request;
  const model = namedModel(models, request);
  const isNamed = 'entry' in model;
  if (isNamed) requireModel(caller, model.entry.id);
  const common = parseSubmissionFields(body, isNamed ? model.entry : anyModelOf(models, operation), unsupportedFields);
  const own = isNamed ? model.entry.parse(body) : rejected(model);
  if (isNamed && common.ok && own.ok && faults.length === 0) return { model, common, own };
  const others = isNamed ? [common, own] : [own, common];
  throw refusalOf([...faults.map((fault) => rejected(fault)), ...others.filter((parsed) => !parsed.ok)]);
}

/** Models of one operation read the fields of every submission alike. */
function anyModelOf({ all }: OfferedModels, operation: string): CatalogueEntry {
  const offered = all.find(({ entry }) => entry.operation === operation);
  if (!offered) throw new Error(`the catalogue has no model of ${operation}`);
  return offered.entry;
}

function accept<T extends { ok: true }>(parsed: T | RejectedInput): T {
  if (parsed.ok) return parsed;
  throw refusalOf([parsed]);
}

function refusalOf([first, ...others]: readonly RejectedInput[]): GatewayError {
  const all = first && together([first, ...others]);
  if (all === undefined) throw new Error('a refusal without a fault');
  return refusedBody(all.code, all.failures);
}

function uncarried({ param, message }: { param?: string; message: Message }): GatewayError {
  const details = { reason: 'invalid_parameter', ...(param === undefined ? {} : { param }) } as const;
  return new GatewayError('invalid_request', message, details);
}

/** What a message may repeat of a caller's own text. */
function excerpt(text: string): string {
  return text.trim().slice(0, 64);
}
