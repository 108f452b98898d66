import type { MediaReference } from '@mediagate/contracts';
import { decodeDataUrl, isDataUrl } from '@mediagate/media';
import type { InputFile } from '@mediagate/provenance';
import { outliveOutage } from '../outage';
import type { Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';

type Facts = Pick<InputFile, 'contentType' | 'sha256'>;
const UNKNOWN: Facts = { contentType: null, sha256: null };

/**
 * Names the caller's files for a manifest: by the body's field, and by the hash of those that this step or the body has, or that are stored
 * here. One that stands elsewhere is not fetched for that again.
 */
export async function nameInputs(run: Run, deps: WorkerDeps): Promise<InputFile[]> {
  const { entry, task, signal } = run;
  if (deps.marksOf(task).marks !== 'signed' || entry.callersPart(task.input) !== 'some') return [];
  const factsOf = (reference: MediaReference) =>
    outliveOutage(() => lookAt(reference, run, deps), { signal }).catch((error: unknown) => {
      const detail = `a file is named in the manifest without its hash: ${error instanceof Error ? error.message : error}`;
      deps.logger.warn('output.imperfect', { taskId: task.id, detail });
      return UNKNOWN;
    });
  const inputs: InputFile[] = [];
  // One after the other: each of those in the body is decoded whole.
  for (const reference of entry.media(task.input)) {
    inputs.push({ title: reference.field, ...(await factsOf(reference)) });
  }
  return inputs;
}

async function lookAt(reference: MediaReference, { media = [] }: Run, { store }: WorkerDeps): Promise<Facts> {
  const { contentType = null, bytes } = media.find(({ field }) => field === reference.field) ?? {};
  if (bytes?.length) return { contentType, sha256: await sha256(bytes) };
  const { url } = reference;
  if (isDataUrl(url)) return { contentType, sha256: await sha256(decodeDataUrl(reference)) };
  const own = store.ownsUrl(url) ? await store.resolveOwnUrl(url) : undefined;
  return { contentType: own?.contentType ?? contentType, sha256: own?.sha256 ?? null };
}

/** Beside the event loop. */
async function sha256(bytes: Buffer): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('hex');
}
