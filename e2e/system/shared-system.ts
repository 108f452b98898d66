import { type MediaHost, startMediaHost } from './media-host';
import { type System, startSystem } from './start-system';

interface Shared {
  system: System;
  media: MediaHost;
}

let opening: Promise<Shared> | undefined;

/** The system of this test file, for all of its parts: starting one takes as much CPU as most of them take. */
export function sharedSystem(): Promise<Shared> {
  opening ??= open();
  return opening;
}

export async function stopSharedSystem(): Promise<void> {
  const shared = await opening;
  await shared?.system.stop();
  await shared?.media.stop();
}

async function open(): Promise<Shared> {
  const media = await startMediaHost();
  const reach = { allow_private_cidrs: ['127.0.0.0/8'], allow_ports: [80, 443, media.port] };
  try {
    return { media, system: await startSystem({ media: reach, env: { CORS_ORIGINS: '*' } }) };
  } catch (error) {
    await media.stop();
    throw error;
  }
}
