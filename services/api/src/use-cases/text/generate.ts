import type { EarlierSubmission } from '@mediagate/billing';
import { type CatalogueEntry, estimateInputTokens, type Rates, settledUnits, vendorCost } from '@mediagate/catalog';
import {
  bookable,
  GatewayError,
  type JsonObject,
  message,
  newTaskId,
  refusedBody,
  type TaskFailureReason,
  type TaskId,
  type Usage,
  type VendorCost,
} from '@mediagate/contracts';
import { DatabaseUnavailableError } from '@mediagate/database';
import type { TextMethod } from '@mediagate/upstreams';
import type { FindModels, OfferedModel, OfferedModels } from '../../offered-models';
import { type AcceptedTask, type Booker, bookTask } from '../book-task';
import type { Caller } from '../caller';
import type { CallerConnection } from '../caller-connection';
import type { Idempotency } from '../idempotency';
import { type MaxCost, priceTask, type TaskPrice } from '../price-task';
import { endError } from '../task-failure';
import { type AnswerTextDeps, answerText, type TextOutcome } from './answer-text';
import type { SettledTask } from './open-texts';
import type { Settlements } from './settlements';
import { TEXT_LEASE_MS } from './text-leases';
import type { TextWriter } from './text-writer';

export interface GenerateDeps extends AnswerTextDeps, Booker {
  settlements: Settlements;
  models: FindModels;
}

export interface GenerateRequest {
  caller: Caller;
  requestId: string;
  connection: CallerConnection;
  writer: TextWriter;
  offered: OfferedModel;
  method: TextMethod;
  /** False: the model is to call one function at a time, where its vendor knows that. */
  parallelToolCalls?: boolean;
  body: TextBody;
  headers: TextHeaders;
  idempotency: Idempotency | undefined;
}

/** Fields that callers send as headers, because the body is the vendor's. */
export interface TextHeaders {
  metadata?: JsonObject;
  maxCost?: MaxCost;
  /** All of them, for the hash of the request; empty: there are none. */
  asText: string;
}

export interface TextBody {
  /** The body to be judged, without the fields that are null. */
  json: JsonObject;
  /** The bytes that the upstream gets for this body or another one: the caller's own bytes if they are in the upstream's format. */
  bytes(body: JsonObject): Promise<Buffer>;
}

/**
 * One generation from its body to its settlement: check, price, reserve, ask, send, and settle what was used. The caller
 * does not wait for the settlement. An answer is not kept, so that a repetition under the same `Idempotency-Key` is not
 * answered with it: it learns which task the first one was.
 *
 * @throws GatewayError; after the first byte of the answer, whatever broke it.
 */
export async function generate(call: GenerateRequest, deps: GenerateDeps): Promise<void> {
  const { method, parallelToolCalls, body, writer } = call;
  const { entry } = call.offered;
  const input = parse(entry, body.json);
  const taskId = newTaskId();
  const owned: Owned = { taskId, accountId: call.caller.accountId };
  const settlement = deps.settlements.open(taskId);
  const price = () => priceTask(call.offered, input, call.headers.maxCost);
  const booked = await book(call, { taskId, entry, price }, deps).catch((error: unknown) => {
    // It may have been written all the same; then nobody else would end it before its lease lapses.
    const isDoubtful = error instanceof DatabaseUnavailableError && !deps.settlements.crowded;
    settlement.end(isDoubtful ? { ...refund(owned, entry, 'internal_error'), calls: [] } : undefined);
    throw error;
  });
  const { submission, heldNano } = booked;
  const { rates } = submission;
  const paid = entry.within(input, heldNano, rates);
  let outcome: () => TextOutcome = () => UNASKED;
  const endNow = () => settled(owned, outcome(), { entry, input: paid, rates }, () => deps.models(call.caller));
  settlement.booked({
    settled: () => deps.slots.freed({ keyId: call.caller.id, family: entry.family }),
    stop: (why) => writer.stop(why),
    endNow,
  });
  writer.nameTask(taskId, entry.id);
  try {
    const promptTokens = () => estimateInputTokens(input);
    const json = paid === input ? body.json : askingFor(body.json, paid);
    const onProgress = (soFar: () => TextOutcome) => {
      outcome = soFar;
    };
    const asked = { model: entry.id, owner: call.caller, method, parallelToolCalls };
    const question = { ...asked, body: await body.bytes(json), json, promptTokens, onProgress };
    const last = await answerText(writer, question, deps);
    outcome = () => last;
    if (last.error !== undefined) throw last.error;
  } finally {
    settlement.end({ ...endNow(), submission });
  }
}

/** Nobody knows of any call yet. */
const UNASKED: TextOutcome = { usage: undefined, reason: 'internal_error', calls: undefined, error: undefined };

/** Tells the vendor how many output tokens the money pays for, if the caller named no number and cannot pay for the model's maximum. */
function askingFor(body: JsonObject, { generationConfig }: JsonObject): JsonObject {
  const { maxOutputTokens } = generationConfig as JsonObject;
  const { generation_config: byWire, generationConfig: given, ...rest } = body;
  const { max_output_tokens: _, ...config } = { ...(byWire as JsonObject | null), ...(given as JsonObject | null) };
  return { ...rest, generationConfig: { ...config, maxOutputTokens } } as JsonObject;
}

interface Priced {
  entry: CatalogueEntry;
  input: JsonObject;
  rates: Rates;
}

/**
 * The price that `generate` would reserve.
 *
 * @throws GatewayError as it does before it reserves.
 */
export function priceText({ offered, body, headers }: Pick<GenerateRequest, 'offered' | 'body' | 'headers'>) {
  const { entry } = offered;
  const input = parse(entry, body.json);
  return { entry, input, ...priceTask(offered, input, headers.maxCost) };
}

function parse(entry: CatalogueEntry, body: JsonObject): JsonObject {
  const parsed = entry.parse(body);
  if (parsed.ok) return parsed.input;
  throw refusedBody(parsed.code, parsed.failures);
}

interface Unbooked {
  taskId: TaskId;
  entry: CatalogueEntry;
  price(): TaskPrice;
}

/** @throws DatabaseUnavailableError when it is not known whether it was booked; after any other error nothing was. */
async function book(
  { caller, requestId, connection, writer, method, idempotency, headers: { metadata } }: GenerateRequest,
  { taskId, entry, price }: Unbooked,
  api: Booker,
): Promise<AcceptedTask> {
  const booked = await bookTask(api, {
    idempotency,
    metadata,
    taskId,
    caller,
    entry,
    requestId,
    price,
    warnings: [],
    runsHere: RUNS_HERE,
    connection,
    // Only the method is stored, never the prompt.
    input: { method },
  });
  return booked.kind === 'accepted' ? booked : refuseRepetition(booked, writer);
}

/** @throws GatewayError `idempotency_conflict`; its answer names the task of the first where that was the same request. */
export function refuseRepetition(earlier: EarlierSubmission, writer: Pick<TextWriter, 'nameTask'>): never {
  if (earlier.kind === 'replayed') writer.nameTask(earlier.taskId);
  throw new GatewayError('idempotency_conflict', REPEATED[earlier.kind]);
}

const RUNS_HERE = { leaseMs: TEXT_LEASE_MS };

const REPEATED = {
  replayed: message('idempotency_answer_not_kept'),
  conflict: message('idempotency_key_reused'),
} as const;

/** The model that answered, at its own prices; undefined: it is not known. */
function pricedAs({ billed }: TextOutcome, asked: Priced, models: () => OfferedModels): Priced | undefined {
  if (billed === undefined || billed.id === asked.entry.id) return asked;
  const offered = billed.id === undefined ? undefined : models().find(billed.id, asked.entry.operation);
  return offered && { ...asked, entry: offered.entry, rates: offered.prices() };
}

interface Owned {
  taskId: TaskId;
  accountId: string;
}

function settled(owned: Owned, outcome: TextOutcome, asked: Priced, models: () => OfferedModels): SettledTask {
  const { usage, reason, calls } = outcome;
  if (usage === undefined) return { ...refund(owned, asked.entry, reason), calls };
  // Where nobody knows what answered it is charged as what was asked, and nobody knows what its vendor charges.
  const answered = pricedAs(outcome, asked, models);
  const { entry, input, rates } = answered ?? asked;
  const costNano = bookable(entry.settle(input, usage, rates));
  const cost = answered && vendorCost(answered, { usage }, outcome.costs);
  return {
    ...owned,
    model: asked.entry.id,
    calls: withCost(calls, cost),
    outcome: {
      kind: 'completed',
      costNano,
      units: settledUnits(entry, input, usage, rates),
      usage: usageRecord(usage),
    },
  };
}

/** Adds the cost to the last call, the only one that is paid for. */
function withCost(calls: TextOutcome['calls'], cost: VendorCost | undefined): TextOutcome['calls'] {
  return calls?.map((call, index) => (index === calls.length - 1 ? { ...call, cost } : call));
}

function refund(owned: Owned, { id: model }: CatalogueEntry, reason: TaskFailureReason): SettledTask {
  return { ...owned, model, outcome: { kind: 'failed', error: endError(reason) } };
}

/** Usage in the form of task records. */
function usageRecord({ inputTokens = 0, outputTokens = 0, totalTokens }: Usage): JsonObject {
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    total_tokens: totalTokens ?? inputTokens + outputTokens,
  };
}
