import { bytesIn, type Output, type Owner, type ShownKey } from '@mediagate/contracts';
import { EgressError, type EgressReason, type GuardedClient, type OriginSecret } from '@mediagate/egress';
import { isTransient } from '../media-error';
import { type MediaType, sniff, soundIn } from '../sniff';
import type { FilesPerResult } from '../work-slots';
import { OutputError } from './output';

export interface OutputSource {
  /** The channel's `base_url`: its origin is allowed whatever its address, where the operator's file names it. */
  channelBaseUrl: string;
  /** An operator set this channel by the API: its origin must be as public as any other. */
  mustBePublic?: boolean;
  /** The channel's key for outputs that need it; absent: its protocol shows none. */
  showKey?: () => ShownKey | Promise<ShownKey>;
  /** Default: one. */
  filesPerResult?: FilesPerResult;
  /** The owner of the output's task. */
  owner: Owner;
  signal: AbortSignal;
}

/** The types each role may have, and what one file may weigh and take: an image of 3840x2160 is 25 MB at most. */
const ROLES: Readonly<Record<Output['role'], { family: string; maxBytes: number; timeoutMs: number }>> = {
  image: { family: 'image/', maxBytes: 64 * 1024 * 1024, timeoutMs: 60_000 },
  cover: { family: 'image/', maxBytes: 16 * 1024 * 1024, timeoutMs: 60_000 },
  audio: { family: 'audio/', maxBytes: 128 * 1024 * 1024, timeoutMs: 120_000 },
  video: { family: 'video/', maxBytes: 512 * 1024 * 1024, timeoutMs: 300_000 },
};

/** A larger video has more time, and no more than this: tasks have half an hour. */
const LONGEST_MS = 900_000;

/** Any status but 410 counts: storages answer 403 or 404 until a file is there. */
const ABSENCES: ReadonlySet<EgressReason> = new Set(['network', 'timeout', 'http_status']);
const GONE = 410;
/** Bytes that are no media, and no more than this, are a page that stands in for the file. */
const PAGE_MAX_BYTES = 64 * 1024;

export type OutputLink = Extract<Output, { url: string }>;

/** How results are fetched. */
export interface OutputReceiver {
  client: Pick<GuardedClient, 'stream'>;
  /** The most that a video may weigh; default: 512 MiB. */
  maxVideoBytes?: number | undefined;
}

/** The bytes that an output may turn out to have, before it comes in. */
export function maxBytesOf({ role, bytes }: Output, receiver: OutputReceiver): number {
  return bytes === undefined ? boundsOf(role, receiver).maxBytes : bytesIn(bytes);
}

function boundsOf(role: Output['role'], { maxVideoBytes }: OutputReceiver): { maxBytes: number; timeoutMs: number } {
  const { maxBytes, timeoutMs } = ROLES[role];
  if (role !== 'video' || maxVideoBytes === undefined) return { maxBytes, timeoutMs };
  const longerMs = Math.min(timeoutMs * (maxVideoBytes / maxBytes), LONGEST_MS);
  return { maxBytes: maxVideoBytes, timeoutMs: Math.max(timeoutMs, longerMs) };
}

/** The bytes of the largest result of any role. */
export function largestOutput(maxVideoBytes: number): number {
  return Math.max(maxVideoBytes, ROLES.audio.maxBytes);
}

/** Hands an output's bytes to `take` as they come in. Throws OutputError; EgressError with reason `aborted`. */
export async function receiveOutput<T>(
  receiver: OutputReceiver,
  output: OutputLink,
  source: OutputSource,
  take: (chunks: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T> {
  const { maxBytes, timeoutMs } = boundsOf(output.role, receiver);
  const { owner, signal } = source;
  const { origin } = new URL(source.channelBaseUrl);
  const secret = output.needsKey === true && (await secretOf(source, output.url, origin));
  const allowOrigins = source.mustBePublic ? [] : [origin];
  const options = { owner, maxBytes, timeoutMs, signal, resumes: true, allowOrigins, ...(secret && { secret }) };
  return receiver.client
    .stream(output.url, options, ({ body }) => take(body))
    .catch((error: unknown) => {
      if (!(error instanceof EgressError) || error.reason === 'aborted') throw error;
      // A file that did not come within its full time is not asked for again at once, which would take as long.
      const transient = error.reason !== 'timeout' && isTransient(error);
      const mayComeLater = ABSENCES.has(error.reason) && error.status !== GONE;
      throw new OutputError(`the result was not fetched: ${error.message}`, { transient, mayComeLater, cause: error });
    });
}

/** The channel's key, where the link leads to the channel itself: nobody else is shown it, and it is not fetched for anybody else. */
async function secretOf({ showKey }: OutputSource, url: string, origin: string): Promise<OriginSecret | undefined> {
  if (showKey === undefined || URL.parse(url)?.origin !== origin) return undefined;
  const shown = await showKey();
  if (shown.ok) return { origin, headers: shown.headers };
  const detail = `the result was not fetched: the channel's key was not had: ${shown.fault.detail}`;
  throw new OutputError(detail, { transient: true, mayComeLater: true });
}

/** The type of the bytes, which must be of the role's family: a container that may hold sound alone counts as sound, too. */
export function judgeType(role: Output['role'], head: Buffer, totalBytes: number): MediaType {
  const type = sniff(head);
  const candidates = type === undefined ? [] : [type, soundIn(type.contentType)];
  const found = candidates.find((candidate) => candidate?.contentType.startsWith(ROLES[role].family));
  if (found !== undefined) return found;
  const mayComeLater = type === undefined && totalBytes <= PAGE_MAX_BYTES;
  throw new OutputError(`the ${role} of ${totalBytes} bytes is ${type?.contentType ?? 'of no known type'}`, {
    mayComeLater,
  });
}
