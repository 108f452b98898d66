import { withExemption } from '@mediagate/callbacks';
import type { CatalogueEntry, ParsedInput, ParsedSubmissionFields, SourceTask } from '@mediagate/catalog';
import {
  type Failure,
  GatewayError,
  isTaskId,
  type JsonObject,
  type Message,
  message,
  refusedBody,
} from '@mediagate/contracts';
import type { SourceRow } from '@mediagate/tasks';
import type { FileOutline } from '@mediagate/upstreams';
import type { Api } from '../api';
import type { OfferedModel } from '../offered-models';
import type { Caller } from './caller';
import { invalid } from './invalid';
import { type AttachedFiles, judgeFiles, judgePages, type LocalFile } from './media-gate';
import { priceTask, type TaskPrice } from './price-task';
import { accepted, closedByOperators, readSubmission } from './read-submission';
import { requireNothingIgnored } from './strict';

/** The part of `Api` that judges and prices a submission. */
export type Preparing = Pick<
  Api,
  'catalogue' | 'database' | 'models' | 'callbacks' | 'client' | 'maxImageBytes' | 'mediaStore' | 'prober'
>;

/** The parts of a submission, however it was sent. */
export interface PreparedRequest {
  caller: Caller;
  /** The API operation whose models may be named, for example `images.generations`. */
  operation: string;
  body: JsonObject;
  /** Faults that the route has found already; the refusal names them first, and then all others. */
  faults?: readonly Failure[];
  /** Refuses fields that would else be ignored. */
  strict?: boolean;
  /** Nothing is booked, so what is judged for it yields to what is paid for. */
  isEstimate?: boolean;
  /** Fields of other routes that this one answers with 400. */
  unsupportedFields?: readonly string[];
  /** Files that came with the request, by the URL that stands for each in the body. */
  files?: AttachedFiles;
}

/** A submission that passes all checks which write nothing. */
export interface Prepared {
  entry: CatalogueEntry;
  common: ParsedSubmissionFields;
  /** The input that the body gave; its files are not stored yet. */
  input: JsonObject;
  /** Files that have to be stored. */
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
export async function prepare(request: PreparedRequest, api: Preparing): Promise<Prepared> {
  const { model, common, own } = readSubmission(api.models, request);
  const { entry } = model;
  const { source, ...parsed } = await bindSource(api, entry, own, request.caller);
  judgePages(api, entry.pages(parsed.input));
  const { caller, files: attached, isEstimate = false } = request;
  const owner = { ...caller, isTest: caller.isTest || isEstimate };
  const references = entry.media(parsed.input);
  const judged = await judgeFiles(api, { input: parsed.input, references, owner, files: attached });
  const { input, local: files, outlines } = judged;
  const unfit = entry.checkMedia(input, outlines);
  if (unfit) throw refusedBody('invalid_request', [{ reason: 'bad_media', ...unfit }]);
  requireCarried(model, input, outlines);
  const maxCost = common.maxCost === undefined ? undefined : { amount: common.maxCost, field: 'max_cost' };
  const priceNow = () => priceTask(model, input, maxCost);
  const price = priceNow();
  const warnings = [...common.warnings, ...warnOfWebhook(api, common.webhook), ...parsed.warnings];
  if (request.strict) requireNothingIgnored(warnings, own.dropped ?? []);
  return { entry, common, input, files, price, priceNow, warnings, source };
}

type Bound = ParsedInput & { source?: SourceRow };

/** The input with the data that it needs from the earlier task, if it names one. */
async function bindSource(api: Preparing, entry: CatalogueEntry, parsed: ParsedInput, caller: Caller): Promise<Bound> {
  const reference = entry.source(parsed.input);
  if (!reference) return parsed;
  const { field, taskId } = reference;
  const [row] = isTaskId(taskId) ? await api.database.findSourceTask(caller, taskId) : [];
  if (!row) throw new GatewayError('not_found', message('source_unknown', { field }), { param: field });
  if (row.isTest !== caller.isTest) throw invalid(field, caller.isTest ? 'must_be_test_task' : 'must_not_be_test_task');
  const bound = accepted(entry.bindSource(parsed.input, toSourceTask(row, api)));
  return { ...bound, warnings: [...parsed.warnings, ...bound.warnings], source: row };
}

function toSourceTask(
  { channelId, protocol, externalId, result, isTest: _, ...task }: SourceRow,
  { catalogue }: Preparing,
): SourceTask {
  const entry = catalogue.entries.find(({ id, operation }) => id === task.model && operation === task.operation);
  const callersPart = entry?.callersPart(task.input);
  const upstream =
    channelId === null || protocol === null
      ? {}
      : { upstream: { channelId, protocol, ...(externalId === null ? {} : { externalId }) } };
  return { ...task, ...(callersPart && { callersPart }), ...(result === null ? {} : { result }), ...upstream };
}

/** It never fails the submission, and its delivery is recorded all the same; the caller only learns of it early. */
function warnOfWebhook({ callbacks }: Preparing, webhook: string | undefined): Message[] {
  const refusal = webhook === undefined ? undefined : callbacks.rules().client.checkUrl(webhook);
  if (webhook === undefined || refusal === undefined) return [];
  const problem = withExemption(refusal.problem, { url: webhook, reason: refusal.reason });
  return [message('ignored_for_problem', { field: 'webhook', problem })];
}

/** Whatever some channel can carry is right: where operators have closed it, the caller only has to wait. */
function requireCarried({ lackOf, lackNow, entry }: OfferedModel, input: JsonObject, files: readonly FileOutline[]) {
  const missing = lackOf(input, files);
  if (missing) throw uncarried(missing);
  const problem = lackNow?.(input, files)?.message;
  if (problem) throw closedByOperators(entry, message('no_open_upstream_for', { problem }));
}

function uncarried({ param, message }: { param?: string; message: Message }): GatewayError {
  const details = { reason: 'invalid_parameter', ...(param === undefined ? {} : { param }) } as const;
  return new GatewayError('invalid_request', message, details);
}
