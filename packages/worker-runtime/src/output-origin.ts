import type { JsonObject, MarkPolicy } from '@mediagate/contracts';
import { type FetchedOutput, withSourceOf } from '@mediagate/media';
import { type Parent, type ProvenanceSource, readParent, readProvenance } from '@mediagate/provenance';
import type { MarkedOutput } from './mark-result';
import type { StoredOutput } from './profile';
import type { WorkerDeps } from './worker-deps';

interface Reader {
  taskId: string;
  logger: WorkerDeps['logger'];
}

/** The vendor's manifest, where files of this output were made of the vendor's and are to be signed. */
export async function readParentOf(
  { madeOf, parts, cover, ...main }: FetchedOutput,
  { marks }: MarkPolicy,
  reader: Reader,
): Promise<Parent | undefined> {
  if (marks !== 'signed' || (madeOf ?? parts ?? cover) === undefined) return undefined;
  const { bytes, contentType } = madeOf ?? main;
  return orUndefined(() => readParent(bytes, contentType), reader);
}

/** Reads the statements of the vendor's file while files are stored. It is read until both are over, also where storing fails. */
export async function readWhileStored<T>(
  fetched: FetchedOutput,
  reader: Reader,
  store: () => Promise<T>,
): Promise<[T, ProvenanceSource[]]> {
  const { bytes, contentType } = fetched.madeOf ?? fetched;
  const read = () => withSourceOf(bytes, (source) => readProvenance(source, contentType));
  const [stored, reading] = [store(), orUndefined(read, reader)];
  await Promise.allSettled([stored, reading]);
  return [await stored, (await reading) ?? []];
}

/** A result whose vendor's statements cannot be read is one all the same. */
async function orUndefined<T>(read: () => Promise<T>, { taskId, logger }: Reader): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    const detail = `its provenance was not read: ${error instanceof Error ? error.message : String(error)}`;
    logger.warn('output.imperfect', { taskId, detail });
    return undefined;
  }
}

/** A file that was made of the vendor's has its statements in the record alone, but for a manifest that is carried on. */
export function originsOf(
  sources: readonly ProvenanceSource[],
  { madeOf, carriesParent = false }: Pick<MarkedOutput, 'madeOf' | 'carriesParent'>,
): Pick<StoredOutput, 'provenance'> {
  if (sources.length === 0) return {};
  return {
    provenance: sources.map((source) => ({
      ...source,
      kept: madeOf === undefined || (carriesParent && source.valid === true),
    })),
  };
}

/** The field of the task's result. */
export function recordedOrigins(outputs: readonly StoredOutput[]): { provenance?: JsonObject[] } {
  const stated = outputs.flatMap(({ url, provenance = [], mark }): JsonObject[] => {
    if (provenance.length === 0 && mark === undefined) return [];
    return [{ url, sources: provenance.map((source) => ({ ...source })), ...(mark && { mark: { ...mark } }) }];
  });
  return stated.length === 0 ? {} : { provenance: stated };
}
