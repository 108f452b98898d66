import { type EarlierSubmission, findShortage, type Shortage } from '@mediagate/billing';
import type { CatalogueEntry } from '@mediagate/catalog';
import {
  GatewayError,
  type JsonObject,
  type ListenerAddress,
  type Message,
  message,
  type TaskId,
} from '@mediagate/contracts';
import { StorageUnavailableError } from '@mediagate/media';
import type { Api } from '../api';
import { type Booked, type Booker, bookTask, insufficient } from './book-task';
import type { CallerConnection } from './caller-connection';
import type { Idempotency } from './idempotency';
import { showFiles, storeFiles } from './media-gate';
import { type PreparedRequest, type Preparing, prepare } from './prepare-submission';
import { reviewContent } from './review-content';

/** The part of `Api` that a submission takes. */
export type Submitting = Preparing &
  Booker &
  Pick<Api, 'enqueueTask' | 'findEarlier' | 'reviewing' | 'storagePatienceMs'>;

/** A storage that has failed for longer is not waited for: what was accepted until then waits. */
const STORAGE_PATIENCE_MS = 60_000;

export interface SubmitRequest extends PreparedRequest {
  requestId: string;
  idempotency: Idempotency | undefined;
  /** Where the caller waits for the answer itself. */
  connection?: CallerConnection;
  /** Where the task's worker brings the answer to that connection. */
  listener?: ListenerAddress;
  /** Has the prompt and the images reviewed, also those of a model that has no field for it. */
  isReviewed?: boolean;
}

export interface Acknowledgement {
  taskId: TaskId;
  warnings: readonly Message[];
  /** The same request was accepted before; this is its task. */
  replayed: boolean;
  /** The input that the body gave, and the model that it is for; absent for a repetition. */
  begun?: { input: JsonObject; model: string };
}

/**
 * A submission from its body to its acknowledgement: prepare it, have the content reviewed where that is asked for, then book
 * everything in one statement. Nobody is asked for a review, nothing is written, not even a file, while there is no money for it;
 * the booking alone decides about that. A repetition is answered from the books at once: what it names may have gone since, and costs nothing.
 *
 * @throws StorageUnavailableError; GatewayError what `prepare` throws; `upstream_unreachable` (no review could be had), `insufficient_balance`,
 * `idempotency_conflict`, `authentication` (the key was revoked meanwhile).
 */
export async function submitTask(api: Submitting, request: SubmitRequest): Promise<Acknowledgement> {
  const { caller, idempotency } = request;
  const earlier = await findRepetition(api, request);
  if (earlier) return earlier;
  const prepared = await prepare(request, api);
  const { entry, common, files, warnings, source } = prepared;
  requireStorage(entry, api);
  const { reservedNano } = prepared.price;
  const content = entry.moderate(request.isReviewed ? { ...prepared.input, nsfw_check: true } : prepared.input);
  const shortOf = content || files.length > 0 ? await findShortage(api.database, caller.id, reservedNano) : undefined;
  if (shortOf) return refuseUnpaid(api, request, { ...shortOf, requiredNano: reservedNano });
  if (content) await reviewContent(api.reviewing, await showFiles(content, request.files), caller);
  const input = await storeFiles(api, { input: prepared.input, files, caller });
  const booked = await bookTask(api, {
    caller,
    entry,
    input,
    price: prepared.priceNow,
    warnings,
    requestId: request.requestId,
    webhook: common.webhook,
    language: common.language,
    metadata: common.metadata,
    expiresInSeconds: common.expiresInSeconds,
    parentTaskId: source?.id,
    continuesParent: (source !== undefined && entry.continuesSource) || undefined,
    idempotency,
    connection: request.connection,
    listener: request.listener,
  });
  const acknowledgement = toAcknowledgement(booked, warnings, { input, model: entry.id });
  if (booked.kind !== 'accepted') return acknowledgement;
  const { taskId, awaitsSlot } = booked;
  if (!awaitsSlot) api.enqueueTask({ entry, taskId, owner: caller });
  return acknowledgement;
}

/** Speech and text keep nothing. */
function requireStorage({ synchronous: keepsNothing }: CatalogueEntry, api: Submitting): void {
  const fault = keepsNothing ? undefined : api.mediaStore.health.fault();
  const { storagePatienceMs = STORAGE_PATIENCE_MS } = api;
  if (fault && fault.forMs >= storagePatienceMs) throw new StorageUnavailableError(fault.place, fault.kind);
}

async function findRepetition(
  api: Submitting,
  { caller, idempotency }: SubmitRequest,
): Promise<Acknowledgement | undefined> {
  if (!idempotency) return undefined;
  const earlier = await api.findEarlier({ keyId: caller.id, ...idempotency });
  return earlier && toRepetition(earlier);
}

/** Refuses a request without enough money, unless its own twin, sent a moment ago, spent the last of it. */
async function refuseUnpaid(
  api: Submitting,
  request: SubmitRequest,
  shortage: Shortage & { requiredNano: bigint },
): Promise<Acknowledgement> {
  const twin = await findRepetition(api, request);
  if (twin) return twin;
  throw insufficient(shortage, request.caller);
}

function toRepetition(earlier: EarlierSubmission): Acknowledgement {
  if (earlier.kind === 'replayed') return { taskId: earlier.taskId, warnings: earlier.warnings, replayed: true };
  throw new GatewayError('idempotency_conflict', message('idempotency_key_reused'));
}

function toAcknowledgement(
  booked: Booked,
  warnings: readonly Message[],
  begun: Required<Acknowledgement>['begun'],
): Acknowledgement {
  if (booked.kind !== 'accepted') return toRepetition(booked);
  return { taskId: booked.taskId, warnings, replayed: false, begun };
}
