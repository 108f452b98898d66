import { createGuardedClient } from '@mediagate/egress';
import { createOutputFetcher, createProber, createStepFiles, WorkSlots, workSpaceOf } from '@mediagate/media';
import { createAdapters, createHttpClient } from '@mediagate/upstreams';

/** Tasks that a process asks a vendor for at once, as a worker does, and whose images it judges. */
export interface ImageWork {
  baseUrl: string;
  workFolder: string;
  tasks: number;
  imagesEach: number;
}

export interface ImageReport {
  /** SHA-256 of all images, each once, in hexadecimal. */
  hashes: string[];
  /** The process grew by so much between the first answer and its peak. */
  grownBytes: number;
}

process.once('message', (work: ImageWork) => {
  void makeImages(work).then((report) => process.send?.(report, () => process.exit()));
});
process.once('disconnect', () => process.exit());

async function makeImages({ baseUrl, workFolder, tasks, imagesEach }: ImageWork): Promise<ImageReport> {
  const adapter = createAdapters({ http: createHttpClient() }).get('openai-images');
  const work = workSpaceOf({ WORK_FOLDER: workFolder, WORK_FOLDER_MB: 4096 }, new WorkSlots());
  const client = createGuardedClient({ allowPrivateCidrs: [], allowPorts: [], allowOrigins: [] });
  const fetchOutput = createOutputFetcher({ client, prober: createProber(), work });
  const openFiles = createStepFiles(work, () => undefined);
  const endpoint = { channelId: 'main', baseUrl, apiKey: 'key', model: 'model', options: {} };
  const { signal } = new AbortController();
  const hashes = new Set<string>();
  const before = process.memoryUsage.rss();
  const makeSome = async (attemptId: string) => {
    const step = { owner: { accountId: attemptId }, signal };
    const files = openFiles(step);
    const request = { prompt: 'a harbour', n: imagesEach, size: 'auto' };
    const made = await adapter?.start({ attemptId, request, media: [] }, { endpoint, signal, newFile: files.newFile });
    if (made?.kind !== 'done') throw new Error(JSON.stringify(made));
    for (const output of made.outputs) {
      const { bytes } = await fetchOutput(output, { channelBaseUrl: baseUrl, ...step });
      if (!Buffer.isBuffer(bytes) && bytes.sha256) hashes.add(bytes.sha256.toString('hex'));
    }
    await files.close();
  };
  await Promise.all(Array.from({ length: tasks }, (_, index) => makeSome(`task-${index}`)));
  return { hashes: [...hashes], grownBytes: process.resourceUsage().maxRSS * 1024 - before };
}
