import { change } from './gateway.ts';
import type { components } from './generated/api.ts';

export type FileRecord = components['schemas']['FileRecord'];

/** Sends a file to the gateway, which looks at it before it keeps it. @throws ApiError */
export async function uploadFile(file: File): Promise<FileRecord> {
  const form = new FormData();
  form.append('file', file);
  return (await change<{ data: FileRecord }>('POST', '/v1/files', form)).data;
}
