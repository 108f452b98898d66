import type { EarlierSubmission, KeyedRequest, Shortage } from '@mediagate/billing';
import {
  type CatalogueEntry,
  type ModeratedContent,
  type ParsedInput,
  parseSubmissionFields,
  type RejectedInput,
  type SourceTask,
  together,
} from '@mediagate/catalog';
import {
  fieldFailure,
  GatewayError,
  isTaskId,
  type JsonObject,
  type Message,
  message,
  refusedBody,
  type TaskId,
} from '@mediagate/contracts';
import type { SourceRow } from '@mediagate/tasks';
import type { OfferedModel, OfferedModels } from '../offered-models';
import { type Booked, type BookTask, insufficient } from './book-task';
import type { Caller } from './caller';
import type { CallerConnection } from './caller-connection';
import { chooseModel } from './choose-model';
import type { EnqueueTask } from './enqueue-task';
import type { Idempotency } from './idempotency';
import { invalid, missing } from './invalid';
import { requireWithinMaxCost } from './max-cost';
import type { AttachedFiles, MediaGate } from './media-gate';

export interface SubmitTaskDeps {
  models(): OfferedModels;
  mediaGate: MediaGate;
  /** One of the account's own tasks. */
  findSource(accountId: string, taskId: string): Promise<SourceRow | undefined>;
  /** @throws GatewayError when the content may not be used, or nobody could say. */
  reviewContent(content: ModeratedContent): Promise<void>;
  bookTask: BookTask;
  findEarlier(request: KeyedRequest): Promise<EarlierSubmission | undefined>;
  /** Whose money would not do; undefined: it looks as if it would. */
  findShortage(keyId: string, amountNano: bigint): Promise<Shortage | undefined>;
  /** What can be said now against ever calling a webhook; undefined: nothing. */
  checkWebhook(url: string): { problem: Message } | undefined;
  enqueueTask: EnqueueTask;
}

export interface SubmitRequest {
  caller: Caller;
  requestId: string;
  /** The API operation whose models may be named, for example `images.generations`. */
  operation: string;
  body: JsonObject;
  /** Fields of other routes that this one answers with 400. */
  unsupportedFields?: readonly string[];
  /** Files that came with the request, by the URL that stands for each in the body. */
  files?: AttachedFiles;
  idempotency: Idempotency | undefined;
  /** Where the caller waits for the answer itself. */
  connection?: CallerConnection;
}

export interface Acknowledgement {
  taskId: TaskId;
  warnings: readonly Message[];
  /** The same request was accepted before; this is its task. */
  replayed: boolean;
  /** What the body came to; not of a repetition. */
  input?: JsonObject;
}

/**
 * A submission from its body to its acknowledgement: choose the model, check the parameters, judge the files and whether
 * any channel can carry the task, have the content reviewed where that is asked for, price, then book everything in one statement. Nothing is written, not even a file, before all of that has succeeded and there is
 * money for it. A repetition is answered from the books at once: what it names may have gone since, and costs nothing.
 *
 * @throws GatewayError `invalid_request`, `conflicting_parameters`, `upstream_unreachable` (no review could be had), `permission`, `insufficient_balance`,
 * `not_found` (of the source task), `idempotency_conflict`, `authentication` (the key was revoked meanwhile).
 */
export function createSubmitTask(deps: SubmitTaskDeps): (request: SubmitRequest) => Promise<Acknowledgement> {
  return async (request) => {
    const { caller, idempotency } = request;
    const earlier = await findEarlier(deps, request);
    if (earlier) return earlier;

    const { entry, ratesOf, lackOf } = namedModel(deps.models(), request);
    const { common, own } = readBody(entry, request);
    const { source, ...parsed } = await bindSource(deps, entry, own, caller);
    deps.mediaGate.judgePages(entry.pages(parsed.input));
    const { local: files, outlines } = await deps.mediaGate.judge(
      parsed.input,
      entry.media(parsed.input),
      request.files,
    );
    const missing = lackOf(parsed.input, outlines);
    if (missing) throw uncarried(missing);
    const rates = ratesOf(parsed.input);
    const reservedNano = entry.reserve(parsed.input, rates);
    requireWithinMaxCost(reservedNano, common.maxCost);
    const content = entry.moderate(parsed.input);
    if (content) await deps.reviewContent(deps.mediaGate.show(content, request.files));
    const shortOf = files.length > 0 ? await deps.findShortage(caller.id, reservedNano) : undefined;
    if (shortOf) return refuseUnpaid(deps, request, { ...shortOf, requiredNano: reservedNano });
    const input = await deps.mediaGate.store(parsed.input, files, caller);

    const warnings = [...common.warnings, ...warnOfWebhook(deps, common.webhook), ...parsed.warnings];
    const booked = await deps.bookTask({
      caller,
      entry,
      input,
      rates,
      warnings,
      requestId: request.requestId,
      reservedNano,
      ...(common.webhook === undefined ? {} : { webhook: common.webhook }),
      ...(common.language === undefined ? {} : { language: common.language }),
      ...(common.metadata === undefined ? {} : { metadata: common.metadata }),
      ...(common.expiresInSeconds === undefined ? {} : { expiresInSeconds: common.expiresInSeconds }),
      ...(source === undefined ? {} : { parentTaskId: source.id }),
      ...(source !== undefined && entry.continuesSource ? { continuesParent: true as const } : {}),
      ...(idempotency ? { idempotency } : {}),
      ...(request.connection === undefined ? {} : { connection: request.connection }),
    });
    if (booked.kind === 'accepted') deps.enqueueTask(entry.family, booked.taskId);
    return toAcknowledgement(booked, warnings, input);
  };
}

type Bound = ParsedInput & { source?: SourceRow };

/** The input with what it needs of the earlier task that it names, if it names one. */
async function bindSource(
  deps: SubmitTaskDeps,
  entry: CatalogueEntry,
  parsed: ParsedInput,
  { accountId }: Caller,
): Promise<Bound> {
  const reference = entry.source(parsed.input);
  if (!reference) return parsed;
  const { field, taskId } = reference;
  const row = isTaskId(taskId) ? await deps.findSource(accountId, taskId) : undefined;
  if (!row) throw new GatewayError('not_found', message('source_unknown', { field }), { param: field });
  const bound = accept(entry.bindSource(parsed.input, toSourceTask(row)));
  return { ...bound, warnings: [...parsed.warnings, ...bound.warnings], source: row };
}

function toSourceTask({ channelId, protocol, externalId, result, ...task }: SourceRow): SourceTask {
  const upstream =
    channelId === null || protocol === null
      ? {}
      : { upstream: { channelId, protocol, ...(externalId === null ? {} : { externalId }) } };
  return { ...task, ...(result === null ? {} : { result }), ...upstream };
}

/** It never fails the submission, and its delivery is recorded all the same; the caller is only told early. */
function warnOfWebhook({ checkWebhook }: SubmitTaskDeps, webhook: string | undefined): Message[] {
  const refusal = webhook === undefined ? undefined : checkWebhook(webhook);
  return refusal ? [message('ignored_for_problem', { field: 'webhook', problem: refusal.problem })] : [];
}

/** The named model, if this route offers it, a channel serves it and the key may use it. */
function namedModel(models: OfferedModels, { body, operation, caller }: SubmitRequest): OfferedModel {
  const name = body['model'];
  if (name === undefined || (typeof name === 'string' && name.trim() === '')) {
    throw missing('model', 'model_required', { models: namesFor(models, operation) });
  }
  if (typeof name !== 'string') throw invalid('model', 'must_be_string');
  const found = models.find(name.trim(), operation);
  return chooseModel(found?.available ? found : undefined, caller, () => {
    const about = { model: excerpt(name), models: namesFor(models, operation) };
    return refusedBody('invalid_request', [fieldFailure('unknown_model', 'model', 'model_unavailable', about)]);
  });
}

function namesFor(models: OfferedModels, operation: string): string {
  const offered = models.all.filter(({ entry, available }) => available && entry.operation === operation);
  return offered.flatMap(({ entry }) => [entry.id, ...entry.aliases]).join(', ');
}

async function findEarlier(
  deps: SubmitTaskDeps,
  { caller, idempotency }: SubmitRequest,
): Promise<Acknowledgement | undefined> {
  if (!idempotency) return undefined;
  const earlier = await deps.findEarlier({ keyId: caller.id, ...idempotency });
  return earlier && toRepetition(earlier);
}

/** Unless it was this request's own twin, a moment ago, that spent the last of the money. */
async function refuseUnpaid(
  deps: SubmitTaskDeps,
  request: SubmitRequest,
  shortage: Shortage & { requiredNano: bigint },
): Promise<Acknowledgement> {
  const twin = await findEarlier(deps, request);
  if (twin) return twin;
  throw insufficient(shortage);
}

function toRepetition(earlier: EarlierSubmission): Acknowledgement {
  if (earlier.kind === 'replayed') return { taskId: earlier.taskId, warnings: earlier.warnings, replayed: true };
  throw new GatewayError('idempotency_conflict', message('idempotency_key_reused'));
}

function toAcknowledgement(booked: Booked, warnings: readonly Message[], input: JsonObject): Acknowledgement {
  if (booked.kind !== 'accepted') return toRepetition(booked);
  return { taskId: booked.taskId, warnings, replayed: false, input };
}

/** The fields that every submission has, and the model's own; of both, all that is wrong is told at once. */
function readBody(entry: CatalogueEntry, { body, unsupportedFields }: SubmitRequest) {
  const common = parseSubmissionFields(body, entry, unsupportedFields);
  const own = entry.parse(body);
  if (common.ok && own.ok) return { common, own };
  throw refusalOf([common, own].filter((parsed) => !parsed.ok));
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
