import type { ModeratedContent, NamedAddress } from '@mediagate/catalog';
import {
  type Failure,
  fieldFailure,
  GatewayError,
  isJsonObject,
  type Json,
  type JsonObject,
  type MediaReference,
  type Message,
  type Owner,
  oneOfEachField,
  refusedBody,
} from '@mediagate/contracts';
import type { Visibility } from '@mediagate/database';
import {
  type AcceptedFile,
  acceptFile,
  bytesOfInlineFile,
  type CheckedMedia,
  describeFile,
  type InlineFile,
  MAX_IMAGE_BYTES,
  type MediaChecker,
  MediaError,
  sniff,
  withImageLimit,
} from '@mediagate/media';
import type { FileOutline } from '@mediagate/upstreams';
import { invalid } from './invalid';
import type { SaveUpload } from './save-upload';

/** Files that came with the request itself, by the URL that stands for each in the body: of a form, or as data URLs. */
export type AttachedFiles = ReadonlyMap<string, Buffer | InlineFile>;

/** A file that must be stored before a worker can find it: it came with the request, or as a data URL. */
export interface LocalFile extends AcceptedFile {
  /** The file's placeholder in the input so far. */
  url: string;
}

export interface MediaGateDeps {
  /** Why a URL, or a link of our own, is refused without fetching it. */
  checkMedia: MediaChecker;
  saveUpload: SaveUpload;
  /** The largest image; default 20 MiB. */
  maxImageBytes?: number;
  /** Why an address that only an upstream will call is refused; undefined: it is not. */
  checkUrl(url: string): { problem: Message } | undefined;
}

type Uploader = Parameters<SaveUpload>[0];

export interface JudgedFiles {
  /** Files that have to be stored. */
  local: LocalFile[];
  /** Outlines of all files, as far as they are known. */
  outlines: FileOutline[];
  /** The input with our own links in place of the ids of files. */
  input: JsonObject;
}

interface JudgeOptions {
  /** Whoever may name the files that they see by their ids. */
  owner: Owner & Visibility;
  files: AttachedFiles | undefined;
}

export interface MediaGate {
  /**
   * Says no to what can be known to be wrong before a worker looks: private addresses, dead links of our own, files of the
   * wrong kind or size.
   *
   * @throws GatewayError `invalid_request` or `not_found` (an id of no file that the owner sees), naming the field.
   */
  judge(input: JsonObject, references: readonly MediaReference[], options: JudgeOptions): Promise<JudgedFiles>;
  /** The content as its reviewer can see it: with its files in place. */
  show(content: ModeratedContent, files?: AttachedFiles): ModeratedContent;
  /**
   * The same for web pages, which nobody fetches here.
   *
   * @throws GatewayError `invalid_request`, naming the field.
   */
  judgePages(pages: readonly NamedAddress[]): void;
  /**
   * Stores the files as uploads of the caller; answers the input with their links in place.
   *
   * @throws GatewayError `rate_limited` (the quota of uploads).
   */
  store(input: JsonObject, files: readonly LocalFile[], caller: Uploader): Promise<JsonObject>;
}

export function createMediaGate({
  checkMedia,
  saveUpload,
  checkUrl,
  maxImageBytes = MAX_IMAGE_BYTES,
}: MediaGateDeps): MediaGate {
  return {
    async judge(input, references, { owner, files = NO_FILES }) {
      if (files.size > 0) refuseStrayFiles(input, new Set(references.map(({ url }) => url)), files);
      const judgements = await Promise.all(
        references.map((reference) => judgeOne(withImageLimit(reference, maxImageBytes), { files, owner, checkMedia })),
      );
      refuseAll(judgements.filter(isFailure));
      const judged = judgements.filter((judgement): judgement is Judged => !isFailure(judgement));
      const links = new Map(judged.flatMap(({ named }) => (named ? [named] : [])));
      return {
        local: judged.flatMap(({ local }) => local ?? []),
        outlines: judged.map(({ outline }) => outline),
        input: links.size === 0 ? input : (replaceTexts(input, links) as JsonObject),
      };
    },
    show: (content, files = NO_FILES) => ({
      ...content,
      images: content.images.map((image) => ({ ...image, url: inlineUrl(image.url, files.get(image.url)) })),
    }),
    judgePages(pages) {
      refuseAll(
        pages.flatMap(({ field, url }) => {
          const refusal = checkUrl(url);
          return refusal ? fieldFailure('invalid_parameter', field, 'about_field', { problem: refusal.problem }) : [];
        }),
      );
    },
    async store(input, files, caller) {
      if (files.length === 0) return input;
      const links = new Map<string, string>();
      for (const file of files) {
        if (!links.has(file.url)) links.set(file.url, (await saveUpload(caller, file)).url);
      }
      return replaceTexts(input, links) as JsonObject;
    },
  };
}

interface Judged {
  outline: FileOutline;
  local: LocalFile | undefined;
  /** The id of a file, and its link. */
  named: [id: string, link: string] | undefined;
}

interface JudgeContext {
  files: AttachedFiles;
  owner: Owner & Visibility;
  checkMedia: MediaChecker;
}

async function judgeOne(
  reference: MediaReference,
  { files, owner, checkMedia }: JudgeContext,
): Promise<Judged | Failure> {
  const { field, role, url } = reference;
  const attached = files.get(url);
  try {
    const checked = attached ? await acceptAttached(reference, attached) : await checkMedia(reference, owner);
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

/** Throws what is wrong, where anything is. */
function refuseAll([first, ...further]: readonly Failure[]): void {
  if (first !== undefined) throw refusedBody('invalid_request', oneOfEachField([first, ...further]));
}

const NO_FILES: AttachedFiles = new Map();

async function acceptAttached(reference: MediaReference, attached: Buffer | InlineFile): Promise<CheckedMedia> {
  const bytes = Buffer.isBuffer(attached) ? attached : bytesOfInlineFile(reference, attached);
  return describeFile(await acceptFile(reference, bytes));
}

function inlineUrl(url: string, file: Buffer | InlineFile | undefined): string {
  if (file === undefined || Buffer.isBuffer(file) || file.bytes === undefined) return url;
  const contentType = sniff(file.bytes)?.contentType ?? file.contentType;
  return `data:${contentType};base64,${file.bytes.toString('base64')}`;
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

function replaceTexts(value: Json, texts: ReadonlyMap<string, string>): Json {
  if (typeof value === 'string') return texts.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => replaceTexts(item, texts));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replaceTexts(member, texts)]));
}
