import type { ModeratedContent, NamedAddress } from '@mediagate/catalog';
import {
  type Failure,
  fieldFailure,
  GatewayError,
  type Json,
  type JsonObject,
  type MediaBytes,
  type MediaReference,
  type Owner,
  refuseAll,
  replaceTexts,
} from '@mediagate/contracts';
import type { Visibility } from '@mediagate/database';
import {
  type AcceptedFile,
  acceptFile,
  bytesOfInlineFile,
  type CheckedMedia,
  checkMedia,
  describeFile,
  type InlineFile,
  MediaError,
  sniff,
  withImageLimit,
} from '@mediagate/media';
import type { FileOutline } from '@mediagate/upstreams';
import type { Api } from '../api';
import type { Caller } from './caller';
import { invalid } from './invalid';
import { saveUpload } from './save-upload';

/** Files that came with the request itself, by the URL that stands for each in the body: of a form, or as data URLs. */
export type AttachedFiles = ReadonlyMap<string, AttachedFile>;
/** `InlineFile`: a data URL. */
type AttachedFile = MediaBytes | InlineFile;

/** A file that must be stored before a worker can find it: it came with the request, or as a data URL. */
export interface LocalFile extends AcceptedFile {
  /** The file's placeholder in the input so far. */
  url: string;
}

/** The part of `Api` that looks at files. */
type Judging = Pick<Api, 'client' | 'maxImageBytes' | 'mediaStore' | 'prober'>;

export interface JudgedFiles {
  /** Files that have to be stored. */
  local: LocalFile[];
  /** Outlines of all files, as far as they are known. */
  outlines: FileOutline[];
  /** The input with our own links in place of the ids of files. */
  input: JsonObject;
}

interface FileNaming {
  /** Whoever may name the files that they see by their ids. */
  owner: Owner & Visibility;
  files: AttachedFiles;
}

interface FilesToJudge extends Pick<FileNaming, 'owner'> {
  input: JsonObject;
  references: readonly MediaReference[];
  files: AttachedFiles | undefined;
}

/**
 * Says no to what can be known to be wrong before a worker looks: private addresses, dead links of our own, files of the
 * wrong kind or size.
 *
 * @throws GatewayError `invalid_request` or `not_found` (an id of no file that the owner sees), naming the field.
 */
export async function judgeFiles(
  api: Judging,
  { input, references, owner, files = NO_FILES }: FilesToJudge,
): Promise<JudgedFiles> {
  if (files.size > 0) refuseStrayFiles(input, new Set(references.map(({ url }) => url)), files);
  const judgements = await Promise.all(
    references.map((reference) => judgeOne(api, withImageLimit(reference, api.maxImageBytes), { files, owner })),
  );
  refuseAll(judgements.filter(isFailure));
  const judged = judgements.filter((judgement): judgement is Judged => !isFailure(judgement));
  const links = new Map(judged.flatMap(({ named }) => (named ? [named] : [])));
  return {
    local: judged.flatMap(({ local }) => local ?? []),
    outlines: judged.map(({ outline }) => outline),
    input: links.size === 0 ? input : (replaceTexts(input, links) as JsonObject),
  };
}

/** The content as its reviewer can see it: with its files in place. Throws GatewayError where there is no memory for them. */
export async function showFiles(content: ModeratedContent, files: AttachedFiles = NO_FILES): Promise<ModeratedContent> {
  const shown = content.images.map(async (image) => ({
    ...image,
    url: await inlineUrl(image.url, files.get(image.url)),
  }));
  return { ...content, images: await Promise.all(shown) };
}

/**
 * Says no to addresses of web pages, which nobody fetches here.
 *
 * @throws GatewayError `invalid_request`, naming the field.
 */
export function judgePages({ client }: Pick<Api, 'client'>, pages: readonly NamedAddress[]): void {
  refuseAll(
    pages.flatMap(({ field, url }) => {
      const refusal = client.checkUrl(url);
      return refusal ? fieldFailure('invalid_parameter', field, 'about_field', { problem: refusal.problem }) : [];
    }),
  );
}

/**
 * Stores the files as uploads of the caller; answers the input with their links in place.
 *
 * @throws what `saveUpload` throws.
 */
export async function storeFiles(
  api: Pick<Api, 'mediaStore' | 'uploadQuotas'>,
  { input, files, caller }: { input: JsonObject; files: readonly LocalFile[]; caller: Caller },
): Promise<JsonObject> {
  if (files.length === 0) return input;
  const links = new Map<string, string>();
  for (const file of files) {
    if (!links.has(file.url)) links.set(file.url, (await saveUpload(api, caller, file)).url);
  }
  return replaceTexts(input, links) as JsonObject;
}

interface Judged {
  outline: FileOutline;
  local: LocalFile | undefined;
  /** The id of a file, and its link. */
  named: [id: string, link: string] | undefined;
}

async function judgeOne(
  { client, mediaStore: store, prober }: Judging,
  reference: MediaReference,
  { files, owner }: FileNaming,
): Promise<Judged | Failure> {
  const { field, role, url } = reference;
  const attached = files.get(url);
  try {
    const checked = attached
      ? await acceptAttached(reference, attached)
      : await checkMedia({ client, store, prober }, reference, owner);
    const { file, link, ...known } = checked;
    const named: Judged['named'] = link === undefined ? undefined : [url, link];
    return { outline: { field, role, ...known }, local: file && { ...file, url }, named };
  } catch (error) {
    if (!(error instanceof MediaError)) throw error;
    if (error.unknown) throw new GatewayError('not_found', error.problem, { param: error.field });
    return { reason: 'bad_media', message: error.problem, param: error.field };
  }
}

function isFailure(judgement: Judged | Failure): judgement is Failure {
  return 'reason' in judgement;
}

const NO_FILES: AttachedFiles = new Map();

async function acceptAttached(reference: MediaReference, attached: AttachedFile): Promise<CheckedMedia> {
  if (isInline(attached)) return describeFile(await acceptFile(reference, bytesOfInlineFile(reference, attached)));
  // A file of a form, or of a part: no id can stand in its place.
  return describeFile(await acceptFile({ ...reference, takesIds: false }, attached));
}

async function inlineUrl(url: string, file: AttachedFile | undefined): Promise<string> {
  if (file === undefined || !isInline(file) || file.bytes === undefined) return url;
  const bytes = await file.read();
  const contentType = sniff(bytes)?.contentType ?? file.contentType;
  return `data:${contentType};base64,${bytes.toString('base64')}`;
}

function isInline(file: AttachedFile): file is InlineFile {
  return 'contentType' in file;
}

/** Refuses placeholders of files in fields that take no file: they must not be passed on in place of the caller's text. */
function refuseStrayFiles(value: Json, known: ReadonlySet<string>, files: AttachedFiles, path = ''): void {
  if (typeof value === 'string') {
    if (known.has(value) || !files.has(value)) return;
    throw invalid(path, 'data_url_not_taken');
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const inner = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    refuseStrayFiles(member as Json, known, files, inner);
  }
}
