import type { ByteSource, ReadBytes } from '../sources/byte-source';
import type { WorkLimit } from './work-limit';

const PAGE_BYTES = 16 * 1024;
/** 1 MB. */
const KEPT_PAGES = 64;

/**
 * A file whose short reads are answered from pages that are kept, because each page that is brought is a message between
 * processes. Each read is counted as a step.
 */
export function pagedSource(totalBytes: number, bring: ReadBytes, work: WorkLimit): ByteSource {
  const pages = new Map<number, Promise<Uint8Array>>();

  function page(index: number): Promise<Uint8Array> {
    const start = index * PAGE_BYTES;
    const kept = pages.get(index) ?? bring(start, Math.min(totalBytes, start + PAGE_BYTES));
    // The one that was asked for last is the last to go.
    pages.delete(index);
    pages.set(index, kept);
    for (const oldest of pages.keys()) {
      if (pages.size <= KEPT_PAGES) break;
      pages.delete(oldest);
    }
    return kept;
  }

  async function read(start: number, end: number): Promise<Buffer> {
    const last = Math.min(end, totalBytes);
    work.look(Math.max(0, last - start));
    if (start >= last) return Buffer.alloc(0);
    const first = Math.floor(start / PAGE_BYTES);
    if (first !== Math.floor((last - 1) / PAGE_BYTES)) return Buffer.from(await bring(start, last));
    return Buffer.from((await page(first)).subarray(start - first * PAGE_BYTES, last - first * PAGE_BYTES));
  }

  return { totalBytes, read };
}
