import type { JsonObject } from '@mediagate/contracts';
import { type FetchedOutput, withSourceOf } from '@mediagate/media';
import { readProvenance } from '@mediagate/provenance';
import type { StoredOutput } from './profile';
import type { WorkerDeps } from './worker-deps';

type Origins = Pick<StoredOutput, 'provenance'>;

/** Reads the statements while the file is stored. The file is read until both are over, also where storing fails. */
export async function readWhileStored<T>(
  fetched: FetchedOutput,
  reader: { taskId: string; logger: WorkerDeps['logger'] },
  store: () => Promise<T>,
): Promise<[T, Origins]> {
  const [stored, reading] = [store(), readOrigins(fetched, reader)];
  await Promise.allSettled([stored, reading]);
  return Promise.all([stored, reading]);
}

/**
 * Reads what the vendor's file states about its origin: of the file itself where its bytes are kept, else of the one that the
 * kept file was made of. A result whose statements cannot be read is one all the same.
 */
async function readOrigins(
  fetched: FetchedOutput,
  { taskId, logger }: { taskId: string; logger: WorkerDeps['logger'] },
): Promise<Origins> {
  const { bytes, contentType } = fetched.madeOf ?? fetched;
  try {
    const sources = await withSourceOf(bytes, (source) => readProvenance(source, contentType));
    const kept = fetched.madeOf === undefined;
    return sources.length === 0 ? {} : { provenance: sources.map((source) => ({ ...source, kept })) };
  } catch (error) {
    const detail = `its provenance was not read: ${error instanceof Error ? error.message : String(error)}`;
    logger.warn('output.imperfect', { taskId, detail });
    return {};
  }
}

/** A part that was cut out of a file has its statements in the record alone. */
export function originsOfPart({ provenance }: Origins): Origins {
  return provenance ? { provenance: provenance.map((source) => ({ ...source, kept: false })) } : {};
}

/** The field of the task's result. */
export function recordedOrigins(outputs: readonly StoredOutput[]): { provenance?: JsonObject[] } {
  const stated = outputs.flatMap(({ url, provenance = [], mark }): JsonObject[] => {
    if (provenance.length === 0 && mark === undefined) return [];
    return [{ url, sources: provenance.map((source) => ({ ...source })), ...(mark && { mark: { ...mark } }) }];
  });
  return stated.length === 0 ? {} : { provenance: stated };
}
