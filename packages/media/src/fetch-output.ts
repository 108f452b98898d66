import type { Output } from '@mediagate/contracts';
import { EgressError, type GuardedClient } from '@mediagate/egress';
import { ImageError, inspectImage } from './inspect-image';
import { isTransient } from './media-error';
import { type MediaType, sniff } from './sniff';

/** One result of an upstream as it will be kept: its bytes, and what they are. */
export interface FetchedOutput extends MediaType {
  role: Output['role'];
  bytes: Buffer;
  width?: number;
  height?: number;
}

/** A result that cannot be had or is none. The message is for operators: it may speak of the upstream. */
export class OutputError extends Error {
  /** Its server failed or did not answer: worth another try. */
  readonly transient: boolean;

  constructor(message: string, options: { transient?: boolean; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'OutputError';
    this.transient = options.transient ?? false;
  }
}

export interface OutputSource {
  /** The channel's `base_url`: its origin is allowed whatever its address, because the operator chose it. */
  channelBaseUrl: string;
  signal: AbortSignal;
}

/** Throws OutputError; EgressError with reason `aborted` when the signal came. */
export type OutputFetcher = (output: Output, source: OutputSource) => Promise<FetchedOutput>;

/** The types each role may have, and what one file may weigh and take: a picture of 3840x2160 is 25 MB at most. */
const ROLES: Readonly<Record<Output['role'], { family: string; maxBytes: number; timeoutMs: number }>> = {
  image: { family: 'image/', maxBytes: 64 * 1024 * 1024, timeoutMs: 60_000 },
  cover: { family: 'image/', maxBytes: 16 * 1024 * 1024, timeoutMs: 60_000 },
  audio: { family: 'audio/', maxBytes: 128 * 1024 * 1024, timeoutMs: 120_000 },
  video: { family: 'video/', maxBytes: 512 * 1024 * 1024, timeoutMs: 300_000 },
};

/** Makes a vendor's output ours: fetched if it is a link, and taken for what its bytes are, not what the vendor called it. */
export function createOutputFetcher({ client }: { client: Pick<GuardedClient, 'download'> }): OutputFetcher {
  return async (output, source) => {
    const { role } = output;
    const bytes = output.bytes ?? (await download(client, output, source));
    const type = sniff(bytes);
    if (type === undefined || !type.contentType.startsWith(ROLES[role].family)) {
      throw new OutputError(`the ${role} of ${bytes.length} bytes is ${type?.contentType ?? 'of no known type'}`);
    }
    if (!type.contentType.startsWith('image/')) return { ...type, role, bytes };
    return { ...type, role, bytes, ...(await inspectResult(bytes)) };
  };
}

async function download(
  client: Pick<GuardedClient, 'download'>,
  output: Extract<Output, { url: string }>,
  { channelBaseUrl, signal }: OutputSource,
): Promise<Buffer> {
  const { maxBytes, timeoutMs } = ROLES[output.role];
  const allowOrigins = [new URL(channelBaseUrl).origin];
  const file = await client
    .download(output.url, { maxBytes, timeoutMs, allowOrigins, signal })
    .catch((error: unknown) => {
      if (!(error instanceof EgressError) || error.reason === 'aborted') throw error;
      const transient = isTransient(error);
      throw new OutputError(`the result was not fetched: ${error.message}`, { transient, cause: error });
    });
  return file.bytes;
}

async function inspectResult(bytes: Buffer): Promise<{ width: number; height: number }> {
  const { format, width, height } = await inspectImage(bytes).catch((error: unknown) => {
    throw error instanceof ImageError ? new OutputError(error.message, { cause: error }) : error;
  });
  if (isCutOff(format, bytes)) throw new OutputError(`the ${format} of ${bytes.length} bytes is cut off`);
  return { width, height };
}

/** Bytes at the end of a file in which its closing mark must stand. */
const TAIL_BYTES = 4096;

/** Encoders close what they write; a file without its closing mark lost its end. (A WebP's header tells its length.) */
function isCutOff(format: string, bytes: Buffer): boolean {
  const tail = bytes.subarray(-TAIL_BYTES);
  if (format === 'png') return !tail.includes('IEND', 0, 'latin1');
  if (format === 'jpeg') return !tail.includes('\xff\xd9', 0, 'latin1');
  return false;
}
