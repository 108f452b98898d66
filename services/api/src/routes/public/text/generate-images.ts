import { GatewayError, type JsonObject, type Message, renameFields } from '@mediagate/contracts';
import type { TaskRow } from '@mediagate/tasks';
import type { TextMethod } from '@mediagate/upstreams';
import type { Api } from '../../../api';
import type { Call } from '../../../http/exchange';
import type { OfferedModel, OfferedModels } from '../../../offered-models';
import { requireFamily, requireModel, requireTestChannel } from '../../../use-cases/caller';
import { estimateTask } from '../../../use-cases/estimate-task';
import { readIdempotency } from '../../../use-cases/idempotency';
import { isStrict, requireNothingIgnored } from '../../../use-cases/strict';
import { type Acknowledgement, submitTask } from '../../../use-cases/submit-task';
import { wordsOf } from '../acknowledge';
import { isDryRun, sendEstimate } from '../estimates/dry-run';
import { waitForImages } from '../openai/answer-images';
import { type FileFrame, sendFiles } from '../openai/send-files';
import { takeWaitSlot } from '../tasks/wait-for-end';
import { readImageRequest } from './image-request';
import { readTextBody } from './text-body';
import { readTextHeaders } from './text-headers';

export const IMAGE_OPERATION = 'images.generations';
/** Clients of the vendor choose this road by the name of a model, which must begin so. */
const PREFIX = 'gemini-';

/** The image model of that name, or of what stands behind the prefix. */
export function findImageModel(models: OfferedModels, name: string): OfferedModel | undefined {
  const found = models.find(name, IMAGE_OPERATION);
  return found ?? (name.startsWith(PREFIX) ? models.find(name.slice(PREFIX.length), IMAGE_OPERATION) : undefined);
}

export interface ImageAnswer {
  offered: OfferedModel;
  method: Exclude<TextMethod, 'countTokens'>;
  /** The answer stands within `{code, data}`. */
  wrapped: boolean;
}

/** Images by the native endpoint: the same submission as everywhere, and then its end in the vendor's words. */
export async function generateImages(call: Call, answer: ImageAnswer, api: Api): Promise<void> {
  const { request, response } = call;
  const accepted = await submit(call, answer, api);
  if (accepted === undefined) return;
  const asEvents = answer.method === 'streamGenerateContent' && request.query['alt'] === 'sse';
  const { row, urls } = await waitForImages(call, accepted, api);
  const warnings = wordsOf(accepted.warnings, response);
  await sendFiles(response, urls, { frame: frameOf(row, { ...answer, asEvents, warnings }), store: api.mediaStore });
}

/** Books the task; undefined: its price was asked for, and has been sent. The body is held here alone, not while its caller waits. */
async function submit(call: Call, { offered }: ImageAnswer, api: Api): Promise<Acknowledgement | undefined> {
  const { caller, request, requestId } = call;
  const { id } = offered.entry;
  requireFamily(caller, 'image');
  requireTestChannel(caller, 'image', api.models);
  requireModel(caller, id);
  const strict = isStrict(request);
  const { json } = await readTextBody(call);
  const { metadata, maxCost } = readTextHeaders(request);
  const { body, files, warnings, fieldOf } = await readImageRequest(json);
  const inWords = (error: unknown) => Promise.reject(error instanceof GatewayError ? error.withFields(fieldOf) : error);
  const allWarnings = (further: readonly Message[]) => [
    ...warnings,
    ...further.map((each) => renameFields(each, fieldOf)),
  ];
  if (strict) requireNothingIgnored(warnings, []);
  const submission = {
    caller,
    requestId,
    operation: IMAGE_OPERATION,
    body: { ...body, model: id, ...(metadata && { metadata }), ...(maxCost && { max_cost: maxCost.amount }) },
    files,
    strict,
    idempotency: readIdempotency(request, request.path, body),
  };
  if (isDryRun(call)) {
    const estimate = await estimateTask(api, submission).catch(inWords);
    sendEstimate(call, { ...estimate, warnings: allWarnings(estimate.warnings) });
    return undefined;
  }
  // The slot is taken before anything is booked: a caller who cannot wait pays nothing.
  call.scope.onClose(takeWaitSlot(api.waitSlots, caller));
  const accepted = await submitTask(api, submission).catch(inWords);
  return { ...accepted, warnings: allWarnings(accepted.warnings) };
}

interface Framed extends ImageAnswer {
  asEvents: boolean;
  warnings: string[];
}

function frameOf(row: TaskRow, { offered, method, wrapped, asEvents, warnings }: Framed): FileFrame {
  const isArray = method === 'streamGenerateContent' && !asEvents;
  const [before, after] = asEvents ? ['data: ', '\r\n\r\n'] : isArray ? ['[', ']'] : ['', ''];
  const last = {
    usageMetadata: usageOf(row),
    ...(warnings.length === 0 ? {} : { warnings }),
    modelVersion: offered.entry.id,
    responseId: row.id,
  };
  return {
    contentType: asEvents ? 'text/event-stream' : 'application/json; charset=utf-8',
    open: `${before}${wrapped ? '{"code":200,"data":' : ''}{"candidates":[`,
    around: ({ contentType }, index) => [
      `${index === 0 ? '' : ','}{"content":{"role":"model","parts":[{"inlineData":{"mimeType":"${contentType}","data":"`,
      `"}}]},"finishReason":"STOP","index":${index}}`,
    ],
    close: `],${JSON.stringify(last).slice(1)}${wrapped ? '}' : ''}${after}`,
  };
}

function usageOf({ usage }: TaskRow): JsonObject {
  const { input_tokens: input = 0, output_tokens: output = 0, total_tokens: total = 0 } = usage ?? {};
  return { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: total };
}
