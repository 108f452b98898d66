import type { Shortage, Submission, SubmitOutcome } from '@mediagate/billing';
import type { CatalogueEntry } from '@mediagate/catalog';
import {
  GatewayError,
  type JsonObject,
  message,
  type Nano,
  nanoToNumber,
  newTaskId,
  type TaskId,
} from '@mediagate/contracts';
import { countOfDay } from '@mediagate/database';
import { annotate, inSpan, keepTrace, storableTrace } from '@mediagate/host';
import type { Api } from '../api';
import { type Caller, inactive } from './caller';
import type { CallerConnection } from './caller-connection';
import { invalid } from './invalid';
import type { TaskPrice } from './price-task';
import { refuseBeyond } from './save-upload';
import { noSlot } from './slot-queue';

/** The part of `Api` that books. */
export type Booker = Pick<
  Api,
  'database' | 'mediaStore' | 'uploadQuotas' | 'submit' | 'slots' | 'forgetKey' | 'settlements'
>;

/** Fields that are written as given, beside those that follow from the task's model and caller. */
type Written = 'input' | 'warnings' | 'requestId';
type Optional =
  | 'webhook'
  | 'language'
  | 'parentTaskId'
  | 'continuesParent'
  | 'idempotency'
  | 'runsHere'
  | 'listener'
  | 'metadata'
  | 'expiresInSeconds';

export interface Booking extends Pick<Submission, Written | Optional> {
  /** The task's id, if it was needed before the booking; default: a new one. */
  taskId?: TaskId;
  caller: Caller;
  entry: CatalogueEntry;
  /** The price of the moment, asked whenever the task is sent to the books. */
  price(): TaskPrice;
  /** Where the caller waits for the answer itself: it may have to wait for a slot of its key first. */
  connection?: CallerConnection | undefined;
}

export interface AcceptedTask {
  kind: 'accepted';
  taskId: TaskId;
  /** The submission as it was written. */
  submission: Submission;
  heldNano: Nano;
  /** It is enqueued once it has a slot of its key. */
  awaitsSlot?: true;
}

export type Booked = AcceptedTask | Extract<SubmitOutcome, { kind: 'replayed' | 'conflict' }>;

/**
 * Writes a task with its reservation, or nothing, at the price that holds once it has its slot.
 *
 * @throws CallerLeftError; GatewayError `rate_limited` (no slot of the key came free), `insufficient_balance`, `authentication` (the key was revoked meanwhile),
 * `invalid_request` (its parent was gone on with meanwhile);
 * DatabaseUnavailableError.
 */
export async function bookTask(
  api: Booker,
  { connection, taskId = newTaskId(), price: priceNow, ...booking }: Booking,
): Promise<Booked> {
  const { caller, entry } = booking;
  if (caller.isTest) await admitTest(api, caller);
  const written = submissionOf(taskId, booking, connection === undefined);
  annotate(() => ({ 'mediagate.task_id': taskId, 'mediagate.family': entry.family, 'mediagate.model': entry.id }));
  let submission: Submission = Object.assign(written, priceNow());
  const submitInTurn = async () => {
    submission = { ...written, ...priceNow() };
    return api.submit({ ...submission, waitsForSlot: true });
  };
  const isLimited = connection !== undefined && caller.maxConcurrent !== undefined;
  const decide = () =>
    isLimited ? api.slots.take(placeOf(caller, entry), keepTrace(submitInTurn), connection) : api.submit(submission);
  const lacksMoney = ({ kind }: SubmitOutcome) => kind === 'insufficient';
  const outcome = await traceBooking(() => api.settlements.onceSettled(caller.accountId, { decide, lacksMoney }));
  switch (outcome.kind) {
    case 'accepted':
      return acceptedTask(submission, outcome);
    case 'replayed':
    case 'conflict':
      return outcome;
    case 'insufficient':
      throw insufficient({ ...outcome, requiredNano: submission.leastNano ?? submission.reservedNano }, caller);
    case 'no_slot':
      throw noSlot();
    case 'continued':
      throw continued(entry, booking.input);
    case 'account_suspended':
    case 'account_closed':
      throw inactive(outcome.kind);
    case 'key_unknown':
      api.forgetKey(caller.id);
      throw new GatewayError('authentication', message('key_revoked'), { reason: 'key_revoked' });
    default:
      return outcome satisfies never;
  }
}

function acceptedTask(
  submission: Submission,
  { heldNano = submission.reservedNano, awaitsSlot }: Extract<SubmitOutcome, { kind: 'accepted' }>,
): AcceptedTask {
  const { taskId } = submission;
  return { kind: 'accepted', taskId, submission, heldNano, ...(awaitsSlot && { awaitsSlot }) };
}

/** The key and family whose limit the task counts against. */
function placeOf(caller: Caller, { family }: CatalogueEntry) {
  return { owner: caller, keyId: caller.id, family };
}

/** The wait for a slot of the key is part of it. */
function traceBooking(book: () => Promise<SubmitOutcome>): Promise<SubmitOutcome> {
  return inSpan('task.book', {}, async (span) => {
    const outcome = await book();
    span.note({ 'mediagate.outcome': outcome.kind });
    return outcome;
  });
}

function submissionOf(
  taskId: TaskId,
  { caller, entry, ...written }: Omit<Booking, 'connection' | 'taskId' | 'price'>,
  queuesForSlot: boolean,
): Omit<Submission, keyof TaskPrice> {
  const { id: model, family, kind, operation, version: catalogueVersion, deadlineMs } = entry;
  const { accountId, id: keyId, ownKeyId } = caller;
  const { expiresInSeconds: wanted = Number.POSITIVE_INFINITY } = written;
  const { startWithinSeconds = Number.POSITIVE_INFINITY } = entry;
  const expiresInSeconds = Math.min(wanted, startWithinSeconds);
  return {
    ...written,
    taskId,
    accountId,
    keyId,
    model,
    family,
    kind,
    operation,
    catalogueVersion,
    deadlineMs,
    expiresInSeconds: Number.isFinite(expiresInSeconds) ? expiresInSeconds : undefined,
    traceContext: storableTrace(),
    queuesForSlot: queuesForSlot || undefined,
    holdsByHalves: ownKeyId === null ? undefined : true,
  };
}

function continued(entry: CatalogueEntry, input: JsonObject): GatewayError {
  const param = entry.source(input)?.field ?? 'task_id';
  return invalid(param, 'source_continued');
}

/** `held` is what running tasks may still give back. Only a caller that sees all of the account learns what the account has. */
export function insufficient(
  { of, requiredNano, availableNano, heldNano }: Shortage & { requiredNano: Nano },
  { ownKeyId }: Pick<Caller, 'ownKeyId'>,
): GatewayError {
  const left = { available: nanoToNumber(availableNano), held: nanoToNumber(heldNano) };
  return new GatewayError('insufficient_balance', message(`${of}_insufficient`), {
    figures: { required: nanoToNumber(requiredNano), ...(of === 'account' && ownKeyId !== null ? {} : left) },
  });
}

/**
 * Admits a task of a test key, which nobody pays for: its account has tests left today, and the quotas of files have space for its result.
 *
 * @throws GatewayError `rate_limited`; DayLimitError.
 */
async function admitTest(
  { database, mediaStore, uploadQuotas }: Pick<Api, 'database' | 'mediaStore' | 'uploadQuotas'>,
  { id: keyId, accountId }: Pick<Caller, 'id' | 'accountId'>,
): Promise<void> {
  const allowed = uploadQuotas();
  await mediaStore.requireQuota({ accountId, keyId }, allowed).catch(refuseBeyond(allowed));
  await countOfDay(database, 'tests', accountId);
}
