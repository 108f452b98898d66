import type { MarkPolicy, MediaBytes, OwnMarkPolicy } from '@mediagate/contracts';
import type { Logger } from '@mediagate/host';
import { type FetchedOutput, type FilesPerResult, type MadeOf, OutputError } from '@mediagate/media';
import {
  type FileToMark,
  type InputFile,
  type Marked,
  markFile,
  type Parent,
  type Signer,
  type SourceType,
} from '@mediagate/provenance';
import { Counter, type Registry } from 'prom-client';
import { problemOf } from './open-signer';
import type { ResultMark } from './profile';

/** The operator wants no result without a mark, and this one gets none, however often it is fetched. */
export class UnmarkedError extends OutputError {}

/** How the results of a task are to be marked: its account's word counts before the deployment's. */
export function markPolicyOf({ marks, unmarked }: MarkPolicy, own: OwnMarkPolicy | null): MarkPolicy {
  return { marks: own?.marks ?? marks, unmarked: own?.unmarked ?? unmarked };
}

/** A marked result is a copy beside the vendor's file, until it is stored. */
export function filesPerResult(marks: MarkPolicy['marks']): FilesPerResult {
  return marks === 'off' ? 1 : 2;
}

export interface ResultToMark extends MarkPolicy {
  /** Undefined: no model made it. */
  type: SourceType | undefined;
  taskId: string;
  /** Named in a manifest. */
  inputs?: readonly InputFile[];
}

/** Marks a file as one that a model made. @throws UnmarkedError for one without a mark, where the operator wants none such */
export type ResultMarker = (file: FileToMark, result: ResultToMark) => Promise<MarkedFile>;

interface MarkedFile {
  bytes: MediaBytes;
  mark: ResultMark;
  /** The vendor's manifest stands in the file's own. */
  carriesParent?: boolean;
}

const STATES: readonly ResultMark['state'][] = ['written', 'signed', 'unsigned', 'stated', 'unmarked'];
const NOT_MADE = 'no model made it: it is the file of the caller';
const NOT_WRITTEN = 'the file could not be read or written';

/** A mark that fails, for example on a full disk, loses no result by itself. */
export function createResultMarker({ register, logger, signer: currentSigner, clock }: MarkerDeps): ResultMarker {
  const counter = new Counter({
    name: 'mediagate_result_marks_total',
    help: 'Result files, by their mark: written, signed, unsigned (written or stated, but not signed as it should be), stated by the vendor, unmarked.',
    registers: [register],
    labelNames: ['state'],
  });
  for (const state of STATES) counter.inc({ state }, 0);
  return async (file, { type, taskId, marks, unmarked, inputs }) => {
    if (type === undefined) {
      return { bytes: file.bytes, mark: { state: 'unmarked', source_type: null, problem: NOT_MADE } };
    }
    const [at, signer] = [clock(), currentSigner()];
    const unsignable = marks === 'signed' ? problemOf(signer, at) : undefined;
    const isSigned = marks === 'signed' && unsignable === undefined;
    const signing = signer && isSigned ? { signer, taskId, at, inputs } : undefined;
    const warn = (detail: string) => logger.warn('output.imperfect', { taskId, detail });
    const marked = await markFile(file, { type, signing }).catch((error: unknown): Marked => {
      warn(`its mark was not written: ${error instanceof Error ? error.message : String(error)}`);
      return { state: 'unmarked', problem: NOT_WRITTEN };
    });
    const mark = toMark(marked, unsignable);
    counter.inc({ state: mark.state });
    if (mark.state === 'unsigned') warn(`its mark is not signed: ${mark.problem}`);
    if (mark.problem !== null && unmarked === 'fail') {
      throw new UnmarkedError(`the result could not be marked: ${mark.problem}`);
    }
    if (!('bytes' in marked)) return { bytes: file.bytes, mark };
    return { bytes: marked.bytes, mark, carriesParent: marked.carriesParent };
  };
}

interface MarkerDeps {
  register: Registry;
  logger: Pick<Logger, 'warn'>;
  /** Answers with the signer of now; undefined: there is no certificate. */
  signer(): Signer | undefined;
  clock(): Date;
}

function toMark(marked: Marked, unsignable: string | undefined): ResultMark {
  if (marked.state === 'unmarked') return { state: 'unmarked', source_type: null, problem: marked.problem };
  const problem = unsignable ?? marked.problem ?? null;
  const type = marked.state === 'stated' ? null : marked.sourceType;
  return { state: problem === null ? marked.state : 'unsigned', source_type: type, problem };
}

type WithMark<File> = Omit<File, 'bytes'> & Pick<MarkedFile, 'bytes'> & Partial<MarkedFile>;
type Cover = NonNullable<FetchedOutput['cover']>;
type Part = NonNullable<FetchedOutput['parts']>[number];

/** An output whose files have their marks; without a marker, they are as they came. */
export type MarkedOutput = WithMark<Omit<FetchedOutput, 'cover' | 'parts'>> & {
  cover?: WithMark<Cover> | undefined;
  parts?: readonly WithMark<Part>[] | undefined;
};

/**
 * Marks all files of an output before the first one is stored, so that nothing is kept of one that must not be. Those that were made of
 * the vendor's file carry its manifest, `parent`, on.
 */
export async function markOutput(
  output: FetchedOutput,
  markAs: ((file: FileToMark) => ReturnType<ResultMarker>) | undefined,
  parent?: Parent,
): Promise<MarkedOutput> {
  if (markAs === undefined) return output;
  const mark = ({ madeOf, ...file }: FileToMark & { madeOf?: MadeOf }) =>
    markAs({ ...file, parent: parent && madeOf && { ...parent, actions: madeOf.actions } });
  const main = { ...output, ...(await mark(output)) };
  const cover = output.cover && { ...output.cover, ...(await mark(output.cover)) };
  const parts: WithMark<Part>[] = [];
  for (const part of output.parts ?? []) parts.push({ ...part, ...(await mark(part)) });
  return { ...main, cover, parts };
}
