import {
  type Done,
  type ImageRequest,
  type JsonObject,
  message,
  type Output,
  type Refused,
} from '@mediagate/contracts';
import { checkAgainst, type OptionRules } from '../channel-options';
import type { Adapter, CallContext, Endpoint, Lack, Plan } from '../contract';
import type { VendorRequest } from '../http-client';
import { type ImageCall, imageCallBounds, inlineLack, readImageCall, readImageRequest } from '../image-call';
import { base64Bytes, httpUrl, list, object, present, text } from '../json-guards';
import { type FieldLimits, type FileLimits, fieldLack, fileLack, lack } from '../lacks';
import { createOpenAiProbe } from '../openai-models';
import type { Clients } from '../protocol';
import { callVendor, refused, unreadable } from '../vendor-call';
import { openAiErrors } from './errors';
import { editForm, editJson, generationFields } from './request';
import { readUsage } from './usage';

/** `edits`: how files go, for vendors that know one form only. The other two name who pays, on keys of several accounts. */
const OPTIONS: OptionRules = {
  edits: { kind: 'choice', of: ['multipart', 'json'] },
  organization: { kind: 'text' },
  project: { kind: 'text' },
  timeout_seconds: { kind: 'integer', min: 1, max: 1800 },
};

/**
 * Images by `POST /images/generations`, and `/images/edits` when the task has input images: one synchronous call for all
 * `n`, answered with base64. The vendor promises nothing about a repeated request, so a lost answer is never re-sent.
 */
export default function createOpenAiImages({ http }: Clients): Adapter {
  return {
    protocol: 'openai-images',
    families: ['image'],
    afterLostAnswer: 'never',
    checkOptions: (options) => checkAgainst(OPTIONS, options),
    probe: createOpenAiProbe(http),
    lacks: openAiLack,
    async start(request, context) {
      const call = readImageCall(request, context);
      const target = requestOf(call, context.endpoint);
      const reply = await callVendor(http, {
        ...imageCallBounds(context),
        ...target,
        headers: headersOf(call, context),
        dialect: openAiErrors,
        confidential: call.confidential,
      });
      if (!reply.ok) return refused(reply.fault, [reply.requestId]);
      return readResult(reply.body, call, reply.requestId);
    },
  };
}

const LIMITS: FieldLimits<ImageRequest> = { prompt: { maxCharacters: 32_000 } };
const FILES: FileLimits = {
  image: { maxFiles: 16, contentTypes: ['image/png', 'image/jpeg', 'image/webp'], maxBytes: 50 * 1024 * 1024 },
  mask: { maxFiles: 1, contentTypes: ['image/png'], maxBytes: 4 * 1024 * 1024 },
};

function openAiLack({ request, files, endpoint }: Plan): Lack | undefined {
  const image = readImageRequest(request);
  if (typeof image.size === 'object' && 'preset' in image.size) return lack(message('takes_no_size_presets'), 'size');
  const inline = endpoint.options['edits'] === 'json' ? inlineLack(files) : undefined;
  return fieldLack(image, LIMITS) ?? fileLack(files, FILES) ?? inline;
}

/** A mask without images has nothing to apply to and is left out. */
function requestOf(
  call: ImageCall,
  { baseUrl, model, options }: Endpoint,
): Pick<VendorRequest, 'method' | 'url' | 'body'> {
  const method = 'POST';
  if (call.inputs.length === 0) {
    return { method, url: `${baseUrl}/images/generations`, body: { json: generationFields(model, call.image) } };
  }
  const url = `${baseUrl}/images/edits`;
  if (options['edits'] !== 'json') return { method, url, body: { form: editForm(model, call) } };
  return { method, url, body: { json: editJson(model, call) } };
}

/** The client's request id has no effect at the vendor but being findable there, should the answer be lost. */
function headersOf({ attemptId, inputs }: ImageCall, { endpoint }: CallContext): Record<string, string> {
  const { apiKey, options } = endpoint;
  const isForm = inputs.length > 0 && options['edits'] !== 'json';
  return present<Record<string, string>>({
    authorization: `Bearer ${apiKey}`,
    'content-type': isForm ? undefined : 'application/json',
    'x-client-request-id': attemptId,
    'openai-organization': text(options['organization']),
    'openai-project': text(options['project']),
  });
}

function readResult(body: JsonObject, { image }: ImageCall, requestId: string | undefined): Done | Refused {
  const data = list(body['data']);
  if (data === undefined) return refused(unreadable('no list of images'), [requestId]);
  if (data.length === 0) return refused({ code: 'generation_failed', detail: 'no image in the answer' }, [requestId]);
  const format = text(body['output_format']) ?? image.outputFormat ?? 'png';
  const outputs = data.flatMap((item) => readOutput(object(item), `image/${format}`) ?? []).slice(0, image.n);
  if (outputs.length === 0) return refused(unreadable('no image that can be decoded'), [requestId]);
  return present<Done>({
    kind: 'done',
    outputs,
    usage: readUsage(body['usage'], outputs.length),
    requestIds: requestId === undefined ? undefined : [requestId],
  });
}

/** The vendor's current models give base64; vendors with the same wire may give a link. */
function readOutput(item: JsonObject, contentType: string): Output | undefined {
  const bytes = base64Bytes(item['b64_json']);
  if (bytes !== undefined) return { role: 'image', contentType, bytes };
  const url = httpUrl(item['url']);
  return url === undefined ? undefined : { role: 'image', contentType, url };
}
