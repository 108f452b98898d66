import { type LoadedMedia, message } from '@mediagate/contracts';
import { MediaError } from '@mediagate/media';
import type { Run } from '../run-state';

/** Above what two readings of one file differ by, and below what any price or limit is reckoned in. */
const SAME_SECONDS = 0.05;

/**
 * Compares files that were fetched once more with what the task was judged by: their server may give others the second time,
 * and each field that names the address gets them.
 *
 * @throws MediaError of the field.
 */
export function mustBeAsJudged(files: readonly LoadedMedia[], { task, entry, media = [] }: Run): void {
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
