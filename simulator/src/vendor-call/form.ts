import type { Request } from 'express';
import type { Refusal } from './contract';
import { readBytes } from './request-body';

export interface FormFile {
  field: string;
  contentType: string;
  bytes: Buffer;
}

export interface Form {
  fields: Record<string, string>;
  files: FormFile[];
}

/** Reads a multipart form by the platform's own parser, numbers and booleans as text; throws the vendor's refusals. */
export async function readForm(
  request: Request,
  { maxBytes, tooLarge, broken }: { maxBytes: number; tooLarge: () => Refusal; broken: () => Refusal },
): Promise<Form> {
  const read = await readBytes(request, maxBytes);
  if (read.kind === 'too-large') throw tooLarge();
  const headers = { 'content-type': request.get('content-type') ?? '' };
  const parts = await new Response(new Uint8Array(read.bytes), { headers }).formData().catch(() => undefined);
  if (!parts) throw broken();
  const form: Form = { fields: {}, files: [] };
  for (const [field, value] of parts) {
    if (typeof value === 'string') form.fields[field] = value;
    else form.files.push({ field, contentType: value.type, bytes: Buffer.from(await value.arrayBuffer()) });
  }
  return form;
}
