import { createHash } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';
import type { TaskRow } from '@mediagate/tasks';
import type { TextMethod } from '@mediagate/upstreams';
import type { Api } from '../../api';
import type { Call } from '../../http/exchange';
import type { OfferedModel, OfferedModels } from '../../offered-models';
import { requireFamily, requireModel, requireTestChannel } from '../../use-cases/caller';
import { estimateTask } from '../../use-cases/estimate-task';
import { readIdempotency } from '../../use-cases/idempotency';
import { missing } from '../../use-cases/invalid';
import { submitTask } from '../../use-cases/submit-task';
import { isDryRun, sendEstimate } from '../estimates/dry-run';
import { waitForImages } from '../openai/answer-images';
import { type FileFrame, sendFiles } from '../openai/send-files';
import { takeWaitSlot } from '../tasks/wait-for-end';
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
  const { caller, request, requestId } = call;
  const { id } = answer.offered.entry;
  requireFamily(caller, 'image');
  requireTestChannel(caller, 'image', api.models);
  requireModel(caller, id);
  const { json } = await readTextBody(call);
  const { metadata, maxCost } = readTextHeaders(request);
  const { body, files } = readImageRequest(json);
  const submission = {
    caller,
    requestId,
    operation: IMAGE_OPERATION,
    body: { ...body, model: id, ...(metadata && { metadata }), ...(maxCost && { max_cost: maxCost.amount }) },
    files,
    idempotency: readIdempotency(request, request.path, body),
  };
  if (isDryRun(call)) return sendEstimate(call, await estimateTask(api, submission));
  const asEvents = answer.method === 'streamGenerateContent' && request.query['alt'] === 'sse';
  // The slot is taken before anything is booked: a caller who cannot wait pays nothing.
  const leave = takeWaitSlot(api.waitSlots, caller);
  try {
    const accepted = await submitTask(api, submission);
    const { row, urls } = await waitForImages(call, accepted, api);
    await sendFiles(call.response, urls, { frame: frameOf(row, answer, asEvents), store: api.mediaStore });
  } finally {
    leave();
  }
}

interface ImageRequest {
  body: JsonObject;
  /** By the address that stands for each in the body. */
  files: Map<string, Buffer>;
}

/** The user's last turn is the prompt; an edit without an image of its own is one of what the model has made. */
function readImageRequest(sent: JsonObject): ImageRequest {
  const turns = listOf(sent['contents']);
  const last = partsOf(turns.findLast(({ role }) => role !== 'model'));
  const made = partsOf(turns.findLast(({ role }) => role === 'model'));
  const instruction = partsOf(sent['systemInstruction'] ?? sent['system_instruction']);
  const prompt = [...instruction, ...last].flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n');
  if (prompt.trim() === '') throw missing('contents', 'required');
  const own = last.flatMap(bytesOf);
  const files = new Map((own.length > 0 ? own : made.flatMap(bytesOf)).map((bytes) => [addressOf(bytes), bytes]));
  const images = files.size === 0 ? {} : { image_urls: [...files.keys()] };
  return { body: { prompt, ...images, ...readConfig(sent) }, files };
}

function readConfig(sent: JsonObject): JsonObject {
  const config = objectIn(sent, 'generationConfig', 'generation_config');
  const image = objectIn(config, 'imageConfig', 'image_config');
  const fields = {
    n: config['candidateCount'] ?? config['candidate_count'],
    size: image['aspectRatio'] ?? image['aspect_ratio'],
    resolution: image['imageSize'] ?? image['image_size'],
  };
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

function bytesOf(part: JsonObject): Buffer[] {
  const { data } = objectIn(part, 'inlineData', 'inline_data');
  return typeof data === 'string' ? [Buffer.from(data, 'base64')] : [];
}

function addressOf(bytes: Buffer): string {
  return `https://attached.invalid/${createHash('sha256').update(bytes).digest('hex')}`;
}

function objectIn(of: JsonObject, name: string, wireName: string): JsonObject {
  const value = of[name] ?? of[wireName];
  return isJsonObject(value) ? value : {};
}

function partsOf(turn: Json | undefined): JsonObject[] {
  const parts = isJsonObject(turn) ? turn['parts'] : undefined;
  return listOf(isJsonObject(parts) ? [parts] : parts);
}

function listOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function frameOf(row: TaskRow, { offered, method, wrapped }: ImageAnswer, asEvents: boolean): FileFrame {
  const isArray = method === 'streamGenerateContent' && !asEvents;
  const [before, after] = asEvents ? ['data: ', '\r\n\r\n'] : isArray ? ['[', ']'] : ['', ''];
  const last = { usageMetadata: usageOf(row), modelVersion: offered.entry.id, responseId: row.id };
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
