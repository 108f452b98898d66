import type { Held } from '@mediagate/concurrency';
import { type JsonObject, type LoadedMedia, type MediaReference, message, replaceTexts } from '@mediagate/contracts';
import { InputsFullError, MediaError } from '@mediagate/media';
import type { Channel } from '@mediagate/settings';
import { isAccepted, type Outcome, type Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';
import { adapterOf, candidatesOf } from './await-channel';
import { FILES_BUSY, hostsOf, notLoaded } from './load-media';

const INPUTS_FULL: Outcome = { kind: 'no_channel', reason: 'inputs_full' };

/**
 * Brings the files that the vendor itself would fetch, for a channel that does not pass their addresses on, before the intent
 * to use it is written: so that slow files leave no attempt in doubt. They are brought for one channel only, which is then the
 * one that is tried, and within the share that files have of the worker.
 */
export async function carryMedia(run: Run, deps: WorkerDeps): Promise<Run> {
  if (isAccepted(run)) return run;
  const channel = run.current?.channel ?? (await channelToTry(run, deps));
  if (channel === undefined || isCarriedTo(channel, run, deps)) return run;
  const known = channel.media === 'rehost' ? deps.rehostedFiles.of(run.task.id) : new Map<string, string>();
  const references = filesFor(channel, run, deps).filter(({ url }) => !known.has(url));
  const slot = references.length === 0 ? undefined : takeShare(references, run, deps);
  // An attempt in doubt must be resolved, even without a slot.
  if (!slot && references.length > 0 && !run.inDoubt) return { ...run, outcome: FILES_BUSY };
  try {
    const brought = await (channel.media === 'rehost' ? rehost : load)(references, run, deps);
    return { ...run, carried: { channelId: channel.id, addresses: new Map([...known, ...brought]) } };
  } catch (error) {
    return error instanceof InputsFullError ? { ...run, outcome: INPUTS_FULL } : notLoaded(run, error);
  } finally {
    slot?.release();
  }
}

/** Whether nothing is left to be brought before the channel is asked. */
export function isCarriedTo(channel: Channel, run: Run, deps: WorkerDeps): boolean {
  return run.carried?.channelId === channel.id || filesFor(channel, run, deps).length === 0;
}

/** The request as the channel's vendor is to get it. */
export function withCarried(request: JsonObject, { carried, current }: Run): JsonObject {
  if (carried === undefined || carried.channelId !== current?.channel.id) return request;
  // Addresses stand in requests as texts of their own.
  return replaceTexts(request, carried.addresses) as JsonObject;
}

/** The best channel that has a turn and a slot; undefined: none has, or none wants files. */
async function channelToTry(run: Run, deps: WorkerDeps): Promise<Channel | undefined> {
  const candidates = candidatesOf(run, deps);
  if (candidates.every((channel) => isCarriedTo(channel, run, deps))) return undefined;
  for (const channel of candidates) {
    const { id: channelId, maxConcurrency } = channel;
    if (deps.paces.waitMs(channelId) > 0) continue;
    if (maxConcurrency === undefined || (await deps.database.hasSlot(run.task, [{ channelId, maxConcurrency }])))
      return channel;
  }
  return undefined;
}

/** Files that the vendor would fetch itself and gets another way. Files of our own have links already. */
function filesFor(channel: Channel, { task, entry, media = [] }: Run, deps: WorkerDeps): MediaReference[] {
  if (channel.media !== 'rehost' && channel.media !== 'upload') return [];
  const usable = new Set(media.map(({ field }) => field));
  const fetched = entry.media(task.input).filter(({ inspectOnly, field }) => inspectOnly === true && usable.has(field));
  if (channel.media === 'rehost') return fetched.filter(({ url }) => !deps.store.ownsUrl(url));
  const roles: ReadonlySet<LoadedMedia['role']> = adapterOf(channel, deps).fileRoles ?? new Set();
  return fetched.filter(({ role }) => roles.has(role));
}

function takeShare(references: readonly MediaReference[], { task }: Run, deps: WorkerDeps): Held | undefined {
  return deps.slots.files.tryTake({ owner: task, keys: hostsOf(references, deps) });
}

type Addresses = ReadonlyMap<string, string>;

async function rehost(references: readonly MediaReference[], run: Run, deps: WorkerDeps): Promise<Addresses> {
  const { accountId, keyId, id: taskId, msToDeadline } = run.task;
  const { rehostedFiles, store } = deps;
  const isUrgent = run.inDoubt === true;
  const owner = { accountId, keyId, taskId, isUrgent, lifetimeMs: Math.max(msToDeadline, 1000) };
  const links = new Map(rehostedFiles.of(taskId));
  for (const { url, ...reference } of references) {
    if (links.has(url)) continue;
    // A file that was once fetched in vain is not fetched again before there is space for it.
    const size = rehostedFiles.sizeOf(taskId, url) ?? 1;
    if (!isUrgent && !(await store.inputs.takes(owner, size))) throw new InputsFullError(accountId);
    const { media, release } = await bring([{ url, ...reference }], run, deps);
    try {
      for (const { bytes, contentType } of media) {
        rehostedFiles.rememberSize(taskId, url, bytes.length);
        links.set(url, (await store.inputs.save({ ...owner, bytes, contentType })).url);
        rehostedFiles.remember(taskId, links);
      }
    } finally {
      release();
    }
  }
  return links;
}

async function load(references: readonly MediaReference[], run: Run, deps: WorkerDeps): Promise<Addresses> {
  const { media, release } = await bring(references, run, deps);
  run.onEnd(release);
  const files = media.map(({ field, contentType, bytes }) => {
    const url = references.find((reference) => reference.field === field)?.url ?? '';
    return [url, `data:${contentType};base64,${bytes.toString('base64')}`] as const;
  });
  return new Map(files);
}

/** The bytes themselves, of which a vendor gets what was judged and reserved for. @throws MediaError */
async function bring(references: readonly MediaReference[], run: Run, deps: WorkerDeps) {
  // Files that the job could do without were found usable, and stand in the request.
  const kept = references.map((reference) => ({ ...reference, inspectOnly: false, optional: false }));
  const brought = await deps.loadMedia(kept, run.signal, { owner: run.task });
  try {
    mustBeAsJudged(brought.media, run);
    return brought;
  } catch (error) {
    brought.release();
    throw error;
  }
}

/** Above what two readings of one file differ by, and below what any price or limit is reckoned in. */
const SAME_SECONDS = 0.05;

/**
 * Compares files that were fetched once more with what the task was judged by: their server may give others the second time,
 * and each field that names the address gets them.
 *
 * @throws MediaError of the field.
 */
function mustBeAsJudged(files: readonly LoadedMedia[], { task, entry, media = [] }: Run): void {
  const addresses = new Map(entry.media(task.input).map(({ field, url }) => [field, url]));
  for (const file of files) {
    const url = addresses.get(file.field);
    const judged = media.filter(({ field }) => addresses.get(field) === url);
    if (!judged.every((each) => isSame(each, file))) throw new MediaError(file.field, message('file_changed'));
  }
  const facts = new Map(files.map((file) => [file.field, file]));
  const problem = entry.checkMedia(
    task.input,
    media.map((judged) => facts.get(judged.field) ?? judged),
  );
  if (problem) throw new MediaError(problem.param, message('file_changed'));
}

function isSame(judged: LoadedMedia, file: LoadedMedia): boolean {
  const isAsLong = Math.abs((judged.seconds ?? 0) - (file.seconds ?? 0)) <= SAME_SECONDS;
  const facts = ['contentType', 'width', 'height', 'pages'] as const;
  return isAsLong && facts.every((fact) => judged[fact] === file[fact]);
}
