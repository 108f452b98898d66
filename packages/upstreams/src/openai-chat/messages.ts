import type { JsonObject } from '@mediagate/contracts';
import { object, text } from '../json-guards';
import { field, partsOf, turnsOf } from '../text-request';
import { chatSignature, signatureOf, takesSignatures } from '../thought-signatures';
import { UncarriedError } from './uncarried';

/** The conversation as messages for the vendor's model; what instructs it stands first. */
export function toMessages(request: JsonObject, model: string): JsonObject[] {
  const calls = new CallIds();
  const sign = takesSignatures(model) ? chatSignature : () => ({});
  const instruction = textOf(partsOf(field(request, 'systemInstruction')));
  return [
    ...(instruction === '' ? [] : [{ role: 'system', content: instruction }]),
    ...turnsOf(request).flatMap((turn) => {
      return turn['role'] === 'model' ? [answered(turn, calls, sign)] : asked(turn, calls);
    }),
  ];
}

/** Ids of calls. Where a turn has none, a result belongs to the oldest open call of its function. */
class CallIds {
  readonly #open = new Map<string, string[]>();
  #made = 0;

  call({ id, name }: JsonObject): string {
    this.#made += 1;
    const given = text(id) ?? `call_${this.#made}`;
    this.#open.set(String(name), [...(this.#open.get(String(name)) ?? []), given]);
    return given;
  }

  result({ id, name }: JsonObject): string {
    const open = this.#open.get(String(name)) ?? [];
    const answered = text(id) ?? open[0] ?? `call_${this.#made}`;
    this.#open.set(
      String(name),
      open.filter((each) => each !== answered),
    );
    return answered;
  }
}

/** @param sign makes the fields of a signature, none for a model that knows no such field. */
function answered(turn: JsonObject, calls: CallIds, sign: typeof chatSignature): JsonObject {
  const parts = partsOf(turn).filter((part) => part['thought'] !== true);
  const reply = textOf(parts);
  for (const part of parts) refuseFiles(part);
  const toolCalls = parts.flatMap((part) => {
    const made = field(part, 'functionCall');
    if (made === undefined) return [];
    const call = object(made);
    const { name = '', args = {} } = call;
    const described = { name, arguments: JSON.stringify(args) };
    return [{ id: calls.call(call), type: 'function', function: described, ...sign(signatureOf(part)) }];
  });
  const signed = parts.findLast((part) => field(part, 'functionCall') === undefined && signatureOf(part) !== undefined);
  return {
    role: 'assistant',
    content: reply === '' && toolCalls.length > 0 ? null : reply,
    ...(signed && sign(signatureOf(signed))),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
  };
}

/** Results of functions are messages of their own, and come first: they answer the turn before. */
function asked(turn: JsonObject, calls: CallIds): JsonObject[] {
  const parts = partsOf(turn);
  const results = parts.flatMap((part) => {
    const result = field(part, 'functionResponse');
    if (result === undefined) return [];
    const { response = {} } = object(result);
    return [{ role: 'tool', tool_call_id: calls.result(object(result)), content: JSON.stringify(response) }];
  });
  const content = parts.filter((part) => field(part, 'functionResponse') === undefined).map(toContent);
  if (content.length === 0) return results;
  const isText = content.every((each) => each['type'] === 'text');
  return [...results, { role: 'user', content: isText ? textOf(content) : content }];
}

const SOUND_FORMATS: Readonly<Record<string, string>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
};

function toContent(part: JsonObject): JsonObject {
  const inline = field(part, 'inlineData');
  if (inline === undefined) {
    refuseFiles(part);
    return { type: 'text', text: part['text'] ?? '' };
  }
  const data = object(inline);
  const type = (text(field(data, 'mimeType')) ?? '').toLowerCase();
  const base64 = text(data['data']) ?? '';
  if (type.startsWith('image/')) return { type: 'image_url', image_url: { url: `data:${type};base64,${base64}` } };
  const format = SOUND_FORMATS[type];
  if (format === undefined) throw new UncarriedError(type);
  return { type: 'input_audio', input_audio: { data: base64, format } };
}

const FILES = ['fileData', 'inlineData', 'executableCode', 'codeExecutionResult'];

function refuseFiles(part: JsonObject): void {
  const found = FILES.find((name) => field(part, name) !== undefined);
  if (found !== undefined) throw new UncarriedError(found);
}

function textOf(parts: readonly JsonObject[]): string {
  const texts = parts.map((part) => part['text']).filter((each) => typeof each === 'string' && each !== '');
  return texts.join('\n');
}
