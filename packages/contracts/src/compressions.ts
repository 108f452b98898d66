export type Compression = 'gzip' | 'deflate' | 'br' | 'zstd';

const COMPRESSIONS: Readonly<Record<string, Compression>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  // Servers that name it send gzip: none has written the format of that name for decades.
  compress: 'gzip',
  'x-compress': 'gzip',
  deflate: 'deflate',
  br: 'br',
  zstd: 'zstd',
};

/** Servers compress once, some proxies once more. Each further time would multiply what a body of a few bytes inflates to. */
export const MAX_COMPRESSIONS = 2;

/**
 * How a body is compressed by its `Content-Encoding`, in the order in which that was done. Other words (`identity`, `aws-chunked`,
 * `UTF-8`, none at all) stand there by mistake, and change nothing about the bytes.
 */
export function compressionsOf(contentEncoding: string | readonly string[] | undefined): Compression[] {
  const words = String(contentEncoding ?? '')
    .toLowerCase()
    .split(',');
  return words.flatMap((word) => COMPRESSIONS[word.trim()] ?? []);
}
