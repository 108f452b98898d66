import { fork } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import type { ImageReport, ImageWork } from './world/image-process';
import { TYPESCRIPT } from './world/typescript';

const MIB = 1024 * 1024;
const [TASKS, IMAGES_EACH, IMAGE_MIB] = [8, 4, 16];

function chunk(type: string, data: Buffer): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(4), Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
  bytes.writeUInt32BE(data.length);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), bytes.length - 4);
  return bytes;
}

/** As large as a model's largest, by its header and its bytes; nobody unfolds its pixels. */
function largePng(): Buffer {
  const header = Buffer.from('00000f00000008700802000000', 'hex');
  const pixels = Array.from({ length: IMAGE_MIB }, () => chunk('IDAT', randomBytes(MIB)));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', header), ...pixels, chunk('IEND', Buffer.alloc(0))]);
}

it('a worker keeps images that come in answers in little memory, however many and large they are', async () => {
  const workFolder = await mkdtemp(join(tmpdir(), 'mediagate-memory-'));
  const image = largePng();
  const base64 = Buffer.from(image.toString('base64'));
  function* answer() {
    yield '{"data":[';
    for (let index = 0; index < IMAGES_EACH; index += 1) {
      yield index === 0 ? '{"b64_json":"' : ',{"b64_json":"';
      for (let at = 0; at < base64.length; at += MIB) yield base64.subarray(at, at + MIB);
      yield '"}';
    }
    yield ']}';
  }
  const vendor = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json');
    Readable.from(answer(), { objectMode: false }).pipe(response);
  });
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`;
  const child = fork(require.resolve('./world/image-process'), { execArgv: TYPESCRIPT });
  try {
    const work: ImageWork = { baseUrl, workFolder, tasks: TASKS, imagesEach: IMAGES_EACH };
    child.send(work);
    const [report] = (await once(child, 'message')) as [ImageReport];
    expect(report.hashes).toEqual([createHash('sha256').update(image).digest('hex')]);
    // All answers together have 683 MiB. A worker may have 600, and has some 170 before the first of them.
    expect(report.grownBytes).toBeLessThan(430 * MIB);
    expect(await readdir(workFolder)).toEqual([]);
  } finally {
    child.kill('SIGKILL');
    vendor.closeAllConnections();
    vendor.close();
    await rm(workFolder, { recursive: true });
  }
}, 120_000);
