import type { Done, Json, MediaBytes, Output, Refused, Usage } from '@mediagate/contracts';
import type { Misplaced } from '../job';
import { decimal, httpUrl, present } from '../json-guards';
import { readUsage } from '../openai-images/usage';
import { refused, unreadable } from '../vendor-call';
import { segmentsOf } from './request-view';
import { OUTPUT_ROLES, type OutputPlaces } from './template';

/** Where the outputs of an accepted job stand, as its operation keeps it: templates may change under way. */
export type KeptPlaces = Omit<OutputPlaces, 'keep_seconds'> & Pick<Output, 'keepSeconds' | 'audioFormat'>;

interface Reported {
  /** The job's cost, in the vendor's own units. */
  credits?: string | undefined;
  requestIds: (string | undefined)[];
  /** Reads a file at its place; undefined: there is none. Default: a link. */
  fileOf?: (value: Json) => FoundFile | undefined;
}

/** A file as an answer has it. */
export type FoundFile = { bytes: MediaBytes } | { url: string; needsKey?: true };

/**
 * The outputs that an answer holds at the places of a template. Where a place is empty so far, the answer is refused, and the job is
 * asked about again; an answer that has none of the places, or things there that are no files, is `misplaced`.
 */
export function readOutput(
  answer: Json,
  places: KeptPlaces,
  { credits, requestIds, fileOf = linkOf }: Reported,
): Done | Refused | Misplaced {
  const outputs = OUTPUT_ROLES.flatMap((role) =>
    filesAt(answer, places[role], fileOf).map((file) => outputOf(role, file, places)),
  );
  const given = requestIds.filter((id) => id !== undefined);
  const ids = given.length === 0 ? undefined : given;
  if (outputs.length === 0) {
    const named = OUTPUT_ROLES.flatMap((role) => places[role] ?? []);
    if (!named.every((place) => leadsAstray(answer, segmentsOf(place))))
      return refused(unreadable('no link to a result', credits), requestIds);
    const isThere = named.some((place) => valuesAt(answer, place).length > 0);
    const what = isThere ? `something else than a ${fileOf === linkOf ? 'link' : 'file'}` : 'nothing';
    const detail = `the job is done, and its answer has ${what} at ${named.join(' or ')}: correct \`output\` of the template`;
    return present<Misplaced>({ kind: 'misplaced', detail, credits, requestIds: ids });
  }
  const [length] = places.seconds === undefined ? [] : valuesAt(answer, places.seconds);
  const seconds = decimal(length);
  const images = outputs.filter(({ role }) => role === 'image').length;
  return present<Done>({
    kind: 'done',
    outputs,
    usage: {
      ...(images === 0 ? {} : { images }),
      ...tokensAt(answer, places.usage),
      // Whole frames and sound packets make a video some hundredths longer than what was asked for and is charged.
      ...(seconds === undefined ? {} : { seconds: Math.round(seconds) }),
    },
    credits,
    requestIds: ids,
  });
}

/** The tokens of a vendor that passes on OpenAI's counts. */
function tokensAt(answer: Json, place: string | undefined): Usage {
  const [usage] = place === undefined ? [] : valuesAt(answer, place);
  const { images: _, ...tokens } = readUsage(usage, 0);
  return tokens;
}

export function outputOf(
  role: (typeof OUTPUT_ROLES)[number],
  file: FoundFile,
  { keepSeconds, audioFormat }: Pick<KeptPlaces, 'keepSeconds' | 'audioFormat'>,
): Output {
  return present<Output>({ role, ...file, keepSeconds, audioFormat });
}

function filesAt(answer: Json, place: string | undefined, fileOf: (value: Json) => FoundFile | undefined): FoundFile[] {
  if (place === undefined) return [];
  return valuesAt(answer, place).flatMap((value) => fileOf(value) ?? []);
}

export function linkOf(value: Json): FoundFile | undefined {
  const url = httpUrl(value);
  return url === undefined ? undefined : { url };
}

/** Every value that a pointer names, in which `*` is each item of a list. */
function valuesAt(answer: Json, pointer: string): Json[] {
  return segmentsOf(pointer).reduce<Json[]>(
    (values, segment) => values.flatMap((value) => step(value, segment)),
    [answer],
  );
}

/** Whether a place where no file stands is none of the answer's, or for something else: what is empty so far may still come there. */
export function leadsAstray(value: Json, [segment, ...rest]: readonly string[]): boolean {
  if (value === null || value === '') return false;
  if (segment === undefined) return typeof value !== 'object' || Object.keys(value).length > 0;
  if (Array.isArray(value)) {
    if (segment !== '*' && !/^\d+$/.test(segment)) return value.length > 0;
    const items = step(value, segment);
    return items.length > 0 && items.every((item) => leadsAstray(item, rest));
  }
  if (typeof value !== 'object') return true;
  const [found] = step(value, segment);
  return found === undefined ? Object.keys(value).length > 0 : leadsAstray(found, rest);
}

function step(value: Json, segment: string): Json[] {
  if (Array.isArray(value)) {
    if (segment === '*') return value;
    return /^\d+$/.test(segment) ? value.slice(Number(segment), Number(segment) + 1) : [];
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return [];
  const found = value[segment];
  return found === undefined ? [] : [found];
}
