import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openTestDatabase } from '@mediagate/testkit';
import sharp from 'sharp';
import { createFilesystemStorage, createLinks, MediaStore } from '../src';

export async function openStore() {
  const { database, another, close: drop } = await openTestDatabase();
  const root = await mkdtemp(path.join(tmpdir(), 'mediagate-media-'));
  const storage = await createFilesystemStorage({ root });
  const links = createLinks({ publicBaseUrl: 'https://media.example', secrets: ['a-secret-of-some-length'] });
  const close = async () => {
    await drop();
    await rm(root, { recursive: true });
  };
  return { database, another, root, storage, links, store: new MediaStore({ database, storage, links }), close };
}

/** A server on a loopback address. */
export async function serve(
  handler: RequestListener,
  host = '127.0.0.1',
): Promise<{ origin: string; close(): Promise<void> }> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { origin: `http://${host}:${(server.address() as AddressInfo).port}`, close };
}

/** Makes an image with an alpha channel. */
export function clearImage(format: 'png' | 'webp'): Promise<Buffer> {
  return sharp({ create: { width: 30, height: 20, channels: 4, background: { r: 1, g: 2, b: 3, alpha: 0.5 } } })
    .toFormat(format)
    .toBuffer();
}

export function image(format: 'png' | 'jpeg' | 'webp' | 'gif', width = 30, height = 20): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  return sharp({ create: { width, height, channels: 3, background: 'red', noise } })
    .toFormat(format)
    .toBuffer();
}
