import { PassThrough } from 'node:stream';
import type { JsonObject } from '@mediagate/contracts';
import type FormData from 'form-data';

export type RequestBody =
  | { json: JsonObject }
  | { jsonText: string }
  | { form: FormData }
  | { fields: Record<string, string> };

export interface Payload {
  headers: Record<string, string>;
  data: Buffer | PassThrough | undefined;
}

/** A request's body as bytes, with the headers that it brings. A form is read piece by piece, as the vendor takes it. */
export function payload(body: RequestBody | undefined): Payload {
  if (body === undefined) return { headers: {}, data: undefined };
  if ('form' in body) return formPayload(body.form);
  if ('fields' in body) return { headers: {}, data: Buffer.from(new URLSearchParams(body.fields).toString()) };
  return { headers: {}, data: Buffer.from('jsonText' in body ? body.jsonText : JSON.stringify(body.json)) };
}

function formPayload(form: FormData): Payload {
  // Before anything is read of it: the form measures what it still has.
  const length = form.hasKnownLength() ? { 'content-length': String(form.getLengthSync()) } : {};
  const headers = { ...form.getHeaders(), ...length };
  const data = new PassThrough();
  // A request that breaks off ends its body with the error, of which the exchange reports.
  data.on('error', () => {});
  form.on('error', (error) => data.destroy(error));
  return { headers, data: form.pipe(data) };
}
