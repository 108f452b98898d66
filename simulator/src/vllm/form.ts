import type { Request } from 'express';
import { Refusal } from '../vendor-call/contract';
import { readBytes } from '../vendor-call/request-body';
import { detail } from './wire';

/** A form of a video, by the names of its parts. */
export interface VideoForm {
  fields: Record<string, string>;
  files: Record<string, Buffer>;
}

const MAX_FORM_BYTES = 64 * 1024 * 1024;

/** Reads the form by the platform's own parser; throws the framework's refusals. */
export async function readVideoForm(request: Request): Promise<VideoForm> {
  const read = await readBytes(request, MAX_FORM_BYTES);
  if (read.kind === 'too-large') throw new Refusal(detail(413, 'Request Entity Too Large'));
  const headers = { 'content-type': request.get('content-type') ?? '' };
  const parts = await new Response(new Uint8Array(read.bytes), { headers }).formData().catch(() => undefined);
  if (!parts) throw new Refusal(detail(400, 'There was an error parsing the body'));
  const form: VideoForm = { fields: {}, files: {} };
  for (const [name, value] of parts) {
    if (typeof value === 'string') form.fields[name] = value;
    else form.files[name] = Buffer.from(await value.arrayBuffer());
  }
  return form;
}
