import type { Done, Json, Refused } from '@mediagate/contracts';
import type { Endpoint } from '../contract';
import type { Misplaced } from '../job';
import { base64Bytes, decimalText, present, text } from '../json-guards';
import { type FoundFile, type KeptPlaces, linkOf, outputOf, readOutput } from '../templates/read-output';
import { valueAt } from '../templates/request-view';
import { OUTPUT_ROLES } from '../templates/template';
import type { VendorFile } from '../vendor-call';
import { descriptionOf, type FileWords } from './description';

interface Answered {
  endpoint: Endpoint;
  requestIds: (string | undefined)[];
}

/** The files of an answer that has succeeded, at the places of the job's template. */
export function readFiles(
  answer: Json,
  places: KeptPlaces,
  { endpoint, requestIds }: Answered,
): Done | Refused | Misplaced {
  const { result: { files = 'links' } = {}, cost } = descriptionOf(endpoint);
  const credits = cost === undefined ? undefined : decimalText(valueAt(answer, cost));
  const read = readOutput(answer, places, { credits, requestIds, fileOf: READERS[files](endpoint) });
  if (read.kind === 'misplaced') return { ...read, detail: `${read.detail}, or \`http_job.result.files\`` };
  if (read.kind !== 'done' || cost === undefined || credits !== undefined) return read;
  return { ...read, mistake: `an answer with a result has no decimal number at ${cost}: correct \`http_job.cost\`` };
}

type ReadFile = (value: Json) => FoundFile | undefined;

const READERS: Readonly<Record<FileWords, (endpoint: Endpoint) => ReadFile>> = {
  links: () => linkOf,
  keyed_links:
    ({ baseUrl }) =>
    (value) =>
      keyedLink(value, baseUrl),
  base64: () => fileIn,
  // Where the answer is the file, nothing is read of it.
  body: () => () => undefined,
};

/** A path is one of the channel's own origin. */
function keyedLink(value: Json, baseUrl: string): FoundFile | undefined {
  const link = text(value);
  const whole = link?.startsWith('/') && !link.startsWith('//') ? new URL(baseUrl).origin + link : value;
  const found = linkOf(whole);
  return found && { ...found, needsKey: true };
}

/** A data URI, or base64 alone. A long one is a file already. */
function fileIn(value: Json): FoundFile | undefined {
  const head = typeof value === 'string' ? /^data:[\w.+/-]{1,100};base64,/.exec(value.slice(0, 200))?.[0] : undefined;
  const bytes = base64Bytes(head === undefined ? value : String(value).slice(head.length));
  return bytes && { bytes };
}

/** A file that an answer is. */
export function fileOutput({ bytes, requestId }: Extract<VendorFile, { ok: true }>, places: KeptPlaces): Done {
  return present<Done>({
    ...doneWithFile({ bytes }, places),
    requestIds: requestId === undefined ? undefined : [requestId],
  });
}

/** The one file of an answer, of the kind that the template names. */
export function doneWithFile(file: FoundFile, places: KeptPlaces): Done {
  const role = OUTPUT_ROLES.find((name) => places[name] !== undefined) ?? 'image';
  return { kind: 'done', outputs: [outputOf(role, file, places)], usage: role === 'image' ? { images: 1 } : {} };
}
