import type { MediaBytes } from '@mediagate/contracts';
import { OutputError } from '@mediagate/media';
import { type FileToMark, markFile, type SourceType } from '@mediagate/provenance';
import type { Settings } from '@mediagate/settings';
import { Counter, type Registry } from 'prom-client';
import type { ResultMark } from './profile';

/** Marks a file as one that a model made. @throws OutputError for one without a mark, where the operator wants none such */
export type ResultMarker = (file: FileToMark, type: SourceType) => Promise<{ bytes: MediaBytes; mark: ResultMark }>;

/** Undefined: the operator wants no marks. */
export function createResultMarker(
  { marks, unmarked }: Pick<Settings['media'], 'marks' | 'unmarked'>,
  register: Registry,
): ResultMarker | undefined {
  const counter = new Counter({
    name: 'mediagate_result_marks_total',
    help: 'Files of results by what became of their mark: written, stated by the vendor, unmarked.',
    registers: [register],
    labelNames: ['state'],
  });
  if (marks === 'off') return undefined;
  return async (file, type) => {
    const marked = await markFile(file, type);
    counter.inc({ state: marked.state });
    const problem = marked.state === 'unmarked' ? marked.problem : null;
    if (problem !== null && unmarked === 'fail') throw new OutputError(`the result could not be marked: ${problem}`);
    const bytes = marked.state === 'written' ? marked.bytes : file.bytes;
    return { bytes, mark: { state: marked.state, source_type: marked.state === 'written' ? type : null, problem } };
  };
}
