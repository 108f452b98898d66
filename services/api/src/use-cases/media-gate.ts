import { GatewayError, isJsonObject, type Json, type JsonObject, type MediaReference } from '@mediagate/contracts';
import { DataUrlError, ImageError, inspectImage, type MediaError, parseDataUrl, sniff } from '@mediagate/media';
import type { SaveUpload } from './save-upload';

/** Files that came with the request itself, by the URL that stands for each in the body. */
export type Attachments = ReadonlyMap<string, Buffer>;

/** A file that must be stored before a worker can find it: it came with the request, or as a data URL. */
export interface LocalFile {
  /** What stands for it in the input so far. */
  url: string;
  bytes: Buffer;
  contentType: string;
  width: number;
  height: number;
}

export interface MediaGateDeps {
  /** What can be said against a URL, or a link of our own, without fetching it. */
  checkMedia(reference: MediaReference): Promise<MediaError | undefined>;
  saveUpload: SaveUpload;
}

export interface MediaGate {
  /**
   * Says no to what can be known to be wrong before a worker looks: private addresses, dead links of our own, files of the
   * wrong kind or size. Gives back what has to be stored.
   *
   * @throws GatewayError `invalid_request`, naming the field.
   */
  judge(references: readonly MediaReference[], attachments?: Attachments): Promise<LocalFile[]>;
  /** Stores the files as uploads of the account; answers the input with their links in place. */
  store(input: JsonObject, files: readonly LocalFile[], accountId: string): Promise<JsonObject>;
}

export function createMediaGate({ checkMedia, saveUpload }: MediaGateDeps): MediaGate {
  async function judgeOne(reference: MediaReference, attachments: Attachments): Promise<LocalFile | undefined> {
    const bytes = attachments.get(reference.url) ?? dataOf(reference);
    if (bytes) return judgeBytes(reference, bytes);
    const refusal = await checkMedia(reference);
    if (refusal) throw new GatewayError('invalid_request', refusal.message, { param: refusal.field });
    return undefined;
  }

  return {
    async judge(references, attachments = NO_ATTACHMENTS) {
      const judged = await Promise.all(references.map((reference) => judgeOne(reference, attachments)));
      return judged.filter((file) => file !== undefined);
    },
    async store(input, files, accountId) {
      if (files.length === 0) return input;
      const links = new Map<string, string>();
      for (const file of files) {
        if (!links.has(file.url)) links.set(file.url, (await saveUpload(accountId, file)).url);
      }
      return replaceTexts(input, links) as JsonObject;
    },
  };
}

const NO_ATTACHMENTS: Attachments = new Map();

/** The bytes of a data URL; undefined for any other. */
function dataOf(reference: MediaReference): Buffer | undefined {
  if (!reference.url.startsWith('data:')) return undefined;
  try {
    return parseDataUrl(reference.url, reference).bytes;
  } catch (error) {
    throw error instanceof DataUrlError ? invalid(reference.field, error.message) : error;
  }
}

async function judgeBytes({ field, url, maxBytes, contentTypes }: MediaReference, bytes: Buffer): Promise<LocalFile> {
  if (bytes.length > maxBytes) {
    throw invalid(field, `The file has ${bytes.length} bytes; at most ${maxBytes} are accepted.`);
  }
  const contentType = sniff(bytes)?.contentType ?? 'of an unknown type';
  if (!contentTypes.includes(contentType)) {
    throw invalid(field, `The file is ${contentType}; accepted are ${contentTypes.join(', ')}.`);
  }
  try {
    const { width, height } = await inspectImage(bytes);
    return { url, bytes, contentType, width, height };
  } catch (error) {
    throw error instanceof ImageError ? invalid(field, error.message) : error;
  }
}

function replaceTexts(value: Json, texts: ReadonlyMap<string, string>): Json {
  if (typeof value === 'string') return texts.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => replaceTexts(item, texts));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replaceTexts(member, texts)]));
}

function invalid(field: string, problem: string): GatewayError {
  return new GatewayError('invalid_request', `${field}: ${problem}`, { param: field });
}
