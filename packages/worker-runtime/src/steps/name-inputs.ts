import type { MediaReference } from '@mediagate/contracts';
import { bufferSource, decodeDataUrl, isDataUrl, sniff } from '@mediagate/media';
import { type InputFile, readValidStore } from '@mediagate/provenance';
import { outliveOutage } from '../outlive-outage';
import type { Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';

type Facts = Omit<InputFile, 'title'>;
const UNKNOWN: Facts = { contentType: null, sha256: null };
/** The limit of all manifests of callers' files that go into one of ours: they stand in each result of the task. */
const MAX_CARRIED_BYTES = 512 * 1024;

/**
 * Names the caller's files for a manifest: by the body's field, and by the hash of those that this step or the body has, or that are stored
 * here. Manifests that are valid go along, of those whose bytes are at hand. One that stands elsewhere is not fetched for that again.
 */
export async function nameInputs(run: Run, deps: WorkerDeps): Promise<InputFile[]> {
  const { entry, task, signal } = run;
  if (deps.marksOf(task).marks !== 'signed' || entry.callersPart(task.input) !== 'some') return [];
  const factsOf = (reference: MediaReference, carriedBytes: number) =>
    outliveOutage(() => lookAt(reference, { ...run, carriedBytes }, deps), { signal }).catch((error: unknown) => {
      const detail = `a file is named in the manifest without its hash: ${error instanceof Error ? error.message : error}`;
      deps.logger.warn('output.imperfect', { taskId: task.id, detail });
      return UNKNOWN;
    });
  const inputs: InputFile[] = [];
  let left = MAX_CARRIED_BYTES;
  // One after the other: each of those in the body is decoded whole.
  for (const reference of entry.media(task.input)) {
    const facts = await factsOf(reference, left);
    left -= facts.store?.length ?? 0;
    inputs.push({ title: reference.field, ...facts });
  }
  return inputs;
}

type Looking = Pick<Run, 'media'> & { carriedBytes: number };

async function lookAt(
  reference: MediaReference,
  { media = [], carriedBytes }: Looking,
  { store }: WorkerDeps,
): Promise<Facts> {
  const { contentType = null, bytes } = media.find(({ field }) => field === reference.field) ?? {};
  const { url } = reference;
  const atHand = bytes?.length ? bytes : isDataUrl(url) && decodeDataUrl(reference);
  if (atHand) return factsAtHand(atHand, contentType, carriedBytes);
  const own = store.ownsUrl(url) ? await store.resolveOwnUrl(url) : undefined;
  return { contentType: own?.contentType ?? contentType, sha256: own?.sha256 ?? null };
}

async function factsAtHand(bytes: Buffer, known: string | null, maxBytes: number): Promise<Facts> {
  const contentType = known ?? sniff(bytes)?.contentType ?? null;
  const facts = { contentType, sha256: await sha256(bytes) };
  const store = contentType === null ? undefined : await readValidStore(bufferSource(bytes), contentType, maxBytes);
  return store === undefined ? facts : { ...facts, store };
}

/** Beside the event loop. */
async function sha256(bytes: Buffer): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('hex');
}
